// Two secrets in shares: opened, changed, added.

import { UNKNOWN, cell, el, formula, prose, scrolling, table } from './dom.js';
import { form, seedButton } from './form.js';

const kinds = [
  ['additive-64', 'addition mod 2⁶⁴'],
  ['additive-4', 'addition mod 4'],
  ['xor-8', 'XOR of 8 bits'],
];
const secrets = { 'additive-64': ['42', '1000'], 'additive-4': ['3', '2'], 'xor-8': ['01100001', '00001111'] };
const drawn = ['r', 's'];
const changes = ['change_0', 'change_1'];

const rowNames = {
  x: 'x',
  y: 'y',
  sum: 'sum',
  changed: 'x, changed',
};

/** Starts the widget in `place`. */
export function start(place, specification) {
  let shown = null;
  const controls = form(place, [
    { name: 'kind', label: 'Kind', value: 'additive-64', options: kinds },
    { name: 'x', label: 'Secret x', value: '42', wide: true },
    { name: 'r', label: 'Random word of x', value: '', wide: true },
    { name: 'y', label: 'Secret y', value: '1000', wide: true },
    { name: 's', label: 'Random word of y', value: '', wide: true },
    { name: 'change_0', label: 'Change P0’s share of x to', value: '', wide: true },
    { name: 'change_1', label: 'Change P1’s share of x to', value: '', wide: true },
    { name: 'seed', label: 'Seed', value: '1', wide: true },
  ], take, (changed) => {
    if (changed === 'kind') {
      const { kind } = controls.values();
      ['x', 'y'].forEach((name, which) => controls.set(name, secrets[kind][which]));
      clear([...drawn, ...changes]);
    }
    if (changed === 'seed') clear(drawn);
  });
  const clear = (names) => names.forEach((name) => controls.set(name, ''));
  seedButton(controls, 'Draw again', () => clear(drawn));

  const view = el('select', { name: 'view' }, el('option', { value: 'all' }, 'everything'),
    el('option', { value: 'P0' }, 'what P0 knows'), el('option', { value: 'P1' }, 'what P1 knows'));
  const figure = el('div', { class: 'widget-figure' });
  place.append(el('div', { class: 'widget-bar' }, el('label', {}, el('span', {}, 'Show'), view)), figure);
  view.addEventListener('change', draw);
  controls.submit();

  function take(values) {
    const answer = specification.sharing(values);
    if (answer.error !== undefined) return answer;
    shown = answer;
    // What was drawn, so that it can be edited.
    drawn.forEach((name) => controls.set(name, answer[name]));
    draw();
    return {};
  }

  function draw() {
    const party = view.value;
    const rows = shown.rows.map((row) => el('tr', {}, el('th', { scope: 'row' }, ...prose(rowNames[row.name])),
      ...row.cells.map(({ name, value, known }) => {
        const seen = party === 'all' || known.includes(party) ? value : UNKNOWN;
        return cell('td', `${row.name}.${name}`, seen);
      })));
    const shares = table('Shares, and what they open to', ['word', 'secret', 'P0’s share', 'P1’s share', 'opened'], rows);
    figure.replaceChildren(scrolling('Shares', shares), ...fits(party));
  }

  /** The argument of the chapter: whatever the secret, one random word gives the share that this party sees. */
  function fits(party) {
    if (shown.fits === null || party === 'all') return [];
    const words = shown.fits[party === 'P0' ? 'p0' : 'p1'];
    const rows = words.map((word, secret) => el('tr', {}, el('th', { scope: 'row' }, String(secret)),
      cell('td', `fits.${secret}`, word)));
    return [
      el('p', {}, `For each secret there is exactly one random word that gives ${party} the share of `, formula('x'),
        ' that it sees. So it sees nothing of the secret.'),
      table(`What ${party} cannot tell apart`, ['if the secret were', 'the random word was'], rows),
    ];
  }
}
