// The server's time, and how it is written. The browser's own clock may be wrong; it is used for nothing.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let anchor = {server: Date.now(), local: performance.now()};

const time = new Intl.DateTimeFormat("en-GB", {hour: "2-digit", minute: "2-digit", second: "2-digit"});
const shortTime = new Intl.DateTimeFormat("en-GB", {hour: "2-digit", minute: "2-digit"});
const day = new Intl.DateTimeFormat("en-GB", {day: "numeric", month: "short"});
const dayOfYear = new Intl.DateTimeFormat("en-GB", {day: "numeric", month: "short", year: "numeric"});

/**
 * Takes the server's time from an answer.
 *
 * @param {string} iso
 */
export function learn(iso) {
  const server = Date.parse(iso);
  if (!Number.isNaN(server)) {
    anchor = {server, local: performance.now()};
  }
}

/** The server's time now, in milliseconds. */
export function now() {
  return anchor.server + performance.now() - anchor.local;
}

/**
 * A duration in words, as exact as one wants to read it.
 *
 * @param {number} millis
 */
export function duration(millis) {
  const seconds = Math.max(0, Math.round(millis / SECOND));
  const [s, m, h, d] = [seconds % 60, Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 86400)];
  if (d > 0) {
    return h > 0 ? `${d} d ${h} h` : `${d} d`;
  }
  if (h > 0) {
    return m > 0 ? `${h} h ${m} min` : `${h} h`;
  }
  if (m >= 10 || (m > 0 && s === 0)) {
    return `${m} min`;
  }
  return m > 0 ? `${m} min ${s} s` : `${s} s`;
}

/**
 * A duration as one says it: "1 hour", "90 minutes".
 *
 * @param {number} minutes
 */
export function spoken(minutes) {
  const [count, unit] = minutes % 1440 === 0 ? [minutes / 1440, "day"]
    : minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/**
 * A moment in the browser's zone, with the day if it is another one.
 *
 * @param {number} millis
 * @param {boolean} [exact] to the second
 */
export function clockTime(millis, exact = true) {
  const moment = new Date(millis);
  const text = (exact ? time : shortTime).format(moment);
  const today = new Date(now());
  if (dayOfYear.format(moment) === dayOfYear.format(today)) {
    return text;
  }
  const date = moment.getFullYear() === today.getFullYear() ? day : dayOfYear;
  return `${date.format(moment)}, ${text}`;
}

/**
 * The same moment in UTC, for a title.
 *
 * @param {number} millis
 */
export function utc(millis) {
  return new Date(millis).toISOString().replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
}

/**
 * @typedef {"moment" | "since" | "left" | "share"} Reading how a moment is written: as such, by what has passed, by what is
 *   left, by the share of a length that has passed when that length ends at the moment
 */

/**
 * Writes a moment into an element; the ticking keeps it up to date.
 *
 * @param {HTMLTimeElement} element
 * @param {number} millis
 * @param {Reading} reading
 * @param {number} [length] in milliseconds, for a share
 */
export function write(element, millis, reading, length = 0) {
  element.dateTime = new Date(millis).toISOString();
  element.dataset.reading = reading;
  element.dataset.at = String(millis);
  element.dataset.length = String(length);
  element.title = reading === "moment" ? utc(millis) : `${clockTime(millis)} (${utc(millis)})`;
  tell(element);
}

/** @param {HTMLElement} element */
function tell(element) {
  const at = Number(element.dataset.at);
  const text = element.dataset.reading === "moment" ? clockTime(at)
    : element.dataset.reading === "since" ? duration(now() - at)
      : element.dataset.reading === "share" ? share(at, Number(element.dataset.length))
        : duration(at - now());
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * @param {number} end
 * @param {number} length
 */
function share(end, length) {
  const passed = length > 0 ? 1 - (end - now()) / length : 1;
  return `${Math.floor(100 * Math.min(1, Math.max(0, passed)))} %`;
}

/** Lets all durations of the page count by themselves; a hidden page counts nothing. */
export function tick() {
  setInterval(() => {
    if (!document.hidden) {
      document.querySelectorAll("time[data-reading]").forEach(element => tell(/** @type {HTMLElement} */ (element)));
    }
  }, SECOND);
}

/** Lengths of time in milliseconds. */
export const UNITS = {SECOND, MINUTE, HOUR, DAY};

/**
 * What stands below a tick of an axis.
 *
 * @param {number} millis
 * @param {boolean} days whether a tick is a day
 */
export function tickLabel(millis, days) {
  const moment = new Date(millis);
  const midnight = moment.getHours() === 0 && moment.getMinutes() === 0;
  return (days || midnight ? day : shortTime).format(moment);
}

/**
 * How far the browser's zone is ahead of UTC at a moment.
 *
 * @param {number} millis
 */
export function zoneOffset(millis) {
  return -new Date(millis).getTimezoneOffset() * MINUTE;
}
