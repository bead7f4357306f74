// Short facts with a label each. What stays the same keeps its place on the page, so that nothing flickers or is read anew.

import {write} from "./clock.js";
import {foreign, html, setText} from "./dom.js";

/** @typedef {import("./clock.js").Reading} Reading */
/** @typedef {string | {at: number, reading: Reading, length?: number}} Part a text, or a moment that counts by itself */
/** @typedef {{label: string, parts: Part[]}} Fact */

/**
 * A fact, or nothing if a part of it is not known.
 *
 * @param {string} label
 * @param {...(Part | null)} parts
 * @returns {Fact[]}
 */
export function fact(label, ...parts) {
  return parts.every(part => part !== null) ? [{label, parts: /** @type {Part[]} */ (parts)}] : [];
}

/** A description list that shows facts. */
export class Facts {
  /** @param {string} style the class of the list */
  constructor(style) {
    this.node = html("dl", {class: `facts ${style}`});
    this.outline = "";
  }

  /** @param {Fact[]} facts */
  show(facts) {
    const outline = JSON.stringify(facts.map(({label, parts}) => [label, parts.map(part => typeof part === "string")]));
    if (outline !== this.outline) {
      this.outline = outline;
      this.node.replaceChildren(...facts.map(({label, parts}) => html("div", {},
        html("dt", {}, label),
        html("dd", {}, ...parts.map(part => typeof part === "string" ? foreign(part) : html("time"))))));
      this.node.hidden = facts.length === 0;
    }
    facts.forEach(({parts}, row) => {
      const values = this.node.children[row].children[1].children;
      parts.forEach((part, i) => {
        if (typeof part === "string") {
          setText(values[i], part);
        } else {
          write(/** @type {HTMLTimeElement} */ (values[i]), part.at, part.reading, part.length);
        }
      });
    });
  }
}
