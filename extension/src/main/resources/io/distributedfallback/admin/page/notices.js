// What is said about the page itself: how it is connected, whether it is still true, and what has changed.

import {clockTime, duration} from "./clock.js";
import {byId, html, setText} from "./dom.js";
import {look, sentence} from "./words.js";

/** @typedef {import("./api.js").Overview} Overview */
/** @typedef {import("./connection.js").Status} Status */

const MOST = 3;

/** @type {Record<string, string>} */
const WORDS = {
  connecting: "Connecting",
  live: "Live",
  polling: "Polling every 5 s",
  lost: "Connection lost",
  expired: "Login expired",
  refused: "Not allowed",
};

/** The head of the page, and its region for announcements. */
export class Notices {
  /** @param {() => void} retry asks the server again */
  constructor(retry) {
    this.retry = retry;
    this.word = byId("connection-word");
    this.notice = byId("notice");
    this.said = "";
    this.kinds = /** @type {Map<string, string>} */ (new Map());
    this.store = "";
  }

  /** @param {Status} status */
  connection(status) {
    setText(this.word, WORDS[status.state]);
    byId("connection").dataset.state = status.state;
    document.body.classList.toggle("old", !["live", "polling", "connecting"].includes(status.state));
    this.warn(status);
  }

  /** @param {Status} status */
  warn({state, since, known, message}) {
    const shown = known === null ? "" : ` Showing what was known at ${clockTime(known)}.`;
    const login = html("a", {class: "button", href: "./", target: "_blank", rel: "noopener"}, "Log in again");
    const again = html("button", {type: "button", click: this.retry}, "Try again");
    if (state === "lost") {
      this.tell(`Connection lost since ${clockTime(since)}. ${message}${shown} It is tried again every 5 s.`, again);
    } else if (state === "expired") {
      this.tell(`${message}${shown} Log in in a new tab, and come back: nothing that you have entered is lost.`, login, again);
    } else if (state === "refused") {
      this.tell(`${message}${shown} Your login may not read this page.`, login, again);
    } else {
      this.tell(this.store);
    }
  }

  /**
   * @param {string} text
   * @param {...Node} actions
   */
  tell(text, ...actions) {
    if (text === this.said) {
      return;
    }
    this.said = text;
    this.notice.replaceChildren(...text ? [html("p", {}, text), ...actions] : []);
  }

  /** @param {Overview} answer */
  overview(answer) {
    const {ageMillis, push, loss} = answer.copy;
    byId("instance").replaceChildren("seen by ", html("bdi", {}, answer.instance));
    const age = ageMillis === null ? "no copy yet" : `copy ${ageMillis < 10_000 ? (ageMillis / 1000).toFixed(1) + " s" : duration(ageMillis)} old`;
    setText(byId("copy"), `${age}, push ${push}`);
    this.store = loss === null ? ""
      : ageMillis === null ? `The database does not answer. Each instance goes by what it has seen itself (${loss.code}).`
        : `The database does not answer. What is shown is this instance’s copy, and what it has seen since (${loss.code}).`;
    const {open, forced} = answer.counts;
    const bad = [open > 0 && `${open} open`, forced > 0 && `${forced} forced`].filter(Boolean).join(", ");
    document.title = bad ? `(${bad}) Breakers` : "Breakers";
    this.compare(answer);
  }

  /**
   * Says what has another state than before, in a few words even if it is much.
   *
   * @param {Overview} answer
   */
  compare({breakers}) {
    const changed = breakers.filter(breaker => {
      const before = this.kinds.get(breaker.name);
      return before !== undefined && before !== look(breaker).kind;
    });
    breakers.forEach(breaker => this.kinds.set(breaker.name, look(breaker).kind));
    if (changed.length > 0) {
      const rest = changed.length - MOST;
      this.announce(changed.slice(0, MOST).map(sentence).join(" ") + (rest > 0 ? ` And ${rest} more have changed.` : ""));
    }
  }

  /** @param {string} text for those who hear the page */
  announce(text) {
    const line = html("p", {}, text);
    byId("announcements").replaceChildren(line);
  }
}
