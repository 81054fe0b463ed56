// Both trees of a DPF: each level is doubled, then corrected. And what P0 sees of them, whatever the target.

import { cell, el, prose, scrolling, table } from './dom.js';
import { form, seedButton } from './form.js';
import { player } from './play.js';
import { stepper } from './steps.js';
import { treeDrawing } from './tree-drawing.js';

const parties = ['P0', 'P1'];
const views = [['all', 'both trees'], ['P0', 'what P0 sees']];

/** The leaf's mark, which is wider than a leaf. */
const MARK = 26;

const texts = {
  all: {
    roots: 'Two random labels. Only their lowest bits are fixed: they are the flags, 0 for P0 and 1 for P1.',
    double: 'Each party doubles each label. Below a label that is equal in both trees both children are equal. On the path to the '
      + 'target both children differ (≠), and that is one too many.',
    correct: 'A party whose flag `t` is 1 at a node XORs `cw` into both children (⊕), and the flag corrections into their lowest '
      + 'bits. Off the path both parties do, or neither. On the path one of them does: the child off the path becomes equal.',
    values: 'Each party takes the upper half of a leaf as a word, and adds `F` where its flag is 1. P1 negates. Off the target '
      + 'both words cancel; at the target they add up to the value.',
  },
  P0: {
    roots: 'P0 has its key, and nothing else. Drag the mark to any leaf, or move it by arrow keys: its key and its tree stay as they are.',
    double: 'P0 doubles each label. Which of them P1 has too, it does not see. Drag the mark: nothing here excludes any leaf.',
    correct: 'Where its flag `t` is 1, P0 XORs `cw` into both children (⊕). Whether that repaired something, it does not see.',
    values: 'P0’s words look like noise at every leaf. Drag the mark: each leaf may be the one at which both shares add up to the value.',
  },
};

