// One entry of the history.

import {link} from "./address.js";
import {clockTime, write} from "./clock.js";
import {cut, foreign, html, icon} from "./dom.js";
import {KINDS, because, happening, mode, shape} from "./words.js";

/** @typedef {import("./api.js").Entry} Entry */
/** @typedef {import("./api.js").Failure} Failure */

/**
 * @param {string} iso
 * @returns {HTMLTimeElement}
 */
function moment(iso) {
  const node = html("time");
  write(node, Date.parse(iso), "moment");
  return node;
}

/** @param {string[]} names */
function listed(names) {
  return names.flatMap((name, i) => i === 0 ? [foreign(name)] : [", ", foreign(name)]);
}

/**
 * @param {Entry} entry
 * @param {boolean} named whether it says of which breaker
 */
export function item(entry, named) {
  const reason = because(entry);
  return html("li", {"data-kind": shape(entry)},
    html("span", {class: "shape"}, icon(shape(entry))),
    html("p", {class: "what"},
      named && html("a", {class: "name", href: link({breaker: entry.breaker})}, foreign(cut(entry.breaker, 80))), named && " ",
      html("b", {}, happening(entry)), reason && `: ${reason}`),
    html("p", {class: "when quiet"}, moment(entry.at), " on ", foreign(entry.instance)),
    entry.command && command(entry.command),
    !named && evidence(entry));
}

/** @param {import("./api.js").Command} given */
function command(given) {
  const replaced = given.overrideBefore !== null && given.overrideBefore !== given.overrideAfter;
  return html("p", {class: "command"}, foreign(given.by), ": “", foreign(given.reason), "”",
    html("span", {class: "quiet"},
      given.overrideAfter !== null && (given.overrideUntil === null ? " Until cleared." : ` Until ${clockTime(Date.parse(given.overrideUntil))}.`),
      replaced && ` Before: ${mode(given.overrideBefore)}.`));
}

/** @param {Entry} entry */
function evidence({evidence, cause}) {
  const failures = evidence.lastFailures;
  const policy = evidence.policy.trim();
  const opened = cause === "FAILURES" || cause === "FAILURE_RATIO";
  if (!opened && policy === "") {
    return null;
  }
  return html("div", {class: "evidence"},
    opened && evidence.failingInstances.length > 0 && html("p", {class: "quiet"}, "Failed on ", ...listed(evidence.failingInstances)),
    opened && failures.length > 0 && html("ul", {role: "list"}, ...failures.map(failure)),
    policy !== "" && html("details", {}, html("summary", {}, "Policy in force"), html("p", {class: "code"}, foreign(policy))));
}

/** @param {Failure} failure */
function failure({at, kind, text, instance}) {
  return html("li", {}, html("b", {}, KINDS[kind] ?? kind), " ", foreign(text),
    html("span", {class: "quiet"}, " on ", foreign(instance), ", ", moment(at)));
}
