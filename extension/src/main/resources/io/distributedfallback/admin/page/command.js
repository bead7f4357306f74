// The dialog of a command: says what will happen, asks for the reason, and shows what the server answers.

import * as api from "./api.js";
import {clockTime, now, spoken, UNITS} from "./clock.js";
import {byId, foreign, html} from "./dom.js";
import {mode} from "./words.js";

/** @typedef {import("./api.js").Breaker} Breaker */

const LONGEST = 365 * 24 * 60;
/** @type {Record<string, {title: string, after: string, button: string, forces: boolean}>} */
const ACTIONS = {
  FORCE_OPEN: {title: "Force ", after: " open", button: "Force open", forces: true},
  FORCE_CLOSED: {title: "Force ", after: " closed", button: "Force closed", forces: true},
  CLEAR_OVERRIDE: {title: "Clear the override of ", after: "", button: "Clear override", forces: false},
  RESET: {title: "Reset ", after: "", button: "Reset", forces: false},
};

/** The one dialog of the page. */
export class CommandDialog {
  /** @param {(breaker: Breaker) => void} done is told what a breaker is after a command */
  constructor(done) {
    this.done = done;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("command"));
    this.form = /** @type {HTMLFormElement} */ (byId("command-form"));
    this.title = byId("command-title");
    this.effect = byId("command-effect");
    this.reason = /** @type {HTMLTextAreaElement} */ (byId("reason"));
    this.expiry = /** @type {HTMLFieldSetElement} */ (byId("expiry"));
    this.minutes = /** @type {HTMLInputElement} */ (byId("minutes"));
    this.error = byId("command-error");
    this.send = /** @type {HTMLButtonElement} */ (byId("send"));
    this.action = "";
    this.breaker = /** @type {Breaker | null} */ (null);
    this.opener = /** @type {Element | null} */ (null);
    this.sending = false;
    // What was typed for a command is there again when its dialog is.
    this.drafts = /** @type {Map<string, string>} */ (new Map());
    this.form.addEventListener("submit", event => {
      event.preventDefault();
      this.submit();
    });
    this.form.addEventListener("input", () => this.say());
    this.minutes.addEventListener("focus", () => {
      this.option("own").checked = true;
      this.say();
    });
    byId("cancel").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => this.closed());
  }

  /** @param {string} value */
  option(value) {
    return /** @type {HTMLInputElement} */ (this.form.querySelector(`input[name=expiry][value="${value}"]`));
  }

  /**
   * @param {string} action
   * @param {Breaker} breaker
   */
  open(action, breaker) {
    const {title, after, button, forces} = ACTIONS[action];
    this.action = action;
    this.breaker = breaker;
    this.opener = document.activeElement;
    this.title.replaceChildren(title, foreign(breaker.name), after);
    this.reason.value = this.drafts.get(this.draft()) ?? "";
    this.expiry.hidden = !forces;
    this.expiry.disabled = !forces;
    this.option("60").checked = true;
    this.send.textContent = button;
    this.fail(null);
    this.say();
    this.dialog.showModal();
    this.reason.focus();
  }

  draft() {
    return JSON.stringify([this.action, this.breaker?.name]);
  }

  /** @returns {number | null} the minutes chosen; null for until cleared, NaN if they are none */
  chosen() {
    const value = new FormData(this.form).get("expiry");
    if (value === "never") {
      return null;
    }
    const minutes = value === "own" ? Number(this.minutes.value || NaN) : Number(value);
    return Number.isInteger(minutes) && minutes >= 1 && minutes <= LONGEST ? minutes : NaN;
  }

  /** Says what will happen. */
  say() {
    if (!this.breaker) {
      return;
    }
    const name = foreign(this.breaker.name);
    this.effect.replaceChildren(...this.consequence(name));
  }

  /**
   * @param {HTMLElement} name
   * @returns {(Node | string)[]}
   */
  consequence(name) {
    const {state, override} = /** @type {Breaker} */ (this.breaker);
    const goes = state === "OPEN" ? "it is open: calls will go to the fallback." : "it is closed: calls will go to the primary.";
    switch (this.action) {
      case "FORCE_OPEN":
        return ["All instances will send calls of ", name, " to the fallback ", this.forHowLong(), "."];
      case "FORCE_CLOSED":
        return ["All instances will send calls of ", name, " to the primary ", this.forHowLong(),
          ", even if it fails. Failures go on being counted."];
      case "CLEAR_OVERRIDE":
        return [`${mode(override?.mode ?? null)} by `.replace(/^./, first => first.toUpperCase()), foreign(override?.by ?? "nobody"),
          " ends. On all instances the state of ", name, " decides again, and ", goes];
      default:
        return ["All instances will forget the failures and the cooldown of ", name, ", and it closes if it is open. ",
          override ? `It stays ${mode(override.mode)}.` : "Calls will go to the primary."];
    }
  }

  forHowLong() {
    const minutes = this.chosen();
    if (minutes === null) {
      return "until somebody clears it";
    }
    return Number.isNaN(minutes) ? "for …" : `for ${spoken(minutes)}, until ${clockTime(now() + minutes * UNITS.MINUTE, false)}`;
  }

  /** @param {string | null} text what went wrong; null for nothing */
  fail(text, expired = false) {
    this.error.hidden = text === null;
    this.error.replaceChildren(text ?? "", expired ? " " : "",
      expired ? html("a", {href: "./", target: "_blank", rel: "noopener"}, "Log in in a new tab") : "",
      expired ? ", come back, and send it again. What you have entered stays here." : "");
  }

  async submit() {
    const breaker = this.breaker;
    const reason = this.reason.value.replace(/\s+/g, " ").trim();
    const minutes = this.expiry.disabled ? null : this.chosen();
    this.reason.setAttribute("aria-invalid", String(reason === ""));
    this.minutes.setAttribute("aria-invalid", String(Number.isNaN(minutes)));
    if (this.sending || !breaker) {
      return;
    }
    if (reason === "") {
      this.fail("Say why: the others on call will read it.");
      this.reason.focus();
      return;
    }
    if (Number.isNaN(minutes)) {
      this.fail(`Give whole minutes, 1 to ${LONGEST.toLocaleString("en")}.`);
      this.minutes.focus();
      return;
    }
    this.sent(true);
    try {
      const expirySeconds = minutes === null ? null : minutes * 60;
      const after = await api.command({breaker: breaker.name, action: this.action, reason, expirySeconds});
      this.drafts.delete(this.draft());
      this.reason.value = "";
      this.dialog.close();
      this.done(after);
    } catch (failure) {
      this.explain(failure);
    } finally {
      this.sent(false);
    }
  }

  /** @param {boolean} sending */
  sent(sending) {
    this.sending = sending;
    this.send.setAttribute("aria-disabled", String(sending));
    this.form.setAttribute("aria-busy", String(sending));
  }

  /** @param {unknown} failure */
  explain(failure) {
    if (failure instanceof api.LoginExpired) {
      this.fail("Your login has expired, and nothing was changed.", true);
    } else if (failure instanceof api.Refused) {
      this.fail(`Not done. ${failure.message}`);
    } else if (failure instanceof api.NoAnswer) {
      this.fail(`${failure.message} Whether the command was carried out is not known; the breaker and its history will show it.`);
    } else {
      throw failure;
    }
  }

  closed() {
    if (this.reason.value) {
      this.drafts.set(this.draft(), this.reason.value);
    }
    const back = this.opener instanceof HTMLElement && this.opener.isConnected && this.opener.offsetParent !== null
      ? this.opener : document.getElementById("detail-title");
    back?.focus();
  }
}
