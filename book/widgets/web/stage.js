// Three columns, a party each, over a band for what no party knows; what is sent in a step lies between the names and the columns.

import { UNKNOWN, cell, el, formula } from './dom.js';

const PARTIES = ['P0', 'P1', 'P2'];
const names = { P0: 'P0', P1: 'P1', P2: 'P2, the helper' };
const verdicts = ['equal', 'blinds fit', 'sharings agree'];

/** Sums of vectors that stand for a place: what is not 0 is framed, as in the book's pictures. */
const oneHot = /^[tvwo]_.* (\+|xor) /;

/** Of which DPF a vector of the paper's protocol is, as in t_0^(2): those are drawn as wheels, and turn. */
const ofDpf = (name) => /^[tvw]_([01]\^\([123]\))$/.exec(name)?.[1];

const mark = (isNew) => (isNew ? el('span', { class: 'new' }, ' new') : null);

/**
 * Draws a step.
 *
 * @param {{n: number}} shown
 * @param {object} step
 * @param {(known: string[]) => boolean} visible whether the chosen party knows a value
 * @returns {HTMLElement[]}
 */
export function stage({ n }, step, visible) {
  const own = (holder) => step.entries.filter((entry) => entry.holder === holder);
  return [
    el('div', { class: 'stage', 'data-n': String(n), style: `--n: ${n}` },
      heads(),
      lane(step.messages, visible),
      el('div', { class: 'columns' }, ...PARTIES.map((party) => column(party, own(party), step.at, visible))),
      nobody(own('Reader'), visible)),
    log(step.messages, visible),
  ];
}

/** The names of the parties, which messages fly between. */
export const heads = () => el('div', { class: 'stage-heads', 'aria-hidden': 'true' },
  ...PARTIES.map((party) => el('p', { class: `party ${party}` }, party)));

/** A formula as a cell: shown in symbols, named in the paper's letters. */
function wrapped(name, what) {
  const shownAs = formula(what);
  shownAs.dataset.cell = name;
  shownAs.dataset.formula = what;
  return shownAs;
}

/** What is sent in this step, each as an arrow from its sender to those who get it. */
export function lane(messages, visible) {
  const fresh = messages.filter((message) => message.new);
  const flights = fresh.map(({ from, to, what, value, known }, index) => {
    const name = `flying${index + 1}`;
    const ends = [from, ...to].map((party) => PARTIES.indexOf(party));
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const heads = to.map((party) => el('span', {
      class: PARTIES.indexOf(party) > ends[0] ? 'head right' : 'head left', 'data-to': party, style: `--at: ${PARTIES.indexOf(party)}`,
    }));
    return el('li', { class: `flight ${from}`, 'data-from': from, 'data-to': to.join(' '), style: `--low: ${low}; --high: ${high}` },
      cell('span', `${name}.way`, `${from} to ${to.join(', ')}`, { class: 'visually-hidden' }),
      el('span', { class: 'load' }, wrapped(`${name}.what`, what), ' = ', cell('span', `${name}.value`, visible(known) ? value : UNKNOWN)),
      el('span', { class: 'way', 'aria-hidden': 'true' }, el('span', { class: 'line' }),
        el('span', { class: 'dot', style: `--at: ${ends[0]}` }), ...heads));
  });
  return el('ul', { class: 'lane', 'aria-label': 'Sent in this step' }, ...(flights.length > 0 ? flights : [el('li', { class: 'visually-hidden' }, 'nothing')]));
}

function column(party, entries, at, visible) {
  const vectors = entries.filter(({ scalar }) => !scalar);
  const rows = vectors.filter(({ name }) => ofDpf(name) === undefined);
  const dpfs = [...new Set(vectors.map(({ name }) => ofDpf(name)).filter((dpf) => dpf !== undefined))];
  const wheels = dpfs.map((dpf) => wheel(party, vectors.filter(({ name }) => ofDpf(name) === dpf), visible));
  return el('div', { class: `column ${party}`, role: 'group', 'aria-label': `${names[party]} holds` },
    ...rows.map((entry, index) => row(party, entry, visible, index === 0, at)),
    wheels.length === 0 ? null : el('div', { class: 'wheels' }, ...wheels),
    scalars(party, entries, visible));
}

function nobody(entries, visible) {
  const vectors = entries.filter(({ scalar }) => !scalar);
  return el('div', { class: 'nobody', role: 'group', 'aria-label': 'Known to no party' },
    el('p', { class: 'party' }, 'Known to no party'),
    ...vectors.map((entry, index) => row('Reader', entry, visible, index === 0, null)),
    scalars('Reader', entries, visible));
}

