// The masks that make a PIR symmetric: who has one key of each pair opens one word.

import { UNKNOWN, cell, el, formula, scrolling, shortCell, table } from './dom.js';
import { form, seedButton } from './form.js';

const digits = 4;

/** Starts the widget in `place`. */
export function start(place, specification) {
  let shown = null;
  const controls = form(place, [
    { name: 'memory', label: 'Words in the table', value: '8', options: [['4', '4'], ['8', '8']] },
    { name: 'index', label: 'P0’s index q', value: '5' },
    { name: 'seed', label: 'Seed', value: '1', wide: true },
  ], take, undefined, 'Your choice; the index is P0’s secret');
  seedButton(controls, 'Other keys');

  const view = el('select', { name: 'view' }, el('option', { value: 'all' }, 'everything'),
    el('option', { value: 'P0' }, 'what P0 knows'), el('option', { value: 'P1' }, 'what P1 knows'));
  const figure = el('div', { class: 'widget-figure' });
  place.append(el('div', { class: 'widget-bar' }, el('label', {}, el('span', {}, 'Show'), view)), figure);
  view.addEventListener('change', draw);
  controls.submit();

  function take(values) {
    const answer = specification.masks(values);
    if (answer.error !== undefined) return answer;
    shown = answer;
    draw();
    return {};
  }

  function draw() {
    const party = view.value;
    const seen = ({ known }) => party === 'all' || known.includes(party);
    const one = (tag, name, entry) => cell(tag, name, seen(entry) ? entry.value : UNKNOWN);
    const key = (name, entry) => (seen(entry) ? shortCell('td', name, entry.value, digits) : cell('td', name, UNKNOWN));
    const row = (head, cells) => el('tr', {}, el('th', { scope: 'row' }, head), ...cells);
    const bits = (x) => x.toString(2).padStart(shown.levels.length, '0');

    const keys = shown.levels.map((entries, level) => row(String(level), entries.map((entry) => (
      entry.name === 'bit' ? one('td', `${level}.bit`, entry) : key(`${level}.${entry.name}`, entry)))));
    const words = shown.words.map((entries, x) => row(`${x}, bits ${bits(x)}`, entries.map((entry) => (
      one('td', `word ${x}.${entry.name}`, entry)))));
    figure.replaceChildren(
      el('p', {}, 'P0 asks for the word at ', formula('q'), ' = ', one('span', 'q', shown.index), '.'),
      scrolling('Keys', table('A pair of keys for each bit of an index', ['level', 'bit of q', 'K⁰', 'K¹'], keys)),
      scrolling('Words', table('P1’s table, mod 16', ['x', 'word', 'mask', 'masked', 'keys that P0 lacks'], words)),
    );
  }
}
