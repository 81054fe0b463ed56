// Both trees of a DPF, level by level.

import { cell, el, prose, scrolling, shortCell, table } from './dom.js';
import { form, seedButton } from './form.js';
import { stepper } from './steps.js';

const parties = ['P0', 'P1'];

const texts = {
  roots: 'Two random labels. Only their lowest bits are fixed: they are the flags, 0 for P0 and 1 for P1.',
  level: 'Each label is doubled. A party whose flag `t` is 1 then XORs `cw` into both children, and the flag corrections '
    + 'into their lowest bits. On the path to the target the trees differ (≠); everywhere else they are equal (=).',
  values: 'Each party takes the upper half of a leaf as a word, and adds `F` where its flag is 1. P1 negates. Off the target '
    + 'both words cancel; at the target they add up to the value.',
};

/** Starts the widget in `place`. */
export function start(place, specification) {
  let shown = null;
  let chosen = null;
  const controls = form(place, [
    { name: 'depth', label: 'Depth', value: '3', options: ['1', '2', '3', '4'].map((depth) => [depth, depth]) },
    { name: 'target', label: 'Target', value: '5' },
    { name: 'value', label: 'Value at the target', value: '7', wide: true },
    { name: 'seed', label: 'Seed', value: '1', wide: true },
  ], take);
  seedButton(controls, 'New seed');
  const steps = stepper(place, (step) => {
    chosen = null;
    draw(step);
  });
  const text = el('div', { class: 'widget-text', 'aria-live': 'polite' });
  const trees = el('div', { class: 'trees' });
  const whole = el('div', { 'aria-live': 'polite' });
  const rest = el('div');
  const figure = el('div', { class: 'widget-figure' }, trees, whole, rest);
  place.append(text, figure);
  controls.submit();

  function take(values) {
    const answer = specification.dpf_tree(values);
    if (answer.error !== undefined) return answer;
    shown = answer;
    steps.reset(answer.levels.length + 1);
    return {};
  }

  function draw(step) {
    const depth = shown.levels.length - 1;
    const level = Math.min(step, depth);
    const { name, said, below } = parts(step, depth);
    text.replaceChildren(
      el('p', { class: 'widget-line' }, cell('strong', 'step.name', name), ' · step ', cell('span', 'step.number', `${step + 1} of ${depth + 2}`)),
      el('p', {}, ...prose(said)),
    );
    const selected = chosen ?? { level, node: shown.levels[level].path };
    const redraw = (at) => {
      chosen = at.place;
      draw(step);
      trees.querySelector(`[data-party="${at.party}"] [data-place="${at.place.level}.${at.place.node}"]`).focus();
    };
    trees.replaceChildren(...parties.map((party) => tree(party, level, depth, selected, redraw)));
    whole.replaceChildren(labels(selected));
    rest.replaceChildren(...below());
  }

  /** What a step is called, what is said about it, and what stands below the trees. */
  function parts(step, depth) {
    if (step === 0) return { name: 'Roots', said: texts.roots, below: () => [] };
    if (step > depth) return { name: 'Values', said: texts.values, below: () => [leaves()] };
    return { name: `Level ${step} of ${depth}`, said: texts.level, below: () => [correction(step)] };
  }

  function tree(party, level, depth, selected, redraw) {
    const grid = el('div', { class: 'tree-grid', style: `--leaves: ${2 ** depth}; --rows: ${depth + 1}` }, edges(level, depth));
    shown.levels.slice(0, level + 1).forEach(({ places }, row) => places.forEach((both, node) => {
      const { label, flag } = both[party.toLowerCase()];
      const name = `${party}.level${row}.node${node}`;
      const pressed = selected.level === row && selected.node === node;
      const width = 2 ** (depth - row);
      const button = el('button', {
        type: 'button',
        class: both.same ? 'node' : 'node differs',
        'aria-pressed': String(pressed),
        'data-place': `${row}.${node}`,
        style: `grid-row: ${row + 1}; grid-column: ${node * width + 1} / span ${width}`,
      },
      el('span', { class: 'visually-hidden' }, `level ${row}, node ${node}: label `),
      shortCell('span', `${name}.label`, label, 4),
      el('span', { class: 'node-flag' }, el('i', {}, 't'), ' ', cell('span', `${name}.flag`, String(flag)), ' ',
        cell('b', `${name}.compare`, both.same ? '=' : '≠')));
      button.addEventListener('click', () => redraw({ party, place: { level: row, node } }));
      grid.append(button);
    }));
    return el('div', { class: 'tree', 'data-party': party, role: 'group', 'aria-label': `Tree of ${party}` },
      el('p', { class: 'tree-name' }, party), el('div', { class: 'tree-box' }, grid));
  }

  function labels({ level, node }) {
    const both = shown.levels[level].places[node];
    const rows = parties.map((party) => el('tr', {}, el('th', { scope: 'row' }, party),
      cell('td', `selected.${party}`, both[party.toLowerCase()].label, { class: 'digits' })));
    const caption = el('span', {}, 'The whole label at ', cell('span', 'selected.place', `level ${level}, node ${node}`));
    return table(caption, [], rows, { class: 'facts' });
  }

  function correction(step) {
    const { word, left_flag, right_flag, bit, on_path, p0_at, p1_at } = shown.levels[step].correction;
    const row = (name, ...values) => el('tr', {}, el('th', { scope: 'row' }, ...prose(name)), ...values);
    const at = (places) => (places.length === 0 ? 'none' : places.join(', '));
    return table(`Level ${step}: the corrections, the same for both parties`, [], [
      row('bit of the target', cell('td', 'bit', String(bit))),
      row('`cw`', cell('td', 'cw', word, { class: 'digits' })),
      row('`cwt_L`', cell('td', 'cwt_L', String(left_flag))),
      row('`cwt_R`', cell('td', 'cwt_R', String(right_flag))),
      row('on the path, applied by', cell('td', 'on_path', on_path)),
      row(`P0 applies them at nodes of level ${step - 1}`, cell('td', 'P0.applies', at(p0_at))),
      row(`P1 applies them at nodes of level ${step - 1}`, cell('td', 'P1.applies', at(p1_at))),
    ], { class: 'facts' });
  }

  function leaves() {
    const rows = shown.leaves.map(({ p0, p1, sum }, leaf) => el('tr', {}, el('th', { scope: 'row' }, String(leaf)),
      cell('td', `leaf${leaf}.P0`, p0), cell('td', `leaf${leaf}.P1`, p1), cell('td', `leaf${leaf}.sum`, sum)));
    return el('div', {},
      el('p', {}, 'The final correction word: ', el('i', {}, 'F'), ' = ', cell('span', 'F', shown.final_correction, { class: 'digits' })),
      scrolling('Values of the leaves', table('Values of the leaves, mod 2⁶⁴', ['leaf', 'P0’s share', 'P1’s share', 'sum'], rows)));
  }
}

/** Lines from each node to its children, behind the nodes. */
function edges(level, depth) {
  const leaves = 2 ** depth;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'edges');
  svg.setAttribute('viewBox', `0 0 ${leaves} ${depth + 1}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  for (let row = 1; row <= level; row += 1) {
    const width = leaves / 2 ** row;
    for (let node = 0; node < 2 ** row; node += 1) {
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      const [x1, x2] = [(Math.floor(node / 2) + 0.5) * 2 * width, (node + 0.5) * width];
      Object.entries({ x1, y1: row - 0.5, x2, y2: row + 0.5 }).forEach(([name, value]) => line.setAttribute(name, value));
      svg.append(line);
    }
  }
  return svg;
}
