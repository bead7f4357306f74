// All breakers, a page at a time. The server filters, sorts and cuts; a row stays the same element while its breaker is shown.

import {go, link, place} from "./address.js";
import {write} from "./clock.js";
import {byId, cut, foreign, html, icon, plain, setText} from "./dom.js";
import {Facts} from "./facts.js";
import {brief, lastFailure} from "./findings.js";
import {FILTERS, count, look, story} from "./words.js";

/** @typedef {import("./api.js").Breaker} Breaker */
/** @typedef {import("./api.js").Overview} Overview */

const TYPING = 250;

/** One breaker. */
class Row {
  /** @param {string} name */
  constructor(name) {
    this.shape = html("span", {class: "shape"});
    this.link = html("a", {class: "name"}, foreign(cut(name, 120)));
    this.word = html("span", {class: "word"});
    this.why = html("p", {class: "why"});
    this.facts = new Facts("brief");
    this.failure = {kind: html("b"), text: foreign(""), instance: foreign(""), at: html("time")};
    const {kind, text, instance, at} = this.failure;
    this.last = html("p", {class: "failure"}, kind, " ", text, html("span", {class: "quiet"}, " on ", instance, ", ", at, " ago"));
    this.node = html("li", {class: "row"}, this.shape,
      html("h3", {}, this.link), this.word, this.why, this.facts.node, this.last);
    this.name = name;
    this.kind = "";
  }

  /** @param {Breaker} breaker */
  show(breaker) {
    const {kind, word} = look(breaker);
    if (kind !== this.kind) {
      this.kind = kind;
      this.node.dataset.kind = kind;
      this.shape.replaceChildren(icon(kind));
    }
    setText(this.word, word);
    setText(this.why, story(breaker));
    this.facts.show(brief(breaker));
    this.last.hidden = breaker.lastFailure === null || kind === "closed";
    if (breaker.lastFailure) {
      const {kind: what, text, instance, at} = lastFailure(breaker.lastFailure);
      setText(this.failure.kind, what);
      setText(this.failure.text, text);
      setText(this.failure.instance, instance);
      write(this.failure.at, at, "since");
    }
    this.aim();
  }

  /** The link leads to this breaker from wherever we are. */
  aim() {
    const target = link({breaker: this.name});
    if (this.link.getAttribute("href") !== target) {
      this.link.setAttribute("href", target);
    }
    const current = place().breaker === this.name;
    this.node.classList.toggle("current", current);
    if (current) {
      this.link.setAttribute("aria-current", "true");
    } else {
      this.link.removeAttribute("aria-current");
    }
  }
}

/** The list with its filters, its search and its pages. */
export class BreakerList {
  constructor() {
    this.rows = /** @type {Map<string, Row>} */ (new Map());
    this.shown = false;
    this.list = byId("breakers");
    this.range = byId("range");
    this.empty = byId("empty");
    this.previous = /** @type {HTMLAnchorElement} */ (byId("previous"));
    this.next = /** @type {HTMLAnchorElement} */ (byId("next"));
    this.search = /** @type {HTMLInputElement} */ (byId("search"));
    this.filters = FILTERS.map(({state, count, word}) => {
      const number = html("b", {}, "–");
      return {state, count: /** @type {keyof import("./api.js").Counts} */ (count), number,
        node: html("a", {"data-filter": state || "all"}, word, " ", number)};
    });
    byId("filters").append(...this.filters.map(({node}) => html("li", {}, node)));
    const find = () => go({search: this.search.value.trim(), page: 0}, true);
    let typing = 0;
    this.search.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(find, TYPING);
    });
    byId("search-form").addEventListener("submit", event => {
      event.preventDefault();
      clearTimeout(typing);
      find();
    });
    this.moved();
  }

  /** Follows the address. */
  moved() {
    const {state, search, page} = place();
    for (const filter of this.filters) {
      filter.node.setAttribute("href", link({state: filter.state, page: 0, breaker: ""}));
      if (filter.state === state) {
        filter.node.setAttribute("aria-current", "true");
      } else {
        filter.node.removeAttribute("aria-current");
      }
    }
    if (document.activeElement !== this.search && this.search.value.trim() !== search) {
      this.search.value = search;
    }
    this.previous.setAttribute("href", link({page: page - 1}));
    this.next.setAttribute("href", link({page: page + 1}));
    this.rows.forEach(row => row.aim());
  }

  /** @param {Overview} answer */
  show(answer) {
    for (const {count, number} of this.filters) {
      setText(number, answer.counts[count].toLocaleString("en"));
    }
    this.arrange(answer.breakers);
    const first = answer.page * answer.size + 1;
    const last = first + answer.breakers.length - 1;
    const paged = answer.total > answer.breakers.length;
    setText(this.range, answer.breakers.length === 0 ? count(answer.total, "breaker")
      : paged ? `${first} to ${last} of ${count(answer.total, "breaker")}` : count(answer.total, "breaker"));
    this.previous.hidden = answer.page === 0;
    this.next.hidden = last >= answer.total || answer.breakers.length === 0;
    this.showEmpty(answer);
    // When one sees the list, for whoever measures.
    const mark = this.shown ? "list" : "first list";
    this.shown = true;
    performance.clearMarks(mark);
    performance.mark(mark);
  }

  /** @param {Breaker[]} breakers */
  arrange(breakers) {
    const focused = document.activeElement;
    const gone = new Set(this.rows.keys());
    let before = /** @type {Element | null} */ (this.list.firstElementChild);
    for (const breaker of breakers) {
      gone.delete(breaker.name);
      let row = this.rows.get(breaker.name);
      if (!row) {
        row = new Row(breaker.name);
        this.rows.set(breaker.name, row);
      }
      row.show(breaker);
      if (row.node === before) {
        before = before.nextElementSibling;
      } else {
        this.list.insertBefore(row.node, before);
      }
    }
    for (const name of gone) {
      this.rows.get(name)?.node.remove();
      this.rows.delete(name);
    }
    // An element that is moved loses the focus.
    if (focused instanceof HTMLElement && focused !== document.activeElement && this.list.contains(focused)) {
      focused.focus({preventScroll: true});
    }
  }

  /** @param {Overview} answer */
  showEmpty(answer) {
    const {search, state} = place();
    this.empty.hidden = answer.breakers.length > 0;
    if (answer.breakers.length > 0) {
      return;
    }
    const what = FILTERS.find(filter => filter.state === state)?.word.toLowerCase();
    const text = answer.counts.all === 0 && !search ? "This application has no breakers."
      : answer.total > 0 ? "There are not so many pages."
        : `No breaker${search ? ` with “${plain(search)}” in its name` : ""}${state ? ` is ${what}` : ""}${state || !search ? "" : " is here"}.`;
    const all = search || state || answer.page > 0;
    this.empty.replaceChildren(text, all ? " " : "", all ? html("a", {href: link({search: "", state: "", page: 0})}, "Show all") : "");
  }

  /**
   * Puts the focus on a breaker's row, if it is here.
   *
   * @param {string} name
   */
  focus(name) {
    (this.rows.get(name)?.link ?? byId("list-title")).focus();
  }
}
