// The dialog of a command for stored calls: says what will happen, and asks for the reason.

import * as api from "./api.js";
import {html, setText} from "./dom.js";

/** @typedef {import("./api.js").Queue} Queue */

/** Retries or discards. */
export class QueueDialog {
  /** @param {(done: string) => void} done is told what was done */
  constructor(done) {
    this.done = done;
    this.action = "RETRY";
    this.queue = /** @type {Queue | null} */ (null);
    this.call = /** @type {number | null} */ (null);
    this.opener = /** @type {Element | null} */ (null);
    this.sending = false;
    this.title = html("h2", {id: "order-title"});
    this.effect = html("p", {id: "order-effect"});
    this.reason = html("textarea", {id: "order-reason", rows: 3, maxlength: 500, required: true, "aria-describedby": "order-error"});
    this.error = html("p", {id: "order-error", class: "problem", role: "alert", hidden: true});
    this.send = html("button", {type: "submit", class: "main"});
    const form = html("form", {novalidate: true}, this.title, this.effect,
      html("label", {for: "order-reason"}, "Reason"), this.reason, this.error,
      html("div", {class: "choices"}, html("button", {type: "button", click: () => this.node.close()}, "Cancel"), this.send));
    form.addEventListener("submit", event => {
      event.preventDefault();
      this.submit();
    });
    this.node = html("dialog", {"aria-labelledby": "order-title", "aria-describedby": "order-effect"}, form);
    this.node.addEventListener("close", () => this.closed());
  }

  /**
   * @param {string} action
   * @param {Queue} queue
   * @param {number | null} call null for all dead ones
   */
  open(action, queue, call) {
    this.action = action;
    this.queue = queue;
    this.call = call;
    this.opener = document.activeElement;
    const retries = action === "RETRY";
    const what = call === null ? `all ${queue.dead} dead calls` : `call ${call}`;
    setText(this.title, `${retries ? "Retry" : "Discard"} ${what}`);
    setText(this.effect, retries
      ? "Made again soon if the breaker is closed, with all attempts before it. What a provider has done already it may do twice."
      : "Deleted for good: nobody will make this call any more.");
    setText(this.send, retries ? "Retry" : "Discard");
    this.reason.value = "";
    this.fail("");
    this.node.showModal();
    this.reason.focus();
  }

  /** @param {string} text what went wrong; empty for nothing */
  fail(text) {
    this.error.hidden = text === "";
    setText(this.error, text);
    this.reason.setAttribute("aria-invalid", String(text !== "" && this.reason.value.trim() === ""));
  }

  async submit() {
    const reason = this.reason.value.replace(/\s+/g, " ").trim();
    if (this.sending || !this.queue) {
      return;
    }
    if (reason === "") {
      this.fail("Say why: it is kept with your name.");
      this.reason.focus();
      return;
    }
    this.sending = true;
    try {
      const {breaker, method} = this.queue;
      const {calls} = await api.queueCommand({action: this.action, breaker, method, call: this.call, reason});
      this.node.close();
      this.done(`${calls} ${calls === 1 ? "call" : "calls"} ${this.action === "RETRY" ? "will be made again" : "discarded"}.`);
    } catch (failure) {
      this.fail(failure instanceof api.LoginExpired ? "Your login has expired, and nothing was changed. Log in in a new tab, and send it again."
        : `Not done. ${failure instanceof Error ? failure.message : failure}`);
    } finally {
      this.sending = false;
    }
  }

  closed() {
    const back = this.opener instanceof HTMLElement && this.opener.isConnected ? this.opener : document.getElementById("detail-title");
    back?.focus();
  }
}
