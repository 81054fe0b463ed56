// Elements, cells and formulas.

import { symbols } from './symbols.js';

/**
 * An element with attributes and children; a child that is null is left out.
 *
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string | null)} children
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** What stands in the place of a value that the chosen party does not know. */
export const UNKNOWN = 'unknown';

/**
 * An element that shows one value. The checks find it by its name and compare what it says.
 *
 * @param {string} tag
 * @param {string} name
 * @param {string} value
 * @param {Record<string, string>} [attributes]
 */
export function cell(tag, name, value, attributes = {}) {
  const element = el(tag, { ...attributes, 'data-cell': name }, value);
  if (value === UNKNOWN) element.classList.add('unknown');
  return element;
}

/** A cell that shows only the last digits of a value; the whole is in `data-value`. */
export function shortCell(tag, name, value, digits) {
  return el(tag, { 'data-cell': name, 'data-value': value }, `…${value.slice(-digits)}`);
}

/** A formula in the paper's symbols, as the specification's documentation writes it: `i*_0 - ri_0`. */
export function formula(text) {
  const nodes = symbols(text).flatMap((symbol) => (typeof symbol === 'string' ? [symbol] : [
    symbol.variable ? el('i', {}, symbol.base) : symbol.base,
    ...(symbol.above === '*' ? [el('sup', {}, '*')] : []),
    ...(symbol.below === '' ? [] : [el('sub', {}, symbol.below)]),
    ...(symbol.above.startsWith('(') ? [el('sup', {}, symbol.above)] : []),
  ]));
  return el('span', { class: 'formula' }, ...nodes);
}

/** A text with formulas between backticks. */
export function prose(text) {
  return text.split('`').map((part, place) => (place % 2 === 1 ? formula(part) : part));
}

/**
 * A table with a caption and headers of columns.
 *
 * @param {string | Node} caption
 * @param {(string | Node)[]} columns
 * @param {HTMLTableRowElement[]} rows
 * @param {Record<string, string>} [attributes]
 */
export function table(caption, columns, rows, attributes = {}) {
  const header = columns.length === 0 ? null
    : el('thead', {}, el('tr', {}, ...columns.map((column) => (column ? el('th', { scope: 'col' }, column) : el('td')))));
  return el('table', attributes, el('caption', {}, caption), header, el('tbody', {}, ...rows));
}

/** A box that scrolls by itself if what is in it is too wide, also by the keyboard. */
export function scrolling(label, ...children) {
  return el('div', { class: 'scrolling', tabindex: '0', role: 'group', 'aria-label': label }, ...children);
}
