// The history of one breaker or of all: a picture, and below it the same as a list with the evidence.

import * as api from "./api.js";
import {UNITS, now} from "./clock.js";
import {html, setText} from "./dom.js";
import {item} from "./entry.js";
import {lane} from "./timeline.js";
import {picture} from "./picture.js";

/** @typedef {import("./api.js").Entry} Entry */

const PAGE = 100;
const MOST_LANES = 12;
const WANTED = 6;
const SPANS = [
  {word: "1 h", name: "last hour", millis: UNITS.HOUR},
  {word: "6 h", name: "last 6 hours", millis: 6 * UNITS.HOUR},
  {word: "24 h", name: "last 24 hours", millis: UNITS.DAY},
  {word: "7 d", name: "last 7 days", millis: 7 * UNITS.DAY},
];

/** Loads, keeps and shows entries. */
export class Chronicle {
  /**
   * @param {string} name of a breaker; empty for all
   * @param {(name: string) => void} [pick] what a click on a lane does
   */
  constructor(name, pick) {
    this.name = name;
    this.pick = pick;
    this.entries = /** @type {Map<number, Entry>} */ (new Map());
    this.items = /** @type {Map<number, HTMLElement>} */ (new Map());
    this.next = /** @type {number | null} */ (null);
    this.chosen = /** @type {number | null} */ (null);
    this.frame = html("div", {class: "frame"});
    this.problem = html("p", {class: "problem", hidden: true});
    this.list = html("ol", {class: "entries", role: "list"});
    this.more = html("button", {type: "button", class: "quiet-button", hidden: true, click: () => this.older()}, "Older entries");
    this.spans = this.choice();
    this.node = html("div", {class: "chronicle"}, this.spans, this.frame, legend(), this.problem, this.list, this.more);
    this.width = 0;
    // Drawn in the next frame: a picture that changes the size while it is being told of is an error for the browser.
    new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.frame);
  }

  choice() {
    const group = `span-${this.name ? "one" : "all"}`;
    return html("fieldset", {class: "spans"}, html("legend", {class: "unseen"}, "Time shown"), ...SPANS.map(({word, name, millis}) => {
      const choose = () => {
        this.chosen = millis;
        this.draw(true);
      };
      return html("label", {}, html("input", {type: "radio", name: group, value: millis, "aria-label": name, change: choose}),
        html("span", {"aria-hidden": "true"}, word));
    }));
  }

  /**
   * Loads what is new. What was loaded before stays, as nothing in the history ever changes.
   *
   * @returns {Promise<boolean>} whether it could be had
   */
  async refresh() {
    try {
      const {entries, next} = await api.history(this.name, null, PAGE);
      // So much has happened meanwhile that entries between are missing; or this is all that there is.
      if (next === null || !entries.some(({id}) => this.entries.has(id))) {
        this.entries.clear();
        this.next = next;
      }
      this.take(entries);
      return true;
    } catch (failure) {
      this.fail(failure);
      return false;
    }
  }

  async older() {
    try {
      const {entries, next} = await api.history(this.name, this.next, PAGE);
      this.next = next;
      this.take(entries);
    } catch (failure) {
      this.tell(failure);
    }
  }

  /** @param {unknown} failure */
  fail(failure) {
    if (!(failure instanceof api.Refused)) {
      throw failure;
    }
    this.tell(failure);
  }

  /** @param {unknown} failure */
  tell(failure) {
    this.problem.hidden = false;
    setText(this.problem, `The history cannot be read now: ${failure instanceof Error ? failure.message : failure}`);
  }

  /** @param {Entry[]} entries */
  take(entries) {
    this.problem.hidden = true;
    entries.forEach(entry => this.entries.set(entry.id, entry));
    const newest = this.sorted().reverse();
    this.items.forEach((node, id) => {
      if (!this.entries.has(id)) {
        node.remove();
        this.items.delete(id);
      }
    });
    newest.forEach((entry, i) => {
      if (!this.items.has(entry.id)) {
        const node = item(entry, this.name === "");
        this.items.set(entry.id, node);
        this.list.insertBefore(node, this.list.children[i] ?? null);
      }
    });
    this.more.hidden = this.next === null;
    this.node.classList.toggle("nothing", newest.length === 0);
    if (newest.length === 0) {
      setText(this.problem, "Nothing has happened that the history still knows.");
      this.problem.hidden = false;
    }
    this.draw(true);
  }

  /** The oldest first. */
  sorted() {
    return [...this.entries.values()].sort((a, b) => a.id - b.id);
  }

  /** The shortest span with the last few entries in it, if none was chosen. */
  span() {
    const entries = this.sorted();
    const oldest = entries.at(-Math.min(WANTED, entries.length));
    const age = oldest ? now() - Date.parse(oldest.at) : 0;
    const millis = this.chosen ?? (SPANS.find(span => span.millis > age) ?? SPANS[SPANS.length - 1]).millis;
    return {from: now() - millis, to: now(), millis};
  }

  /** @param {boolean} [anew] also if the width is the same */
  draw(anew = false) {
    const width = Math.floor(this.frame.clientWidth);
    if (width === 0 || (!anew && width === this.width)) {
      return;
    }
    this.width = width;
    const span = this.span();
    for (const input of this.spans.querySelectorAll("input")) {
      input.checked = Number(input.value) === span.millis;
    }
    const word = SPANS.find(({millis}) => millis === span.millis)?.name;
    this.frame.replaceChildren(picture(this.lanes(span), span, width, {
      named: this.name === "", pick: this.pick,
      title: `${this.name ? "State" : "States of the breakers that changed last"}, ${word}`,
    }));
  }

  /** @param {{from: number, to: number}} span */
  lanes(span) {
    if (this.name) {
      return [lane(this.name, this.sorted(), this.next === null, span)];
    }
    const byName = /** @type {Map<string, Entry[]>} */ (new Map());
    for (const entry of this.sorted().reverse()) {
      byName.set(entry.breaker, [entry, ...byName.get(entry.breaker) ?? []]);
    }
    return [...byName].slice(0, MOST_LANES).map(([name, entries]) => lane(name, entries, this.next === null, span));
  }
}

function legend() {
  return html("ul", {class: "legend", role: "list", "aria-hidden": "true"}, ...[
    ["open", "open"], ["closed", "closed"], ["forced-open", "forced open"], ["forced-closed", "forced closed"], ["mark", "command"],
  ].map(([kind, word]) => html("li", {}, html("span", {class: `key ${kind}`}), word)));
}
