// What is shown stands behind the # of the address, so that it can be kept, shared and gone back to.

/**
 * @typedef {object} Place
 * @property {string} state the filter; empty for all
 * @property {string} search a part of the name
 * @property {number} page from 0
 * @property {string} breaker the one shown in full; empty for none
 */

const STATES = new Set(["open", "forced", "cooling", "counting", "closed"]);

/** @returns {Place} where the address says that we are */
export function place() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const state = hash.get("state") ?? "";
  const page = Number(hash.get("page"));
  return {
    state: STATES.has(state) ? state : "",
    search: hash.get("search") ?? "",
    page: Number.isSafeInteger(page) && page > 0 ? page : 0,
    breaker: hash.get("breaker") ?? "",
  };
}

/**
 * The address of another place.
 *
 * @param {Partial<Place>} changes
 */
export function link(changes) {
  const next = {...place(), ...changes};
  const hash = new URLSearchParams();
  for (const [key, value] of Object.entries(next)) {
    if (value) {
      hash.set(key, String(value));
    }
  }
  return `#${hash}`;
}

/**
 * Goes there.
 *
 * @param {Partial<Place>} changes
 * @param {boolean} [quietly] without a step to go back to, as while typing
 */
export function go(changes, quietly = false) {
  const target = link(changes);
  if (quietly) {
    history.replaceState(null, "", target);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = target;
  }
}
