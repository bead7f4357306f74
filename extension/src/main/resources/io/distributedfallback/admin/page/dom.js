// Building blocks. Text from the server goes into the page as text only, whatever it holds.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child what may stand in an element; nothing is left out */

/**
 * @param {Element} node
 * @param {Record<string, unknown>} attributes
 * @param {Child[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(name, /** @type {EventListener} */ (value));
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, String(value));
    }
  }
  for (const child of children) {
    if (child) {
      node.append(child);
    }
  }
}

/**
 * Makes an element of HTML. A function among the attributes listens to the event of that name.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

/**
 * Makes an element of SVG.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  fill(node, attributes, children);
  return node;
}

/**
 * The element of the page with an id.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) {
    throw new Error(`the page has no #${id}`);
  }
  return node;
}

/**
 * Changes a text only if it is another one: what has not changed is not announced, and a selection in it stays.
 *
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/**
 * A picture from the symbols in index.html. It says nothing that a word beside it does not say too.
 *
 * @param {string} name
 * @returns {SVGElement}
 */
export function icon(name) {
  return svg("svg", {class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false"},
    svg("use", {href: `#icon-${name}`}));
}

/**
 * A text from outside, kept from turning round what stands beside it.
 *
 * @param {string} text
 * @param {string} [style] its class
 */
export function foreign(text, style) {
  return html("bdi", {class: style}, text);
}

/**
 * The same for where there is no markup, as in titles and announcements: without the characters that turn text round.
 *
 * @param {string} text
 */
export function plain(text) {
  return text.replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "");
}

/**
 * @param {string} text
 * @param {number} most characters
 */
export function cut(text, most) {
  const characters = Array.from(text);
  return characters.length <= most ? text : characters.slice(0, most - 1).join("") + "…";
}
