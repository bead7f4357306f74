// The dashboard: puts its parts together.

import * as api from "./api.js";
import {go, link, place} from "./address.js";
import {Chronicle} from "./chronicle.js";
import {learn, tick} from "./clock.js";
import {CommandDialog} from "./command.js";
import {Connection} from "./connection.js";
import {Detail} from "./detail.js";
import {byId, setText} from "./dom.js";
import {BreakerList} from "./list.js";
import {Notices} from "./notices.js";
import {sentence} from "./words.js";

const SIZE = 50;

const list = new BreakerList();
const notices = new Notices(() => connection.wake());
const dialog = new CommandDialog(breaker => {
  notices.announce(`Done. ${sentence(breaker)}`);
  if (detail?.name === breaker.name) {
    detail.show({...detail.breaker, ...breaker});
  }
  connection.wake();
});
const recent = new Chronicle("", name => go({breaker: name}));
const connection = new Connection(refresh, status => notices.connection(status));
let detail = /** @type {Detail | null} */ (null);

/**
 * Loads what the place shows. What has been overtaken is not shown.
 *
 * @param {() => boolean} isLast
 */
async function refresh(isLast) {
  const answer = await api.breakers(place(), SIZE);
  learn(answer.now);
  if (!isLast()) {
    return true;
  }
  list.show(answer);
  notices.overview(answer);
  if (detail) {
    detail.permit(answer.mayCommand);
    return detail.refresh();
  }
  return recent.refresh();
}

/** Follows the address. */
function moved() {
  const {breaker} = place();
  const left = detail?.name;
  list.moved();
  if (left === (breaker || undefined)) {
    return;
  }
  detail = breaker ? new Detail(breaker, (action, of) => dialog.open(action, of)) : null;
  byId("one").replaceChildren(...detail ? [detail.node] : []);
  byId("one").hidden = detail === null;
  byId("recent").hidden = detail !== null;
  document.body.dataset.view = detail ? "one" : "all";
  if (detail) {
    detail.title.focus({preventScroll: innerWidth >= 1024});
  } else if (left) {
    list.focus(left);
  }
}

byId("chronicle").append(recent.node);
addEventListener("hashchange", () => {
  moved();
  connection.wake();
});
document.addEventListener("keydown", event => {
  if (event.key === "Escape" && detail && !event.defaultPrevented && document.querySelector("dialog[open]") === null) {
    location.hash = link({breaker: ""});
  }
});
moved();
setText(byId("connection-word"), "Connecting");
tick();
connection.start();
