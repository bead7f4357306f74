// The calls of a breaker that wait, and those that were given up.

import * as api from "./api.js";
import {write} from "./clock.js";
import {foreign, html, setText} from "./dom.js";
import {QueueDialog} from "./order.js";

/** @typedef {import("./api.js").Queue} Queue */
/** @typedef {import("./api.js").StoredCall} StoredCall */

const MOST = 50;

/** The queues of one breaker. Hidden if it has none. */
export class Queues {
  /** @param {string} breaker */
  constructor(breaker) {
    this.breaker = breaker;
    this.may = false;
    this.shown = "";
    this.dialog = new QueueDialog(done => {
      setText(this.status, done);
      this.refresh();
    });
    this.problem = html("p", {class: "problem", hidden: true});
    this.status = html("p", {class: "quiet", role: "status"});
    this.list = html("ul", {class: "queues", role: "list"});
    this.node = html("section", {class: "queue", "aria-label": "Queue", hidden: true},
      html("h3", {}, "Queue"), this.problem, this.list, this.status, this.dialog.node);
  }

  /** @param {boolean} may whether commands are offered */
  permit(may) {
    if (this.may !== may) {
      this.may = may;
      this.shown = "";
    }
  }

  /** Loads and shows them. What goes wrong here is said here: the breaker above is shown all the same. */
  async refresh() {
    try {
      const {queues} = await api.queues(this.breaker);
      const dead = queues.some(each => each.dead > 0) ? (await api.deadCalls(this.breaker, MOST)).calls : [];
      this.show(queues, dead);
      this.problem.hidden = true;
    } catch (failure) {
      if (!(failure instanceof api.Refused)) {
        throw failure;
      }
      this.problem.hidden = false;
      setText(this.problem, `The queue cannot be read now: ${failure.message}`);
    }
  }

  /**
   * @param {Queue[]} queues
   * @param {StoredCall[]} dead
   */
  show(queues, dead) {
    this.node.hidden = queues.length === 0;
    const text = JSON.stringify([queues, dead]);
    // What somebody is about to click on stays where it is while nothing has changed.
    if (this.shown !== text) {
      this.shown = text;
      this.list.replaceChildren(...queues.map(queue => this.item(queue, dead.filter(({method}) => method === queue.method))));
    }
  }

  /**
   * @param {Queue} queue
   * @param {StoredCall[]} dead
   */
  item(queue, dead) {
    const name = shortened(queue.method);
    const since = html("time");
    if (queue.oldestStoredAt) {
      write(since, Date.parse(queue.oldestStoredAt), "since");
    }
    return html("li", {},
      html("p", {}, html("b", {title: queue.method}, foreign(name))),
      html("p", {}, `${queue.pending} pending`, queue.oldestStoredAt && html("span", {class: "quiet"}, ", the oldest for ", since),
        `, ${queue.dead} dead`),
      !queue.declared && html("p", {class: "problem"}, "This application has no such method. The calls stay."),
      this.may && queue.dead > 1 && html("p", {class: "commands"},
        html("button", {type: "button", click: () => this.dialog.open("RETRY", queue, null)}, `Retry all ${queue.dead} dead calls…`)),
      dead.length > 0 && html("ul", {class: "dead-calls", role: "list"}, ...dead.map(call => this.call(queue, call))),
      dead.length < queue.dead && html("p", {class: "quiet"}, "Older ones are not shown."));
  }

  /**
   * @param {Queue} queue
   * @param {StoredCall} call
   */
  call(queue, call) {
    const stored = html("time");
    write(stored, Date.parse(call.storedAt), "since");
    return html("li", {},
      html("p", {}, `Call ${call.id}`, call.key !== null && html("span", {}, " of ", foreign(call.key)),
        html("span", {class: "quiet"}, `, ${call.attempts} attempts, stored `, stored, " ago by ", foreign(call.storedBy))),
      call.lastError !== null && html("p", {class: "failure"}, foreign(call.lastError)),
      this.may && html("p", {class: "commands"},
        html("button", {type: "button", "aria-label": `Retry call ${call.id}`, click: () => this.dialog.open("RETRY", queue, call.id)},
          "Retry…"),
        html("button", {type: "button", "aria-label": `Discard call ${call.id}`, click: () => this.dialog.open("DISCARD", queue, call.id)},
          "Discard…")));
  }
}

/**
 * Class and method without packages: the whole is in the title.
 *
 * @param {string} method
 */
function shortened(method) {
  return method.replace(/[\w$]+\.(?=[\w$])/g, "").replace("#", ".");
}