/** The words of a vector as a list, by their places; a hidden one is one word, so that nothing of it is seen. */
function words(holder, entry, visible, style) {
  const name = `${holder}.${entry.name}`;
  const framed = holder === 'Reader' && oneHot.test(entry.name);
  const attributes = { class: `words ${style} ${entry.new ? 'is-new' : ''}`, 'data-vector': name };
  if (entry.moved !== null) attributes['data-moved'] = 'true';
  if (!visible(entry.known)) {
    return el('ul', { ...attributes, class: `${attributes.class} hidden-words` }, el('li', {}, cell('span', name, UNKNOWN)));
  }
  return el('ul', attributes, ...entry.words.map((word, place) => el('li', { style: `--place: ${place}` },
    el('span', { class: 'place' }, el('span', { class: 'visually-hidden' }, 'at '), String(place), el('span', { class: 'visually-hidden' }, ': ')),
    cell('span', `${name}[${place}]`, word, { class: framed && word !== '0' ? 'word lit' : 'word' }))));
}

/** A vector as a line; `at` is the place that a scan has come to, if one is under way. */
function row(holder, entry, visible, labelled, at) {
  const line = words(holder, entry, visible, 'line-up');
  if (at !== null) line.children[at]?.classList.add('at');
  return el('div', { class: labelled ? 'row labelled' : 'row' },
    el('p', { class: 'name' }, formula(entry.name), mark(entry.new)), line);
}

/** The vectors of one DPF, one ring inside the other; those that are added to the memory outside. */
function wheel(holder, entries, visible) {
  const n = entries[0].words.length;
  const rings = [...entries].sort((a, b) => (a.name < b.name ? 1 : -1));
  const ticks = Array.from({ length: n }, (_, place) => el('span', { class: 'tick', style: `--place: ${place}` }, String(place)));
  return el('div', { class: `wheel rings-${rings.length}` },
    el('div', { class: 'disc' }, el('div', { class: 'ticks', 'aria-hidden': 'true' }, ...ticks),
      ...rings.map((entry, ring) => words(holder, entry, visible, `ring ring-${ring}`))),
    el('p', { class: 'name' }, ...rings.flatMap((entry, ring) => [
      ring > 0 ? el('span', {}, ', inside ') : null, formula(entry.name), mark(entry.new)])));
}

function scalars(holder, entries, visible) {
  const single = entries.filter(({ scalar }) => scalar);
  if (single.length === 0) return null;
  return el('ul', { class: 'scalars', 'aria-label': 'Single words' }, ...single.map((entry) => el('li', { class: entry.new ? 'is-new' : '' },
    formula(entry.name), verdicts.includes(entry.name) ? ': ' : ' = ',
    cell('span', `${holder}.${entry.name}`, visible(entry.known) ? entry.words[0] : UNKNOWN), mark(entry.new))));
}

/**
 * All messages until now.
 *
 * @param {string} [values] the heading of what is said
 * @param {[string, string][]} [more] further columns: the heading, and the name of what stands in it
 */
export function log(sent, visible, values = 'value', more = []) {
  if (sent.length === 0) return el('p', { class: 'log' }, 'Nothing has been sent yet.');
  const rows = sent.map((message, index) => {
    const { from, to, what, value, known, new: isNew } = message;
    const name = `message${index + 1}`;
    return el('tr', { class: isNew ? 'is-new' : '' },
      cell('td', `${name}.from`, from), cell('td', `${name}.to`, to.join(', ')),
      el('th', { scope: 'row' }, wrapped(`${name}.what`, what), mark(isNew)),
      cell('td', `${name}.value`, visible(known) ? value : UNKNOWN),
      ...more.map(([, field]) => cell('td', `${name}.${field}`, String(message[field]))));
  });
  const head = ['from', 'to', 'what', values, ...more.map(([heading]) => heading)].map((text) => el('th', { scope: 'col' }, text));
  return el('table', { class: 'messages log' }, el('caption', {}, 'Messages so far'),
    el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows));
}

/** What is sent flies from its sender's name to each receiver's. */
export function animateFlights(figure, motion) {
  for (const flight of figure.querySelectorAll('.flight')) {
    const head = (party) => figure.querySelector(`.stage-heads .${party}`);
    const load = flight.querySelector('.load');
    motion.appear(flight, 500);
    for (const to of flight.dataset.to.split(' ')) motion.fly(load, head(flight.dataset.from), head(to));
  }
}

/** Shows how a step that has just been drawn came about. */
export function animate(figure, step, motion) {
  animateFlights(figure, motion);
  const find = (name) => figure.querySelector(`[data-vector="${CSS.escape(name)}"], [data-cell="${CSS.escape(name)}"]`);
  for (const entry of step.entries.filter((one) => one.new)) {
    const shown = find(`${entry.holder}.${entry.name}`);
    if (entry.moved !== null) motion.move([...shown.children], entry.moved, shown.classList.contains('ring'));
    else motion.appear(shown, 500);
    // A sum comes from what is added up, if both are on the stage.
    if (entry.holder !== 'Reader' || entry.moved?.turned !== undefined || entry.moved?.xored !== undefined) continue;
    const parts = entry.name.split(/ (?:\+|xor) /);
    if (parts.length !== 2) continue;
    for (const [party, part] of [['P0', parts[0]], ['P1', parts[1]]]) {
      const from = find(`${party}.${part}`);
      if (from !== null) motion.fly(formula(part), from, shown);
    }
  }
}