/** Starts the widget in `place`. */
export function start(place, specification) {
  let shown = null;
  let supposed = null;
  let chosen = null;
  let drawnStep = null;
  const controls = form(place, [
    { name: 'depth', label: 'Depth', value: '3', options: ['2', '3', '4', '5', '6'].map((depth) => [depth, depth]) },
    { name: 'target', label: 'Target', value: '5' },
    { name: 'value', label: 'Value at the target', value: '7', wide: true },
    { name: 'seed', label: 'Seed', value: '1', wide: true },
  ], take);
  seedButton(controls, 'New seed');

  const view = el('select', { name: 'view' }, ...views.map(([value, text]) => el('option', { value }, text)));
  place.append(el('div', { class: 'widget-bar' }, el('label', {}, el('span', {}, 'Show'), view)));
  const steps = stepper(place, (step) => {
    chosen = null;
    draw(step);
  });
  const play = player(steps);
  const text = el('div', { class: 'widget-text tree-text', 'aria-live': 'polite' });

  const pick = (at) => {
    if (at.level > position(steps.at().step).level) return;
    chosen = at;
    draw(steps.at().step);
  };
  const drawings = { P0: treeDrawing('P0', false, pick), P1: treeDrawing('P1', true, pick) };
  const leafName = el('span');
  const leaf = el('input', { type: 'range', name: 'leaf', min: '0', step: '1', 'aria-label': 'Leaf of the target' });
  const mark = el('div', { class: 'leaf-mark' }, leafName, leaf);
  const trees = el('div', { class: 'trees' }, badge('P0'), drawings.P0.box, mark, drawings.P1.box, badge('P1'));
  const legend = el('p', { class: 'tree-legend' });
  const level = el('select', { name: 'level' });
  const node = el('select', { name: 'node' });
  const choice = el('div', { class: 'widget-bar' }, el('label', {}, el('span', {}, 'Look at level'), level), el('label', {}, el('span', {}, 'node'), node));
  const whole = el('div', { 'aria-live': 'polite' });
  const rest = el('div');
  place.append(text, el('div', { class: 'widget-figure' }, trees, legend, choice, whole, rest));

  view.addEventListener('change', () => steps.redraw());
  leaf.addEventListener('input', () => (view.value === 'all' ? moveTarget() : suppose(leaf.value)));
  level.addEventListener('change', () => pick({ level: Number(level.value), node: 0 }));
  node.addEventListener('change', () => pick({ level: Number(level.value), node: Number(node.value) }));
  let drawnWidth = 0;
  new ResizeObserver(() => {
    if (drawings.P0.box.clientWidth !== drawnWidth) draw(steps.at().step);
  }).observe(trees);
  controls.submit();

  function take(values) {
    const answer = specification.dpf_tree(values);
    if (answer.error !== undefined) return answer;
    play.stop();
    shown = { ...answer, values };
    supposed = specification.dpf_supposed({ ...values, supposed: values.target });
    drawnStep = null;
    steps.reset(2 * answer.levels.length);
    return {};
  }

  /** The target itself is moved: other keys for both. */
  function moveTarget() {
    controls.set('target', leaf.value);
    controls.submit();
  }

  /** P0's key stays: what would P1 have had to have? */
  function suppose(target) {
    supposed = specification.dpf_supposed({ ...shown.values, supposed: target });
    chosen = null;
    draw(steps.at().step);
  }

  /** Which level is the last one of a step, and whether it is corrected yet. */
  function position(step) {
    const depth = shown.levels.length - 1;
    const of = Math.min(Math.ceil(step / 2), depth);
    if (step === 0) return { kind: 'roots', level: 0, name: 'Roots' };
    if (step > 2 * depth) return { kind: 'values', level: depth, name: 'Values' };
    const kind = step % 2 === 1 ? 'double' : 'correct';
    return { kind, level: of, name: `Level ${of} of ${depth}: ${kind}` };
  }

  /** What both parties have at the places of a level: before correction, or after. */
  function placesOf(row, { kind, level: last }) {
    return row === last && kind === 'double' ? shown.levels[row].doubled.places : shown.levels[row].places;
  }

  function draw(step) {
    if (shown === null) return;
    const all = view.value === 'all';
    const at = position(step);
    const depth = shown.levels.length - 1;
    const target = all ? shown.target : supposed.target;
    say(step, at, all);
    const selected = chosen ?? { level: at.level, node: target >> (depth - at.level) };
    const width = drawings.P0.box.clientWidth;
    const moves = drawnStep !== null && step === drawnStep + 1 && matchMedia('(prefers-reduced-motion: no-preference)').matches;
    drawnStep = step;
    drawnWidth = width;
    for (const [which, party] of parties.entries()) {
      const hidden = !all && which === 1;
      drawings[party].box.hidden = hidden;
      trees.querySelector(`.tree-party${which}`).hidden = hidden;
      const rows = shown.levels.slice(0, at.level + 1).map((_, row) => nodesOf(party, row, at, all));
      const said = `Tree of ${party}, levels 0 to ${at.level}. ${all ? differing(at) : 'What P1 has is not seen.'}`;
      drawings[party].draw(hidden ? [] : rows, { depth, width, selected, path: all ? null : supposed.target, said, moves });
    }
    placeMark(target, depth, width, all);
    legend.replaceChildren(...legendOf(all));
    choose(selected, at);
    whole.replaceChildren(labels(selected, at, all));
    rest.replaceChildren(...(all ? below(at) : ofP0(at)));
  }

  /** The nodes of a row of a party. */
  function nodesOf(party, row, at, all) {
    const name = party.toLowerCase();
    const last = row === at.level;
    const raw = last && at.kind === 'double';
    const correcting = last && at.kind === 'correct';
    const look = ({ same }) => (same ? 'equal' : 'different');
    return placesOf(row, at).map((both, which) => {
      const { label, flag } = both[name];
      return {
        label,
        flag: raw ? '' : String(flag),
        look: all ? look(both) : 'own',
        before: all && correcting ? look(shown.levels[row].doubled.places[which]) : null,
        applied: correcting ? shown.levels[row - 1].places[Math.floor(which / 2)][name].flag === 1 : null,
      };
    });
  }

  /** The places that differ, for a screen reader. */
  function differing(at) {
    const found = shown.levels.slice(0, at.level + 1).flatMap((_, row) => (
      placesOf(row, at).flatMap(({ same }, which) => (same ? [] : [`level ${row} node ${which}`]))));
    return `The trees differ at ${found.join(', ')}.`;
  }

  function say(step, { kind, name }, all) {
    const said = [
      el('p', { class: 'widget-line' }, cell('strong', 'step.name', name), ' · step ',
        cell('span', 'step.number', `${step + 1} of ${2 * shown.levels.length}`)),
      el('p', {}, ...prose(texts[all ? 'all' : 'P0'][kind])),
    ];
    // Only what is new is read out.
    if (said.map(({ outerHTML }) => outerHTML).join('') !== text.innerHTML) text.replaceChildren(...said);
  }

  /** The mark's middle is that of its leaf. */
  function placeMark(target, depth, width, all) {
    const place = width / 2 ** depth;
    leaf.max = String(2 ** depth - 1);
    leaf.value = String(target);
    leaf.setAttribute('aria-valuetext', `leaf ${target}`);
    leaf.style.cssText = `width: ${width - place + MARK}px; margin-inline-start: ${(place - MARK) / 2}px`;
    leafName.replaceChildren(all ? 'The target is leaf ' : 'If the target were leaf ', cell('strong', 'leaf', String(target)), all ? '' : ' …');
  }

  /** The choice of a node, among those that are there. */
  function choose(selected, at) {
    const options = (select, count) => {
      if (select.options.length === count) return;
      select.replaceChildren(...Array.from({ length: count }, (_, which) => el('option', { value: String(which) }, String(which))));
    };
    options(level, at.level + 1);
    options(node, 2 ** selected.level);
    level.value = String(selected.level);
    node.value = String(selected.node);
  }

  function labels(selected, at, all) {
    const both = placesOf(selected.level, at)[selected.node];
    const rows = (all ? parties : ['P0']).map((party) => fact(party, `selected.${party}`, both[party.toLowerCase()].label, 'digits'));
    const caption = el('span', {}, 'The whole label at ', cell('span', 'selected.place', `level ${selected.level}, node ${selected.node}`));
    return table(caption, [], rows, { class: 'facts' });
  }

  function below(at) {
    if (at.kind === 'roots') return [];
    if (at.kind === 'values') return [leaves(true)];
    const { doubled, correction } = shown.levels[at.level];
    if (at.kind === 'double') {
      return [table('The child that is to become equal, and what makes it so', [], [
        fact('bit of the target', 'bit', String(correction.bit)),
        fact('child off the path', 'off.place', `level ${at.level}, node ${doubled.off_path}`),
        fact('P0’s label there', 'off.P0', doubled.off_0, 'digits'),
        fact('P1’s label there', 'off.P1', doubled.off_1, 'digits'),
        fact('XOR: `cw`, but for the lowest bit', 'off.xor', doubled.difference, 'digits'),
      ], { class: 'facts' })];
    }
    return [table(`Level ${at.level}: the corrections, the same for both parties`, [], [
      ...corrections(at.level),
      fact('on the path, applied by', 'on_path', correction.on_path),
      applied('P0', at.level), applied('P1', at.level),
    ], { class: 'facts' })];
  }

  function corrections(of) {
    const { word, left_flag, right_flag } = shown.levels[of].correction;
    return [
      fact('`cw`', 'cw', word, 'digits'), fact('`cwt_L`', 'cwt_L', String(left_flag)), fact('`cwt_R`', 'cwt_R', String(right_flag)),
    ];
  }

  function applied(party, of) {
    const places = shown.levels[of].correction[`${party.toLowerCase()}_at`];
    return fact(`${party} applies them at nodes of level ${of - 1}`, `${party}.applies`, places.length === 0 ? 'none' : places.join(', '));
  }

  function leaves(all) {
    const rows = shown.leaves.map(({ p0, p1, sum }, which) => el('tr', {}, el('th', { scope: 'row' }, String(which)),
      cell('td', `leaf${which}.P0`, p0), ...(all ? [cell('td', `leaf${which}.P1`, p1), cell('td', `leaf${which}.sum`, sum)] : [])));
    return el('div', {},
      el('p', {}, 'The final correction word: ', el('i', {}, 'F'), ' = ', cell('span', 'F', shown.final_correction, { class: 'digits' })),
      scrolling('Values of the leaves', table('Values of the leaves, mod 2⁶⁴', ['leaf', 'P0’s share', ...(all ? ['P1’s share', 'sum'] : [])], rows)));
  }

  /** P0's key beside the one that GEN makes for the supposed target, and what P1 has of it. */
  function ofP0(at) {
    const names = ['root', ...shown.levels.slice(1).map((_, which) => `level${which + 1}`), 'F'];
    const heads = ['root', ...shown.levels.slice(1).map((_, which) => `level ${which + 1}`), el('i', {}, 'F')];
    const rows = names.map((name, which) => el('tr', {}, el('th', { scope: 'row' }, heads[which]),
      cell('td', `key.${name}`, supposed.key[which], { class: 'digits' }), cell('td', `gen.${name}`, supposed.generated[which], { class: 'digits' })));
    return [
      ...(at.kind === 'correct' ? [table(`Level ${at.level}: the corrections`, [], [...corrections(at.level), applied('P0', at.level)], { class: 'facts' })] : []),
      table(el('span', {}, 'What P1 would have had to have for this leaf, ', cell('span', 'other.how', supposed.real ? 'as it was made' : 'in the hybrid')),
        [], otherSide(at), { class: 'facts' }),
      ...(at.kind === 'values' ? [leaves(false)] : []),
      table('P0’s key: the root; of each level cw, cwt_L and cwt_R; and F', ['', 'as P0 has it', 'as GEN makes it for this leaf'], rows, { class: 'facts key' }),
      el('p', {}, 'The same, byte for byte: ', cell('strong', 'key.same', supposed.same ? 'yes' : 'no'), '. In the hybrid of the proof P1’s labels on the ',
        'path have random blocks for children. There P1’s side can be had in 2', el('sup', {}, cell('span', 'other.ways', String(supposed.free))),
        ' ways that give P0 this very key, for every leaf in as many: the key says nothing of the target. In the protocol the generator makes ',
        'these blocks; to notice, P0 would have to tell them from random ones.'),
    ];
  }

  function otherSide({ kind, level: of }) {
    const { path, leaf: last, root } = supposed;
    if (kind === 'roots') return [fact('P1’s root: random but for its flag 1', 'other.root', root, 'digits')];
    if (kind === 'values') {
      return [
        fact('P1’s leaf', 'other.leaf', last.label, 'digits'), fact('P0’s share', 'other.P0', last.p0), fact('P1’s share', 'other.P1', last.p1),
        fact('their sum, the value', 'other.sum', last.sum),
      ];
    }
    const depth = path.length;
    const left = ((supposed.target >> (depth - of)) & 1) === 0;
    const onPath = of === depth ? 'its lowest bit and its upper half are fixed' : 'its lowest bit is fixed';
    const child = (is) => (is ? `on the path: ${onPath}` : 'off the path: all its bits are fixed');
    const { label, left: leftChild, right: rightChild, free } = path[of - 1];
    return [
      fact(`P1’s label on level ${of - 1}`, 'other.label', label, 'digits'),
      fact(`its left child, ${child(left)}`, 'other.left', leftChild, 'digits'),
      fact(`its right child, ${child(!left)}`, 'other.right', rightChild, 'digits'),
      fact('free bits, of 256', 'other.free', String(free)),
    ];
  }
}

function fact(name, cellName, value, kind) {
  return el('tr', {}, el('th', { scope: 'row' }, ...prose(name)), cell('td', cellName, value, kind ? { class: kind } : {}));
}

/** A party's name, in its colour and its kind of line, as in the pictures. */
function badge(party) {
  return el('p', { class: `tree-party tree-party${party.slice(1)}` }, party);
}

function legendOf(all) {
  const sample = (look, sign, text) => [el('span', { class: `node sample look-${look}`, 'data-look': look }, el('b', {}, sign)), ` ${text} `];
  const correction = el('span', { class: 'legend-part' }, el('b', { class: 'applied' }, '⊕'), ' corrected in this step');
  if (!all) return [el('span', { class: 'legend-part' }, el('span', { class: 'node sample look-own supposed' }), ' on the way to that leaf'), correction];
  return [
    el('span', { class: 'legend-part' }, ...sample('equal', '=', 'equal in both trees')),
    el('span', { class: 'legend-part' }, ...sample('different', '≠', 'different')),
    correction,
  ];
}
