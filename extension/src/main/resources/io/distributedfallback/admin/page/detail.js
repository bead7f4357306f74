// One breaker in full.

import * as api from "./api.js";
import {link} from "./address.js";
import {Chronicle} from "./chronicle.js";
import {write} from "./clock.js";
import {foreign, html, icon, setText} from "./dom.js";
import {Facts} from "./facts.js";
import {Queues} from "./queue.js";
import {full, lastFailure} from "./findings.js";
import {look, story} from "./words.js";

/** @typedef {import("./api.js").Breaker} Breaker */

const COMMANDS = [
  {action: "FORCE_OPEN", word: "Force open…"},
  {action: "FORCE_CLOSED", word: "Force closed…"},
  {action: "CLEAR_OVERRIDE", word: "Clear override…"},
  {action: "RESET", word: "Reset…"},
];

/** The view of one breaker, for as long as it is shown. */
export class Detail {
  /**
   * @param {string} name
   * @param {(action: string, breaker: Breaker) => void} ask opens the dialog of a command
   */
  constructor(name, ask) {
    this.name = name;
    this.breaker = /** @type {Breaker | null} */ (null);
    this.shape = html("span", {class: "shape"});
    this.title = html("h2", {tabindex: "-1", id: "detail-title"}, foreign(name));
    this.word = html("p", {class: "word"});
    this.why = html("p", {class: "why"}, "Loading…");
    this.facts = new Facts("full");
    this.failure = {kind: html("b"), text: foreign(""), instance: foreign(""), at: html("time")};
    const {kind, text, instance, at} = this.failure;
    this.last = html("p", {class: "failure", hidden: true}, html("span", {class: "quiet"}, "Last failure "), kind, " ", text,
      html("span", {class: "quiet"}, " on ", instance, ", ", at, " ago"));
    this.buttons = COMMANDS.map(({action, word}) => html("button",
      {type: "button", hidden: true, "data-action": action, click: () => this.breaker && ask(action, this.breaker)}, word));
    this.policy = html("dl", {class: "facts policy"});
    this.policies = html("details", {hidden: true}, html("summary", {}, "Policy"), this.policy);
    this.chronicle = new Chronicle(name);
    this.queues = new Queues(name);
    this.commands = html("div", {class: "commands", role: "group", "aria-label": "Commands", hidden: true}, ...this.buttons);
    this.rest = html("div", {hidden: true}, this.facts.node, this.last, this.commands,
      this.queues.node, html("h3", {}, "History"), this.chronicle.node, this.policies);
    this.node = html("div", {class: "detail"},
      html("p", {class: "back"}, html("a", {href: link({breaker: ""})}, "All breakers")),
      html("header", {}, this.shape, this.title, this.word), this.why, this.rest);
  }

  /**
   * Loads and shows it; a breaker that is not known is said to be so.
   *
   * @returns {Promise<boolean>} whether all could be had
   */
  async refresh() {
    try {
      this.show(await api.breaker(this.name));
    } catch (failure) {
      if (!(failure instanceof api.Refused)) {
        throw failure;
      }
      if (this.breaker && failure.status !== 404) {
        return false;
      }
      this.rest.hidden = true;
      setText(this.word, "");
      this.shape.replaceChildren();
      setText(this.why, failure.status === 404 ? "This application has no breaker of this name." : failure.message);
      return failure.status === 404;
    }
    await this.queues.refresh();
    return this.chronicle.refresh();
  }

  /** @param {Breaker} breaker */
  show(breaker) {
    this.breaker = breaker;
    const {kind, word} = look(breaker);
    if (this.node.dataset.kind !== kind) {
      this.node.dataset.kind = kind;
      this.shape.replaceChildren(icon(kind));
    }
    this.rest.hidden = false;
    setText(this.word, word);
    setText(this.why, story(breaker));
    this.facts.show(full(breaker));
    this.last.hidden = breaker.lastFailure === null;
    if (breaker.lastFailure) {
      const {kind: what, text, instance, at} = lastFailure(breaker.lastFailure);
      setText(this.failure.kind, what);
      setText(this.failure.text, text);
      setText(this.failure.instance, instance);
      write(this.failure.at, at, "since");
    }
    this.showButtons(breaker);
    this.showPolicy(breaker.policy ?? {});
  }

  /**
   * A command that would do nothing is not offered.
   *
   * @param {Breaker} breaker
   */
  showButtons({override, state, consecutiveFailures, window, cooldownLeftMillis, recovery}) {
    const useful = /** @type {Record<string, boolean>} */ ({
      FORCE_OPEN: true,
      FORCE_CLOSED: true,
      CLEAR_OVERRIDE: override !== null,
      RESET: state === "OPEN" || consecutiveFailures > 0 || window !== null || cooldownLeftMillis > 0
        || recovery.rampUp !== null,
    });
    for (const button of this.buttons) {
      button.hidden = !useful[button.dataset.action ?? ""];
    }
  }

  /** @param {boolean} may whether commands are offered at all */
  permit(may) {
    this.commands.hidden = !may;
    this.queues.permit(may);
  }

  /** @param {Record<string, string>} policy */
  showPolicy(policy) {
    const entries = Object.entries(policy);
    const text = JSON.stringify(entries);
    if (entries.length > 0 && this.policy.dataset.shown !== text) {
      this.policy.dataset.shown = text;
      this.policies.hidden = false;
      this.policy.replaceChildren(...entries.map(([key, value]) =>
        html("div", {}, html("dt", {}, key), html("dd", {}, foreign(String(value))))));
    }
  }
}
