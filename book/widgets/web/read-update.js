// An operation, message by message: what is sent, and who knows what.

import { cell, el, prose } from './dom.js';
import { form, seedButton } from './form.js';
import { LONGEST, Motion, still } from './motion.js';
import { player } from './play.js';
import { animate, stage } from './stage.js';
import { stepper } from './steps.js';

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

/** How long a step is played, in milliseconds: what moves, or until its text is read. */
const time = ({ text }) => Math.max(1200 + 35 * text.length, still() ? 0 : LONGEST);

/** Starts the widget in `place`; its `data-operation` is `read` or `update`, or `lean`, which has all of that protocol's. */
export function start(place, specification) {
  const { operation } = place.dataset;
  let shown = null;
  let last = null;
  const controls = form(place, fields[operation], take);
  seedButton(controls, 'New seed');
  const steps = stepper(place, draw);
  const play = player(steps, () => time(shown.steps[last]));
  const view = el('select', { name: 'view' }, ...views.map(([value, text]) => el('option', { value }, text)));
  view.addEventListener('change', () => steps.redraw());
  const text = el('div', { class: 'widget-text', 'aria-live': 'polite' });
  const figure = el('div', { class: 'widget-figure' });
  place.append(el('div', { class: 'widget-bar' }, el('label', {}, el('span', {}, 'Show'), view)), text, figure,
    el('p', {}, ...prose(knowing + (forExample[operation] ?? forExample.paper))));
  const motion = new Motion(place);
  controls.submit();

  function take(values) {
    const answer = specification[operation](values);
    if (answer.error !== undefined) return answer;
    play.stop();
    [shown, last] = [answer, null];
    steps.reset(answer.steps.length);
    return {};
  }

  function draw(number) {
    const step = shown.steps[number];
    motion.stop();
    text.replaceChildren(
      el('p', { class: 'widget-line' }, cell('strong', 'step.line', step.line), ' · step ',
        cell('span', 'step.number', `${number + 1} of ${shown.steps.length}`)),
      el('p', {}, ...prose(step.text)),
    );
    figure.replaceChildren(...stage(shown, step, (known) => view.value === 'all' || known.includes(view.value)));
    // Only a step forwards tells what happens.
    if (last !== null && number === last + 1 && !still()) animate(figure, step, motion);
    last = number;
  }
}
