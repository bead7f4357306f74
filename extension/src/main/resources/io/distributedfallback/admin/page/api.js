// The server's JSON, and what it means when something else comes.

const TIME_OUT = 10_000;
/** Servers refuse these in a path, encoded or not, so that nobody can be misled by them. */
const NO_PATH = /[/\\#%;]|^\.+$/;

/**
 * @typedef {{at: string, kind: string, text: string, instance: string}} Failure
 * @typedef {{mode: "FORCED_OPEN" | "FORCED_CLOSED", by: string, reason: string, leftMillis: number | null}} Override
 * @typedef {object} Breaker
 * @property {string} name
 * @property {"OPEN" | "CLOSED"} state
 * @property {"PRIMARY" | "FALLBACK"} route
 * @property {boolean} alone
 * @property {number} consecutiveFailures
 * @property {number | null} failureThreshold
 * @property {{calls: number, failures: number, leftMillis: number} | null} window
 * @property {string[]} failingInstances
 * @property {string | null} openedAt
 * @property {string | null} closedAt
 * @property {{passed: number, needed: number, nextProbeInMillis: number | null, leaseLeftMillis: number,
 *   rampUp: {percent: number, leftMillis: number, lengthMillis: number} | null}} recovery
 * @property {number} cooldownLeftMillis
 * @property {Override | null} override
 * @property {Failure | null} lastFailure
 * @property {string} why
 * @property {Record<string, string>} [policy] only of a breaker that was asked for alone
 *
 * @typedef {{all: number, open: number, closed: number, forced: number, cooling: number, counting: number}} Counts
 * @typedef {{ageMillis: number | null, push: string, storeUp: boolean,
 *   loss: {awayMillis: number, code: string, reason: string} | null}} Copy
 * @typedef {{instance: string, now: string, total: number, page: number, size: number, counts: Counts, copy: Copy,
 *   mayCommand: boolean, breakers: Breaker[]}} Overview
 *
 * @typedef {{action: string, reason: string, by: string, overrideBefore: string | null, overrideAfter: string | null,
 *   overrideUntil: string | null}} Command
 * @typedef {{consecutiveFailures: number, windowCalls: number, windowFailures: number, probesPassed: number,
 *   failingInstances: string[], lastFailures: Failure[], policy: string, rampUpPercent: number | null}} Evidence
 * @typedef {{id: number, breaker: string, at: string, from: string, to: string, cause: string, instance: string,
 *   evidence: Evidence, command: Command | null}} Entry
 * @typedef {{entries: Entry[], next: number | null}} HistoryPage
 *
 * @typedef {{breaker: string, action: string, reason: string, expirySeconds: number | null}} Order
 */

/**
 * @typedef {{breaker: string, method: string, declared: boolean, pending: number, dead: number, oldestStoredAt: string | null}} Queue
 * @typedef {{id: number, breaker: string, method: string, key: string | null, attempts: number, storedAt: string, storedBy: string,
 *   lastError: string | null}} StoredCall
 * @typedef {{action: string, breaker: string, method: string, call: number | null, reason: string}} QueueOrder
 */

/** The login has ended: the server asks for it again, or sends the page that does. */
export class LoginExpired extends Error {}

/** The server does not answer, or answers as only something before it would. */
export class NoAnswer extends Error {}

/** The server says no, and why. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {Response} response
 * @returns {Promise<any>} the JSON; null if it is none
 */
async function json(response) {
  if (!(response.headers.get("Content-Type") ?? "").includes("json")) {
    return null;
  }
  try {
    return await response.json();
  } catch (broken) {
    throw new NoAnswer("The answer of the server broke off.", {cause: broken});
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
async function ask(path, options = {}) {
  let response;
  try {
    // A redirect leads to a login page; it is not followed, so that the server does not take this for what was wanted.
    response = await fetch(path, {...options, redirect: "manual", cache: "no-store", signal: AbortSignal.timeout(TIME_OUT)});
  } catch (failure) {
    throw new NoAnswer("The server does not answer.", {cause: failure});
  }
  if (response.type === "opaqueredirect" || response.status === 401) {
    throw new LoginExpired("Your login has expired.");
  }
  const body = await json(response);
  if (response.ok) {
    if (body === null) {
      throw new LoginExpired("Your login has expired.");
    }
    return body;
  }
  const message = body?.error?.message;
  if (typeof message === "string") {
    throw new Refused(response.status, message);
  }
  if (response.status >= 500) {
    throw new NoAnswer(`The server answers with status ${response.status}.`);
  }
  throw new Refused(response.status, `The server refuses with status ${response.status}.`);
}

/**
 * A page of the breakers.
 *
 * @param {{state: string, search: string, page: number}} filter
 * @param {number} size how many
 * @returns {Promise<Overview>}
 */
export function breakers({state, search, page}, size) {
  const query = new URLSearchParams({page: String(page), size: String(size)});
  if (state) {
    query.set("state", state);
  }
  if (search) {
    query.set("search", search);
  }
  return ask(`api/breakers?${query}`);
}

/**
 * One breaker with its policy. One whose name no path can hold is taken from the list, and has none.
 *
 * @param {string} name
 * @returns {Promise<Breaker>}
 */
export async function breaker(name) {
  if (!NO_PATH.test(name)) {
    return ask(`api/breakers/${encodeURIComponent(name)}`);
  }
  const {breakers: found} = await breakers({state: "", search: name, page: 0}, 200);
  const same = found.find(each => each.name === name);
  if (!same) {
    throw new Refused(404, "There is no such breaker.");
  }
  return same;
}

/**
 * The newest entries of the history, or those older than one.
 *
 * @param {string} name of a breaker; empty for all
 * @param {number | null} before the id of that entry
 * @param {number} limit how many
 * @returns {Promise<HistoryPage>}
 */
export function history(name, before, limit) {
  const query = new URLSearchParams({limit: String(limit)});
  if (name) {
    query.set("breaker", name);
  }
  if (before !== null) {
    query.set("before", String(before));
  }
  return ask(`api/history?${query}`);
}

/**
 * The queues of a breaker.
 *
 * @param {string} breaker
 * @returns {Promise<{queues: Queue[]}>}
 */
export function queues(breaker) {
  return ask(`api/queues?${new URLSearchParams({breaker})}`);
}

/**
 * The newest calls of a breaker that were given up.
 *
 * @param {string} breaker
 * @param {number} limit how many
 * @returns {Promise<{calls: StoredCall[]}>}
 */
export function deadCalls(breaker, limit) {
  return ask(`api/queued-calls?${new URLSearchParams({breaker, state: "DEAD", limit: String(limit)})}`);
}

/**
 * Retries or discards stored calls.
 *
 * @param {QueueOrder} order
 * @returns {Promise<{calls: number}>}
 */
export function queueCommand(order) {
  return send("api/queue-commands", order);
}

/**
 * Gives a command. The header and the type are what no other site's form can send.
 *
 * @param {Order} order
 * @returns {Promise<Breaker>}
 */
export function command(order) {
  return send("api/commands", order);
}

/**
 * @param {string} path
 * @param {object} order
 * @returns {Promise<any>}
 */
function send(path, order) {
  return ask(path, {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-Distributed-Fallback": "command"},
    body: JSON.stringify(order),
  });
}
