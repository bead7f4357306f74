// From the entries of the history to stretches of time.

import {duration} from "./clock.js";
import {count} from "./words.js";

/** @typedef {import("./api.js").Entry} Entry */
/**
 * @typedef {{from: number, to: number, kind: string, began: number}} Band a stretch in one state, or under one override, as
 *   far as it lies in the span; it may have begun earlier
 */
/** @typedef {{at: number, entry: Entry}} Mark an operator's command */
/** @typedef {{name: string, states: Band[], overrides: Band[], marks: Mark[]}} Lane what is known of one breaker */

/**
 * The lane of one breaker in a span of time.
 *
 * 1. The state between two entries is the one in which the first of them ended. The history has no gaps.
 * 2. Before the oldest entry it is the one that this entry started from; if there are older ones that are not loaded, it is
 *    not known.
 * 3. An override lasts from its command to its expiry or to the next command, whichever comes first.
 *
 * @param {string} name
 * @param {Entry[]} entries of this breaker, the oldest first
 * @param {boolean} complete whether there are no older ones
 * @param {{from: number, to: number}} span
 * @returns {Lane}
 */
export function lane(name, entries, complete, span) {
  const first = entries[0];
  const states = /** @type {Band[]} */ ([]);
  const before = !first ? "closed" : complete ? first.from.toLowerCase() : "unknown";
  add(states, before, -Infinity, first ? Date.parse(first.at) : Infinity, span);
  entries.forEach((entry, i) => {
    const end = i + 1 < entries.length ? Date.parse(entries[i + 1].at) : Infinity;
    add(states, entry.to.toLowerCase(), Date.parse(entry.at), end, span);
  });
  const marks = entries.filter(entry => entry.command !== null)
    .map(entry => ({at: Date.parse(entry.at), entry}))
    .filter(({at}) => at >= span.from && at <= span.to);
  return {name, states, overrides: overrides(entries, complete, span), marks};
}

/**
 * @param {Entry[]} entries
 * @param {boolean} complete
 * @param {{from: number, to: number}} span
 */
function overrides(entries, complete, span) {
  const bands = /** @type {Band[]} */ ([]);
  const commands = entries.filter(entry => entry.command !== null);
  const oldest = commands[0];
  if (oldest?.command?.overrideBefore && complete) {
    add(bands, oldest.command.overrideBefore.toLowerCase(), -Infinity, Date.parse(oldest.at), span);
  }
  commands.forEach(({at, command}, i) => {
    const next = i + 1 < commands.length ? Date.parse(commands[i + 1].at) : Infinity;
    const until = command?.overrideUntil ? Date.parse(command.overrideUntil) : Infinity;
    if (command?.overrideAfter) {
      add(bands, command.overrideAfter.toLowerCase(), Date.parse(at), Math.min(next, until), span);
    }
  });
  return bands;
}

/**
 * Adds what lies in the span; what touches a band of its kind becomes part of it.
 *
 * @param {Band[]} bands
 * @param {string} kind
 * @param {number} from
 * @param {number} to
 * @param {{from: number, to: number}} span
 */
function add(bands, kind, from, to, span) {
  const start = Math.max(from, span.from);
  const end = Math.min(to, span.to);
  const last = bands.at(-1);
  if (end < start || (end === start && from < span.from)) {
    return;
  }
  if (last && last.kind === kind && last.to === start) {
    last.to = end;
  } else {
    bands.push({kind, from: start, to: end, began: from});
  }
}

/**
 * What the picture of a lane shows, in words.
 *
 * @param {Lane} lane
 */
export function describe({states, overrides, marks}) {
  const parts = [];
  const open = states.filter(({kind}) => kind === "open");
  if (open.length > 0) {
    parts.push(`open ${times(open.length)}, ${duration(total(open))} in all`);
  }
  for (const [kind, words] of [["forced_open", "forced open"], ["forced_closed", "forced closed"]]) {
    const forced = overrides.filter(band => band.kind === kind);
    if (forced.length > 0) {
      parts.push(`${words} ${times(forced.length)}, ${duration(total(forced))} in all`);
    }
  }
  if (marks.length > 0) {
    parts.push(count(marks.length, "command"));
  }
  return parts.length > 0 ? parts.join("; ") : states.some(({kind}) => kind === "unknown") ? "nothing loaded" : "closed all the time";
}

/** @param {number} number */
function times(number) {
  return number === 1 ? "once" : `${number} times`;
}

/** @param {Band[]} bands */
function total(bands) {
  return bands.reduce((sum, {from, to}) => sum + to - from, 0);
}
