// A button that takes one step after another by itself, until it is pressed again or the reader takes a step.

import { el } from './dom.js';

/** How long a step is shown, in milliseconds: its movement, and time to look at it, if a widget says nothing else. */
const SHOWN = 2000;

/**
 * Puts the button before the others.
 *
 * @param {ReturnType<import('./steps.js').stepper>} steps
 * @param {() => number} [time] how long the step is shown that is there
 * @returns {{stop: () => void}}
 */
export function player(steps, time = () => SHOWN) {
  const button = el('button', { type: 'button', 'data-step': 'play' }, 'Play');
  let timer = null;
  const stop = () => {
    clearTimeout(timer);
    timer = null;
    button.textContent = 'Play';
  };
  const tick = () => {
    steps.go(steps.at().step + 1);
    const { step, last } = steps.at();
    if (step === last) stop();
    else timer = setTimeout(tick, time());
  };
  button.addEventListener('click', () => {
    if (timer !== null) {
      stop();
      return;
    }
    button.textContent = 'Pause';
    const { step, last } = steps.at();
    if (step < last) tick();
    else {
      steps.go(0);
      timer = setTimeout(tick, time());
    }
  });
  steps.whenByHand(stop);
  steps.group.prepend(button);
  return { stop };
}
