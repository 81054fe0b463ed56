// One party's tree: nodes at their places, lines between them, and how a step moves.

import { cell, el, shortCell } from './dom.js';

/** Height of a row, and of a node in it, in pixels. */
const ROW = 50;
const NODE = 36;

/** How much of a node there is room for, by the width of its place: digits, flag and sign; flag and sign; a shape alone. */
function detail(width) {
  if (width >= 41) return 'full';
  return width >= 10 ? 'slim' : 'bare';
}

/**
 * What is drawn of a node.
 *
 * @typedef {object} Node
 * @property {string} label
 * @property {string} flag empty before correction
 * @property {'equal' | 'different' | 'own'} look
 * @property {'equal' | 'different' | 'own' | null} before the look that it has had, if the step changes it
 * @property {boolean | null} applied whether the correction was applied to it in this step; null in other steps
 */

/** Where a look begins and ends when it changes. */
const looks = {
  equal: { backgroundColor: 'var(--equal)', borderRadius: '9px', borderWidth: '1px' },
  different: { backgroundColor: 'var(--different)', borderRadius: '0', borderWidth: '3px' },
};

const signs = { equal: '=', different: '≠', own: '' };

function drawNode(name, node, kind, marked) {
  const { label, flag, look, applied } = node;
  const classes = ['node', kind, `look-${look}`, ...marked];
  const compare = look === 'own' ? null : cell('b', `${name}.compare`, signs[look]);
  const flagCell = flag === '' ? null : cell('span', `${name}.flag`, flag);
  const mark = applied === null || kind === 'bare' ? null : cell('span', `${name}.applied`, applied ? '⊕' : '', { class: 'applied' });
  const lines = {
    full: () => [
      shortCell('span', `${name}.label`, label, 4),
      el('span', { class: 'node-flag' }, flagCell && el('i', {}, 't'), flagCell && ' ', flagCell, flagCell && ' ', compare),
    ],
    slim: () => [flagCell, compare],
    bare: () => [],
  }[kind]();
  return el('span', { class: classes.join(' ') }, ...lines, mark);
}

/** A drawing of a tree, which `draw` replaces; `upward` has its root at the bottom. `pick` is told of a node that is pressed. */
export function treeDrawing(party, upward, pick) {
  const box = el('div', { class: upward ? 'tree upward' : 'tree', 'data-party': party, role: 'img' });
  let depth = 1;
  const top = (level) => (upward ? depth - level : level) * ROW;

  box.addEventListener('click', (event) => {
    const { left, top: above, width } = box.getBoundingClientRect();
    const row = Math.floor((event.clientY - above) / ROW);
    const level = upward ? depth - row : row;
    const node = Math.floor(((event.clientX - left) / width) * 2 ** level);
    if (level >= 0 && node >= 0 && node < 2 ** level) pick({ level, node });
  });

  /**
   * @param {Node[][]} rows
   * @param {{depth: number, width: number, selected: {level: number, node: number}, path: number | null, said: string, moves: boolean}} how
   *   `path`: the leaf to which a path is marked as supposed
   */
  function draw(rows, { depth: levels, width, selected, path, said, moves }) {
    depth = levels;
    const supposed = (level, node) => path !== null && path >> (depth - level) === node;
    const drawn = rows.map((nodes, level) => nodes.map((node, at) => {
      const place = width / 2 ** level;
      const marked = [
        ...(selected.level === level && selected.node === at ? ['chosen'] : []),
        ...(supposed(level, at) ? ['supposed'] : []),
      ];
      const element = drawNode(`${party}.level${level}.node${at}`, node, detail(place), marked);
      element.dataset.place = `${level}.${at}`;
      const size = detail(place) === 'full' ? Math.min(place - 3, 54) : Math.max(Math.min(place - 1, 24), node.look === 'different' ? 9 : 3);
      element.style.cssText = `left: ${(at + 0.5) * place - size / 2}px; top: ${top(level) + (ROW - NODE) / 2}px; width: ${size}px; height: ${NODE}px`;
      return element;
    }));
    box.style.height = `${(depth + 1) * ROW}px`;
    box.setAttribute('aria-label', said);
    box.replaceChildren(lines(rows, { depth, width, top, supposed }), ...drawn.flat());
    if (moves) move(rows, drawn, width);
  }

  /** The last level comes from its parents, or the correction does. */
  function move(rows, drawn, width) {
    const level = rows.length - 1;
    if (level === 0) return;
    const timing = { duration: 700, easing: 'ease-in-out', fill: 'backwards' };
    drawn[level].forEach((element, at) => {
      const { flag, applied, before, look } = rows[level][at];
      const way = { x: (at % 2 === 0 ? 0.5 : -0.5) * (width / 2 ** level), y: top(level - 1) - top(level) };
      const from = { transform: `translate(${way.x}px, ${way.y}px)` };
      if (flag === '') {
        element.animate([{ ...from, opacity: 0.2 }, { transform: 'none', opacity: 1 }], timing);
        return;
      }
      const corrected = element.querySelector('.applied');
      if (applied) corrected?.animate([from, { transform: 'none' }], timing);
      const changed = before !== null && before !== look;
      if (!applied && !changed) return;
      // What the node says comes with the correction.
      const arrives = { ...timing, delay: timing.duration };
      [...element.children].filter((part) => part !== corrected).forEach((part) => part.animate([{ opacity: 0 }, { opacity: 1 }], arrives));
      if (changed) element.animate([looks[before], looks[look]], arrives);
    });
  }

  return { box, draw };
}

/** Lines from nodes to their children, behind the nodes: heavy between nodes that differ, dashed on a supposed path, faint below. */
function lines(rows, { depth, width, top, supposed }) {
  const name = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(name, 'svg');
  svg.setAttribute('class', 'edges');
  for (let level = 1; level <= depth; level += 1) {
    const place = width / 2 ** level;
    for (let node = 0; node < 2 ** level; node += 1) {
      const kind = () => {
        if (level >= rows.length) return 'to-come';
        if (rows[level][node].look === 'different') return 'differs';
        return supposed(level, node) ? 'supposed' : 'grown';
      };
      const line = document.createElementNS(name, 'line');
      const ends = {
        x1: (Math.floor(node / 2) + 0.5) * 2 * place, y1: top(level - 1) + ROW / 2, x2: (node + 0.5) * place, y2: top(level) + ROW / 2,
      };
      Object.entries({ ...ends, class: kind() }).forEach(([key, value]) => line.setAttribute(key, value));
      svg.append(line);
    }
  }
  return svg;
}
