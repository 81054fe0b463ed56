// An operation, message by message: what is sent, and who knows what.

import { UNKNOWN, cell, el, formula, prose, table } from './dom.js';
import { form, seedButton } from './form.js';
import { stepper } from './steps.js';

const cards = { P0: 'P0', P1: 'P1', P2: 'P2, the helper', Reader: 'Known to no party' };
const verdicts = ['equal', 'blinds fit', 'sharings agree'];
const views = [['all', 'everything'], ['P0', 'what P0 knows'], ['P1', 'what P1 knows'], ['P2', 'what P2 knows']];

const address = { name: 'address', label: 'Address', value: '2' };
const seed = { name: 'seed', label: 'Seed', value: '1', wide: true };
const memory = { name: 'memory', label: 'Memory', value: '4', options: [['4', '4 words mod 4'], ['8', '8 words mod 16']] };
const kinds = [['read', 'READ'], ['update', 'UPDATE'], ['write', 'WRITE'], ['swap', 'SWAP']];
const fields = {
  read: [memory, address, seed],
  update: [memory, address, { name: 'value', label: 'Value to add', value: '3' }, seed],
  lean: [
    { ...memory, options: [['4', '4 words of 4 bits'], ['8', '8 words of 4 bits']] },
    { name: 'kind', label: 'Operation', value: 'read', options: kinds },
    address,
    { name: 'value', label: 'Value (not of READ)', value: '5' },
    seed,
  ],
};
const knowing = 'A party knows what it holds, sends and receives, and what it can add up from that: ';
const forExample = {
  paper: 'P0 knows `D~_0`, as it knows `D_0` and `zeta_0`.',
  lean: 'P2 knows `u_1`, which it has dealt. P1 knows `B` until it changes, as it has drawn it with P2.',
};

/** Starts the widget in `place`; its `data-operation` is `read` or `update`, or `lean`, which has all of that protocol's. */
export function start(place, specification) {
  const { operation } = place.dataset;
  let shown = null;
  const controls = form(place, fields[operation], take);
  seedButton(controls, 'New seed');
  const steps = stepper(place, draw);
  const view = el('select', { name: 'view' }, ...views.map(([value, text]) => el('option', { value }, text)));
  view.addEventListener('change', () => steps.redraw());
  const text = el('div', { class: 'widget-text', 'aria-live': 'polite' });
  const figure = el('div', { class: 'widget-figure' });
  place.append(el('div', { class: 'widget-bar' }, el('label', {}, el('span', {}, 'Show'), view)), text, figure,
    el('p', {}, ...prose(knowing + (forExample[operation] ?? forExample.paper))));

  /** Whether the chosen party knows a value. */
  const visible = (known) => view.value === 'all' || known.includes(view.value);
  const mark = (isNew) => (isNew ? el('span', { class: 'new' }, ' new') : null);
  controls.submit();

  function take(values) {
    const answer = specification[operation](values);
    if (answer.error !== undefined) return answer;
    shown = answer;
    steps.reset(answer.steps.length);
    return {};
  }

  function draw(number) {
    const step = shown.steps[number];
    text.replaceChildren(
      el('p', { class: 'widget-line' }, cell('strong', 'step.line', step.line), ' · step ',
        cell('span', 'step.number', `${number + 1} of ${shown.steps.length}`)),
      el('p', {}, ...prose(step.text)),
    );
    figure.replaceChildren(messages(step.messages),
      el('div', { class: 'cards' }, ...Object.keys(cards).map((holder) => card(holder, step.entries))));
  }

  function messages(sent) {
    if (sent.length === 0) return el('p', {}, 'Nothing has been sent yet.');
    const rows = sent.map(({ from, to, what, value, known, new: isNew }, index) => {
      const name = `message${index + 1}`;
      return el('tr', { class: isNew ? 'is-new' : '' },
        cell('td', `${name}.from`, from), cell('td', `${name}.to`, to.join(', ')),
        el('th', { scope: 'row' }, wrapped(`${name}.what`, what), mark(isNew)),
        cell('td', `${name}.value`, visible(known) ? value : UNKNOWN));
    });
    return table('Messages so far', ['from', 'to', 'what', 'value'], rows, { class: 'messages' });
  }

  /** A formula as a cell: shown in symbols, named in the paper's letters. */
  function wrapped(name, what) {
    const shownAs = formula(what);
    shownAs.dataset.cell = name;
    shownAs.dataset.formula = what;
    return shownAs;
  }

  function card(holder, entries) {
    const own = entries.filter((entry) => entry.holder === holder);
    const indices = Array.from({ length: shown.n }, (_, index) => String(index));
    const vectors = own.filter(({ scalar }) => !scalar).map((entry) => {
      const name = `${holder}.${entry.name}`;
      const cells = visible(entry.known)
        ? entry.words.map((word, index) => cell('td', `${name}[${index}]`, word))
        : [cell('td', name, UNKNOWN, { colspan: String(shown.n) })];
      return el('tr', { class: entry.new ? 'is-new' : '' },
        el('th', { scope: 'row' }, formula(entry.name), mark(entry.new)), ...cells);
    });
    const scalars = own.filter(({ scalar }) => scalar).map((entry) => el('li', { class: entry.new ? 'is-new' : '' },
      formula(entry.name), verdicts.includes(entry.name) ? ': ' : ' = ',
      cell('span', `${holder}.${entry.name}`, visible(entry.known) ? entry.words[0] : UNKNOWN), mark(entry.new)));
    const grid = table(cards[holder], ['vector', ...indices], vectors);
    // Else a vector that is hidden, one cell over all columns, would make them unequal.
    grid.querySelectorAll('thead th + th').forEach((column) => { column.style.width = `${66 / shown.n}%`; });
    return el('div', { class: `card card-${holder}` }, grid,
      scalars.length === 0 ? null : el('ul', { class: 'scalars', 'aria-label': `Single words: ${cards[holder]}` }, ...scalars));
  }
}
