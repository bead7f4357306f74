// Keeps what is shown up to date: by the server's events while they come, by asking every few seconds while they do not.

import {LoginExpired, NoAnswer, Refused} from "./api.js";
import {now} from "./clock.js";

const POLL = 5_000;
/** While events come, asking is only for what they might miss. */
const RARELY = 30_000;
/** The server sends a beat every 15 s; after two that did not come nobody is there, or somebody keeps them back. */
const SILENCE = 35_000;
const LISTEN_AGAIN = 30_000;
/** The server ends its events now and then, and the browser asks for them again after some seconds. */
const GRACE = 12_000;
/** Many changes in a moment are one for the eye. */
const PAUSE = 300;

/**
 * @typedef {"connecting" | "live" | "polling" | "lost" | "expired" | "refused"} State
 * @typedef {{state: State, since: number, known: number | null, message: string}} Status since when, and when what is shown
 *   was known, by the server's clock
 */

/** The connection to the server. */
export class Connection {
  /**
   * @param {(isLast: () => boolean) => Promise<boolean>} refresh loads and shows all, unless it was overtaken, and tells
   *     whether all could be had
   * @param {(status: Status) => void} show
   */
  constructor(refresh, show) {
    this.refresh = refresh;
    this.show = show;
    this.status = /** @type {Status} */ ({state: "connecting", since: now(), known: null, message: ""});
    this.source = /** @type {EventSource | null} */ (null);
    this.heard = -Infinity;
    this.timer = 0;
    this.round = 0;
    this.running = false;
    this.again = false;
    this.whole = true;
    this.listenedAt = -Infinity;
    this.listenAfter = 0;
  }

  start() {
    document.addEventListener("visibilitychange", () => document.hidden ? this.rest() : this.wake());
    addEventListener("online", () => this.wake());
    addEventListener("focus", () => {
      if (this.status.state === "expired" || this.status.state === "refused") {
        this.wake();
      }
    });
    this.wake();
  }

  /** Asks at once. A round under way is overtaken: what somebody has just clicked does not wait for it. */
  wake() {
    clearTimeout(this.timer);
    this.run();
  }

  /** Nobody looks. */
  rest() {
    clearTimeout(this.timer);
    this.silence();
  }

  async run() {
    const round = ++this.round;
    const isLast = () => round === this.round;
    this.running = true;
    this.again = false;
    try {
      const whole = await this.refresh(isLast);
      if (isLast()) {
        this.whole = whole;
        this.listen();
        this.become(this.hears() ? "live" : "polling", "");
      }
    } catch (failure) {
      if (isLast()) {
        this.failed(failure);
      }
    }
    if (isLast()) {
      this.running = false;
      this.plan();
    }
  }

  plan() {
    if (document.hidden) {
      return;
    }
    const {state} = this.status;
    // To ask again for a page without a login makes some servers forget which page was wanted. It is tried on return.
    const pause = this.again ? PAUSE : state === "live" && this.whole ? RARELY : state === "expired" || state === "refused" ? 0 : POLL;
    clearTimeout(this.timer);
    if (pause > 0) {
      this.timer = setTimeout(() => this.run(), pause);
    }
  }

  /** @param {unknown} failure */
  failed(failure) {
    const known = failure instanceof Error ? failure.message : String(failure);
    if (failure instanceof LoginExpired) {
      this.silence();
      this.become("expired", known);
    } else if (failure instanceof Refused && failure.status === 403) {
      this.silence();
      this.become("refused", known);
    } else {
      this.become("lost", known);
      if (!(failure instanceof NoAnswer || failure instanceof Refused)) {
        console.error(failure);
      }
    }
  }

  /**
   * @param {State} state
   * @param {string} message
   */
  become(state, message) {
    const well = state === "live" || state === "polling";
    const since = state === this.status.state ? this.status.since : now();
    this.status = {state, since, known: well ? now() : this.status.known, message};
    this.show(this.status);
  }

  /** Whether events come. */
  hears() {
    const open = this.source !== null && this.source.readyState === EventSource.OPEN;
    return performance.now() - this.heard < (open ? SILENCE : GRACE);
  }

  listen() {
    const time = performance.now();
    const silent = this.source !== null && time - Math.max(this.heard, this.listenedAt) > SILENCE;
    if (silent) {
      this.silence();
      this.listenAfter = time + LISTEN_AGAIN;
    }
    if (this.source !== null || time < this.listenAfter || document.hidden) {
      return;
    }
    this.listenedAt = time;
    const source = new EventSource("api/events");
    this.source = source;
    source.addEventListener("change", () => this.hear());
    source.addEventListener("beat", () => this.hear());
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED && this.source === source) {
        this.source = null;
        this.listenAfter = performance.now() + LISTEN_AGAIN;
      }
      // The end of the events may be that of the server: asked at once, it is known at once.
      this.soon();
    });
  }

  hear() {
    this.heard = performance.now();
    this.soon();
  }

  soon() {
    if (this.running) {
      this.again = true;
    } else if (!document.hidden) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.run(), PAUSE);
    }
  }

  silence() {
    this.source?.close();
    this.source = null;
    this.heard = -Infinity;
  }
}
