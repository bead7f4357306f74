// What a breaker's state, its changes and its commands are called here.

import {plain} from "./dom.js";

/** @typedef {import("./api.js").Breaker} Breaker */
/** @typedef {import("./api.js").Entry} Entry */

/** @typedef {{kind: string, word: string}} Look the kind gives shape and colour; the word says it */

/**
 * What a breaker is, at a glance.
 *
 * @param {Breaker} breaker
 * @returns {Look}
 */
export function look(breaker) {
  if (breaker.override) {
    return breaker.override.mode === "FORCED_OPEN" ? {kind: "forced-open", word: "Forced open"}
      : {kind: "forced-closed", word: "Forced closed"};
  }
  if (breaker.state === "OPEN") {
    return {kind: "open", word: "Open"};
  }
  if (breaker.alone) {
    return {kind: "alone", word: "Away alone"};
  }
  if (breaker.cooldownLeftMillis > 0) {
    return {kind: "cooling", word: "Cooling down"};
  }
  if (breaker.recovery.rampUp) {
    return {kind: "ramping", word: "Ramping up"};
  }
  if (breaker.consecutiveFailures > 0 || breaker.window) {
    return {kind: "counting", word: "Counting"};
  }
  return {kind: "closed", word: "Closed"};
}

/**
 * What calls do and why. The server's own sentence is for one moment: it counts in seconds and tells the time in UTC, and is
 * soon at odds with the durations that count here. This one holds until something changes.
 *
 * @param {Breaker} breaker
 */
export function story(breaker) {
  const way = `Calls go to the ${breaker.route === "FALLBACK" ? "fallback" : "primary"}: `;
  const {override, cooldownLeftMillis: pause} = breaker;
  if (override) {
    const below = breaker.state === "OPEN" ? (override.mode === "FORCED_CLOSED" ? ", though it is open" : ", and it is open too") : "";
    return `${way}${isolated(override.by)} forced it ${override.mode === "FORCED_OPEN" ? "open" : "closed"}${below}.`;
  }
  if (breaker.state === "OPEN") {
    return `${way}${evidence(breaker)} opened it${pause > 0 ? ", and the provider asked for a pause" : ""}.`;
  }
  if (breaker.alone) {
    return "Calls of this instance go to the fallback: the provider fails here, and on too few others to open it for all.";
  }
  if (pause > 0) {
    return `${way}the provider asked for a pause.`;
  }
  if (breaker.recovery.rampUp) {
    const failed = breaker.consecutiveFailures > 0 || breaker.window ? ` ${evidence(breaker)}, which is not enough to open it.` : "";
    return `A growing share of the calls goes to the primary, and the rest to the fallback: it has just closed.${failed}`;
  }
  return way + (breaker.consecutiveFailures > 0 || breaker.window ? `${evidence(breaker)}, which is not enough to open it.` : "nothing has failed.");
}

/** @param {Breaker} breaker */
function evidence({consecutiveFailures: failures, failureThreshold: threshold, window, state}) {
  const few = threshold !== null && failures < threshold;
  if (window && window.calls > 0 && (few || failures === 0)) {
    return `${window.failures} of ${count(window.calls, "call")} failed${state === "OPEN" ? ", which" : ""}`;
  }
  return failures === 0 ? "what was seen" : state === "CLOSED" && few ? `${failures} of ${count(threshold, "failure")} in a row`
    : `${count(failures, "failure")} in a row`;
}

/** @param {string} text of somebody, so that it turns round nothing but itself */
function isolated(text) {
  return `\u2068${plain(text)}\u2069`;
}

/** The filters, in the order in which they are shown. */
export const FILTERS = [
  {state: "", count: "all", word: "All"},
  {state: "open", count: "open", word: "Open"},
  {state: "forced", count: "forced", word: "Forced"},
  {state: "cooling", count: "cooling", word: "Cooling"},
  {state: "counting", count: "counting", word: "Counting"},
  {state: "closed", count: "closed", word: "Closed"},
];

/** @type {Record<string, string>} */
export const KINDS = {
  OUTAGE: "outage",
  SLOW: "too slow",
  THROTTLED: "throttled",
  MISCONFIGURED: "refused us",
  CALLER_ERROR: "caller’s mistake",
  LOCAL: "our own trouble",
  CANCELLED: "cancelled",
};

/** @type {Record<string, string>} */
const ACTIONS = {
  FORCE_OPEN: "forced open",
  FORCE_CLOSED: "forced closed",
  CLEAR_OVERRIDE: "override cleared",
  RESET: "reset",
};

/** @type {Record<string, string>} */
const MODES = {FORCED_OPEN: "forced open", FORCED_CLOSED: "forced closed"};

/** @param {string | null} mode */
export function mode(mode) {
  return mode === null ? "no override" : MODES[mode] ?? mode;
}

/**
 * What happened, in two or three words.
 *
 * @param {Entry} entry
 */
export function happening(entry) {
  if (entry.command) {
    return ACTIONS[entry.command.action] ?? entry.command.action;
  }
  return entry.to === "OPEN" ? "opened" : "closed";
}

/**
 * The shape of an entry in lists and pictures.
 *
 * @param {Entry} entry
 */
export function shape(entry) {
  if (entry.command?.action === "FORCE_OPEN") {
    return "forced-open";
  }
  if (entry.command?.action === "FORCE_CLOSED") {
    return "forced-closed";
  }
  return entry.command ? "command" : entry.to === "OPEN" ? "open" : "closed";
}

/**
 * Why it happened, from the evidence.
 *
 * @param {Entry} entry
 */
export function because(entry) {
  const evidence = entry.evidence;
  switch (entry.cause) {
    case "FAILURES":
      return `${count(evidence.consecutiveFailures, "failure")} in a row`;
    case "FAILURE_RATIO":
      return `${evidence.windowFailures} of ${count(evidence.windowCalls, "call")} in the window failed`;
    case "PROBES":
      return evidence.probesPassed > 0 ? `${count(evidence.probesPassed, "probe")} passed in a row` : "the probes passed";
    case "RAMP_UP":
      return `a call failed while the primary got ${evidence.rampUpPercent ?? 0} % of them`;
    default:
      return "";
  }
}

/**
 * @param {number} number
 * @param {string} noun
 */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * A breaker's state in one sentence, for those who hear the page.
 *
 * @param {Breaker} breaker
 */
export function sentence(breaker) {
  return `${plain(breaker.name)}: ${look(breaker).word.toLowerCase()}.`;
}
