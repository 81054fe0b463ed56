// An operation by three parties with disks, whose plugs the reader may pull after any step.

import { UNKNOWN, cell, el, formula, prose, shortCell } from './dom.js';
import { form, seedButton } from './form.js';
import { LONGEST, Motion, still } from './motion.js';
import { player } from './play.js';
import { animateFlights, heads, lane, log } from './stage.js';
import { stepper } from './steps.js';

const PARTIES = ['P0', 'P1', 'P2'];
const everything = () => true;

/** How long a step is played, in milliseconds: what flies, or until it is read. */
const time = ({ text, does }) => Math.max(1200 + 15 * (text.length + does.join().length), still() ? 0 : LONGEST);

/** Starts the widget in `place`. */
export function start(place, specification) {
  let shown = null;
  let last = null;
  /** Plugs that are pulled: a party, and the step after which; steps count from 1 here. */
  let pulls = [];
  const text = (list) => list.map(({ party, after }) => `${party}@${after}`).join(' ');
  const controls = form(place, [
    { name: 'operation', label: 'Operation', value: 'read', options: [['read', 'READ'], ['update', 'UPDATE']] },
    { name: 'address', label: 'Address', value: '2' },
    { name: 'value', label: 'Value (of UPDATE)', value: '7' },
    { name: 'disks', label: 'Disks', value: 'keep', options: [['keep', 'have what they say'], ['cache', 'lie: it is in a cache']] },
    { name: 'seed', label: 'Seed', value: '1', wide: true },
  ], (values) => take(values, []));
  seedButton(controls, 'New seed');
  const steps = stepper(place, draw);
  const play = player(steps, () => time(shown.steps[last]));
  const plugs = PARTIES.map((party) => {
    const button = el('button', { type: 'button', 'data-plug': party }, `Pull ${party}’s plug`);
    button.addEventListener('click', () => pull(party));
    return button;
  });
  const mend = el('button', { type: 'button', 'data-plug': 'none' }, 'No crashes');
  mend.addEventListener('click', () => {
    if (pulls.length > 0) take(controls.values(), []);
  });
  const pulled = el('ul', { class: 'pulled' });
  const about = el('div', { class: 'widget-text crash-text', 'aria-live': 'polite' });
  const figure = el('div', { class: 'widget-figure' });
  place.append(el('div', { class: 'widget-steps plugs', role: 'group', 'aria-label': 'Plugs, after this step' }, ...plugs, mend), pulled, about, figure);
  const motion = new Motion(place);
  controls.submit();

  function take(values, list) {
    const answer = specification.crash({ ...values, pulls: text(list) });
    if (answer.error !== undefined) return answer;
    play.stop();
    [shown, last, pulls] = [answer, null, list];
    steps.reset(answer.steps.length);
    return {};
  }

  /** Whether a party's plug can be pulled after this step. */
  function canPull(party, number) {
    return number < shown.steps.length - 1 && shown.steps[number].parties[PARTIES.indexOf(party)].up;
  }

  /** The power fails next; what would have happened later has not happened, other crashes among it. */
  function pull(party) {
    const { step } = steps.at();
    if (!canPull(party, step)) return;
    const list = [...pulls.filter(({ after }) => after <= step), { party, after: step + 1 }];
    if (take(controls.values(), list).error !== undefined) return;
    steps.go(step);
    steps.go(step + 1);
  }

  function draw(number) {
    const step = shown.steps[number];
    motion.stop();
    plugs.forEach((button) => button.setAttribute('aria-disabled', String(!canPull(button.dataset.plug, number))));
    mend.setAttribute('aria-disabled', String(pulls.length === 0));
    pulled.replaceChildren(
      el('li', {}, 'Plugs pulled: ', cell('span', 'pulls', pulls.length === 0 ? 'none' : pulls.map(({ party, after }) => `${party}’s after step ${after}`).join(', '))),
      el('li', {}, 'Inputs that were said to be on a disk, and are lost: ', cell('strong', 'broken', `${step.broken} of ${step.told}`)),
      el('li', {}, 'Messages that were said in two ways: ', cell('strong', 'two ways', `${step.two_ways} of ${step.messages.length}`)),
    );
    about.replaceChildren(
      el('p', { class: 'widget-line' }, cell('strong', 'step.line', step.line), ' · step ',
        cell('span', 'step.number', `${number + 1} of ${shown.steps.length}`)),
      el('ul', { class: 'does' }, ...step.does.map((what, index) => el('li', {}, cell('span', `does${index + 1}`, what))),
        ...step.lost.map((what, index) => el('li', {}, 'Lost on the way: ', cell('s', `lost${index + 1}`, what)))),
      el('p', {}, ...prose(step.text)),
    );
    figure.replaceChildren(
      el('div', { class: 'stage', 'data-n': '4', style: '--n: 4' }, heads(), lane(step.messages, everything),
        el('div', { class: 'columns' }, ...step.parties.map(disk)),
        client(step)),
      log(step.messages, everything, 'bytes', [['said', 'times']]));
    // Only a step forwards tells what happens.
    if (last !== null && number === last + 1 && !still()) animateFlights(figure, motion);
    last = number;
  }

  /** A party's power, and its disk. */
  function disk({ party, up, left, records }) {
    const name = (index) => `${party}.record${index + 1}`;
    const record = ({ what, state }, index) => {
      const inside = cell('span', name(index), what);
      return el('li', { class: `record ${state.replace(' ', '-')}` },
        el('span', { class: 'number' }, String(index + 1)), el('span', {}, state === 'lost' ? el('s', {}, inside) : inside, ' ',
          cell('em', `${name(index)}.state`, state)));
    };
    return el('div', { class: `column ${party} ${up ? 'up' : 'down'}`, role: 'group', 'aria-label': `${party} and its disk` },
      el('p', { class: 'power' }, 'Power: ', cell('strong', `${party}.power`, up ? 'on' : 'off')),
      el('p', { class: 'items-left' }, 'Items left: ', cell('span', `${party}.left`, up ? `${left[0]} of READ, ${left[1]} of UPDATE` : UNKNOWN)),
      el('p', { class: 'snapshot' }, 'Snapshot: all before'),
      records.length === 0 ? el('p', { class: 'empty' }, 'Journal: empty') : el('ol', { class: 'journal', 'aria-label': 'Journal' }, ...records.map(record)));
  }

  /** What the client has, and what only the reader knows. */
  function client({ parties, end }) {
    const answer = (party, value) => (value.length > 6 && /^\d+$/.test(value)
      ? shortCell('td', `Client.${party}.answer`, value, 4) : cell('td', `Client.${party}.answer`, value));
    const rows = parties.map((one) => el('tr', {}, el('th', { scope: 'row' }, one.party),
      cell('td', `Client.${one.party}.command`, one.command), answer(one.party, one.answer)));
    const head = ['', 'command', 'answer'].map((heading) => (heading ? el('th', { scope: 'col' }, heading) : el('td')));
    const words = (name, label, list) => el('div', { class: 'row' }, el('p', { class: 'name' }, label),
      el('ul', { class: 'words line-up' }, ...list.map((word, index) => el('li', {},
        el('span', { class: 'visually-hidden' }, `at ${index}: `), cell('span', `${name}[${index}]`, word, { class: 'word' })))));
    const facts = [[formula('i*'), 'Reader.i*', String(shown.address)]];
    if (shown.value !== null) facts.push([formula('M'), 'Reader.M', String(shown.value)]);
    if (end?.result) facts.push(['sum of both answers', 'Reader.result', end.result[0]], [formula('D[i*]'), 'Reader.D[i*]', end.result[1]]);
    if (end) facts.push(['as it should be', 'Reader.equal', end.equal]);
    return el('div', { class: 'nobody', role: 'group', 'aria-label': 'The client' },
      el('p', { class: 'party' }, 'The client'),
      el('table', { class: 'messages' }, el('caption', { class: 'visually-hidden' }, 'What it keeps and has, by party'),
        el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows)),
      words('Reader.before', 'memory before', shown.memory),
      ...(end ? [words('Reader.after', 'as read now', end.memory), words('Reader.ideal', 'as it should be', end.ideal)] : []),
      el('ul', { class: 'scalars' }, ...facts.map(([label, name, value]) => el('li', {}, label, name === 'Reader.equal' ? ': ' : ' = ', cell('span', name, value)))));
  }
}
