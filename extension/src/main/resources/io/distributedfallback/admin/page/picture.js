// The timeline as a picture. States differ by height and pattern, not by colour alone; the list below it says the same.

import {UNITS, clockTime, duration, tickLabel, zoneOffset} from "./clock.js";
import {cut, plain, svg} from "./dom.js";
import {describe} from "./timeline.js";
import {happening} from "./words.js";

/** @typedef {import("./timeline.js").Lane} Lane */
/** @typedef {import("./timeline.js").Band} Band */

const {MINUTE, HOUR, DAY} = UNITS;
const STEPS = [5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY];
const TICK = 76;
const GUTTER = 132;
const NARROW = 460;
const BAND = 18;
const STRIP = 7;
const AXIS = 22;
const SHORTEST = 2;
const CHARACTER = 6.4;

let drawn = 0;

/**
 * Draws lanes one below the other.
 *
 * @param {Lane[]} lanes
 * @param {{from: number, to: number}} span
 * @param {number} width in pixels, so that the letters are as large as elsewhere
 * @param {{named: boolean, title: string, pick?: (name: string) => void}} options whether the lanes have names, what the
 *     picture is called, and what a click on a lane does; by keyboard the list below does the same
 */
export function picture(lanes, span, width, {named, title, pick}) {
  const id = `picture-${++drawn}`;
  const above = named && width < NARROW ? 17 : 0;
  const left = named && above === 0 ? GUTTER : 1;
  const right = width - 1;
  const x = (/** @type {number} */ at) => left + (at - span.from) / (span.to - span.from) * (right - left);
  const step = 9 + above + BAND + (lanes.some(lane => lane.overrides.length > 0) ? STRIP + 3 : 0) + (named ? 0 : 6);
  const bottom = lanes.length * step + 6;
  const node = svg("svg", {
    class: "timeline", role: "img", "aria-labelledby": `${id}-title ${id}-text`,
    viewBox: `0 0 ${width} ${bottom + AXIS}`, width, height: bottom + AXIS,
  },
  svg("title", {id: `${id}-title`}, title),
  svg("desc", {id: `${id}-text`}, lanes.map(lane => `${named ? `${plain(lane.name)}: ` : ""}${describe(lane)}.`).join(" ")),
  hatch(id), axis(span, x, bottom, (right - left) / TICK));
  lanes.forEach((lane, i) => {
    const top = i * step + 6;
    const group = svg("g", {class: pick ? "lane pick" : "lane", click: pick && (() => pick(lane.name))});
    if (named) {
      group.append(svg("rect", {class: "ground", x: 0, y: top - 4, width, height: step}), label(lane.name, above, top));
    }
    draw(group, lane, {x, top: top + above, id});
    node.append(group);
  });
  return node;
}

/** @param {string} id */
function hatch(id) {
  return svg("defs", {}, svg("pattern",
    {id: `${id}-hatch`, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)"},
    svg("rect", {class: "hatch-ground", width: 5, height: 5}), svg("rect", {class: "hatch", width: 2.4, height: 5})));
}

/**
 * @param {string} name
 * @param {number} above the height that it has above the band; 0 if it stands beside it
 * @param {number} top
 */
function label(name, above, top) {
  return svg("text", {class: "label", x: 1, y: top + (above > 0 ? 10 : BAND / 2 + 4)}, cut(plain(name), above > 0 ? 40 : 18),
    svg("title", {}, name));
}

/**
 * @param {SVGElement} group
 * @param {Lane} lane
 * @param {{x: (at: number) => number, top: number, id: string}} where
 */
function draw(group, lane, {x, top, id}) {
  const middle = top + BAND / 2;
  for (const band of lane.states) {
    const [from, wide] = reach(band, x);
    if (band.kind === "open") {
      group.append(svg("rect", {class: "open", x: from, y: top, width: wide, height: BAND, rx: 2}, title("open", band)));
      const text = lasted(band);
      if (wide > text.length * CHARACTER + 12) {
        group.append(svg("text", {class: "inside", x: from + wide / 2, y: middle + 4}, text));
      }
    } else {
      group.append(svg("line", {class: band.kind, x1: from, x2: from + wide, y1: middle, y2: middle}, title(band.kind, band)));
    }
  }
  for (const band of lane.overrides) {
    const [from, wide] = reach(band, x);
    const open = band.kind === "forced_open";
    group.append(svg("rect", {
      class: open ? "forced-open" : "forced-closed", fill: open ? `url(#${id}-hatch)` : null,
      x: from, y: top + BAND + 2, width: wide, height: STRIP, rx: 2,
    }, title(open ? "forced open" : "forced closed", band)));
  }
  for (const {at, entry} of lane.marks) {
    group.append(svg("path", {class: "mark", d: `M${x(at)} ${top - 4}l4.5 5-4.5 5-4.5-5z`},
      svg("title", {}, `${happening(entry)} by ${plain(entry.command?.by ?? "")}, ${clockTime(at)}`)),
    svg("line", {class: "mark", x1: x(at), x2: x(at), y1: top + 5, y2: top + BAND + STRIP + 2}));
  }
}

/**
 * @param {Band} band
 * @param {(at: number) => number} x
 * @returns {[number, number]} where it starts, and how wide it is: never too small to be seen
 */
function reach({from, to}, x) {
  return [x(from), Math.max(SHORTEST, x(to) - x(from))];
}

/**
 * @param {string} word
 * @param {Band} band
 */
function title(word, {from, to, began}) {
  return svg("title", {}, `${word}, ${Number.isFinite(began) ? `${clockTime(began)} to ` : "until "}${clockTime(to)}, ${lasted({from, to, began})}`);
}

/** @param {{from: number, to: number, began: number}} band */
function lasted({from, to, began}) {
  return Number.isFinite(began) ? duration(to - began) : `over ${duration(to - from)}`;
}

/**
 * @param {{from: number, to: number}} span
 * @param {(at: number) => number} x
 * @param {number} bottom
 * @param {number} most ticks
 */
function axis({from, to}, x, bottom, most) {
  const step = STEPS.find(step => (to - from) / step <= most) ?? 7 * DAY;
  const offset = zoneOffset(to);
  const node = svg("g", {class: "axis"}, svg("line", {x1: x(from), x2: x(to), y1: bottom, y2: bottom}));
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step) {
    const end = x(to) - x(at) < TICK / 4 ? "end" : x(at) - x(from) < TICK / 4 ? "start" : "middle";
    node.append(svg("line", {x1: x(at), x2: x(at), y1: 0, y2: bottom + 4}),
      svg("text", {x: x(at), y: bottom + 16, "text-anchor": end}, tickLabel(at, step >= DAY)));
  }
  return node;
}
