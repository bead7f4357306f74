// What is worth knowing of a breaker now: briefly for the list, in full for its own view.

import {now} from "./clock.js";
import {fact} from "./facts.js";
import {KINDS, count, mode} from "./words.js";

/** @typedef {import("./api.js").Breaker} Breaker */
/** @typedef {import("./facts.js").Fact} Fact */
/** @typedef {import("./facts.js").Part} Part */

/**
 * @param {string | null} iso
 * @param {import("./clock.js").Reading} reading
 * @returns {Part | null}
 */
function moment(iso, reading) {
  return iso === null ? null : {at: Date.parse(iso), reading};
}

/**
 * @param {number | null} millis from now
 * @returns {Part | null}
 */
function left(millis) {
  return millis === null ? null : {at: now() + millis, reading: "left"};
}

/**
 * @param {string[]} instances
 * @param {number} most
 */
function some(instances, most) {
  const rest = instances.length - most;
  return instances.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** @param {Breaker} breaker */
function nextProbe(breaker) {
  const {nextProbeInMillis, leaseLeftMillis} = breaker.recovery;
  if (breaker.state !== "OPEN") {
    return [];
  }
  if (leaseLeftMillis > 0) {
    return fact("probe", "under way");
  }
  return nextProbeInMillis === 0 ? fact("next probe", "due, at the next call") : fact("next probe", "in ", left(nextProbeInMillis));
}

/** @param {Breaker} breaker */
function progress({state, recovery: {passed, needed}}) {
  return state === "OPEN" ? fact("probes passed", `${passed} of ${needed}`) : [];
}

/**
 * The share counts by itself, as what is left does.
 *
 * @param {Breaker} breaker
 */
function rampUp({recovery: {rampUp: ramp}}) {
  return ramp === null ? []
    : fact("to the primary", {at: now() + ramp.leftMillis, reading: "share", length: ramp.lengthMillis}, " of the calls, all in ", left(ramp.leftMillis));
}

/** @param {Breaker} breaker */
function override(breaker) {
  const {override} = breaker;
  if (override === null) {
    return [];
  }
  return override.leftMillis === null ? fact(mode(override.mode), `by ${override.by}, until cleared`)
    : fact(mode(override.mode), `by ${override.by}, for `, left(override.leftMillis), " more");
}

/** @param {Breaker} breaker */
function counted(breaker) {
  const {consecutiveFailures: failures, failureThreshold: threshold, window} = breaker;
  return [
    ...failures > 0 && breaker.state === "CLOSED"
      ? fact("in a row", threshold === null ? count(failures, "failure") : `${failures} of ${count(threshold, "failure")}`) : [],
    ...window ? fact("in the window", `${window.failures} of ${count(window.calls, "call")} failed`) : [],
  ];
}

/**
 * For the list.
 *
 * @param {Breaker} breaker
 * @returns {Fact[]}
 */
export function brief(breaker) {
  return [
    ...breaker.state === "OPEN" ? fact("open for", moment(breaker.openedAt, "since")) : [],
    ...progress(breaker),
    ...nextProbe(breaker),
    ...breaker.cooldownLeftMillis > 0 ? fact("cooldown", left(breaker.cooldownLeftMillis), " left") : [],
    ...rampUp(breaker),
    ...override(breaker),
    ...breaker.override ? fact("reason", `“${breaker.override.reason}”`) : [],
    ...breaker.failingInstances.length > 0 ? fact("failed on", some(breaker.failingInstances, 3)) : [],
  ];
}

/**
 * For a breaker's own view.
 *
 * @param {Breaker} breaker
 * @returns {Fact[]}
 */
export function full(breaker) {
  const open = breaker.state === "OPEN";
  return [
    ...fact("calls go to", breaker.route === "FALLBACK" ? "the fallback"
      : breaker.recovery.rampUp && !breaker.override ? "the primary and the fallback" : "the primary"),
    ...breaker.override ? fact("state below", open ? "open" : "closed") : [],
    ...override(breaker),
    ...breaker.override ? fact("reason", breaker.override.reason) : [],
    ...open ? fact("open since", moment(breaker.openedAt, "moment"), ", for ", moment(breaker.openedAt, "since"))
      : fact("closed since", moment(breaker.closedAt, "moment"), ", for ", moment(breaker.closedAt, "since")),
    ...progress(breaker),
    ...nextProbe(breaker),
    ...breaker.cooldownLeftMillis > 0 ? fact("cooldown", left(breaker.cooldownLeftMillis), " left") : [],
    ...rampUp(breaker),
    ...counted(breaker),
    ...breaker.window ? fact("window ends", "in ", left(breaker.window.leftMillis)) : [],
    ...breaker.alone ? fact("alone", "this instance keeps away on its own evidence") : [],
    ...breaker.failingInstances.length > 0 ? fact("failed on", some(breaker.failingInstances, 20)) : [],
  ];
}

/**
 * The last failure, for a line of its own.
 *
 * @param {import("./api.js").Failure} failure
 * @returns {{kind: string, text: string, instance: string, at: number}}
 */
export function lastFailure(failure) {
  return {
    kind: KINDS[failure.kind] ?? failure.kind,
    text: failure.text,
    instance: failure.instance,
    at: Date.parse(failure.at),
  };
}
