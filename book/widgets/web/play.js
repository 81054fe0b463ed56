// A button that takes one step after another by itself, until it is pressed again or the reader takes a step.

import { el } from './dom.js';

/** How long a step is shown, in milliseconds: its movement, and time to look at it. */
const SHOWN = 2000;

/**
 * Puts the button before the others.
 *
 * @param {ReturnType<import('./steps.js').stepper>} steps
 * @returns {{stop: () => void}}
 */
export function player(steps) {
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
    else timer = setTimeout(tick, SHOWN);
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
      timer = setTimeout(tick, SHOWN);
    }
  });
  steps.whenByHand(stop);
  steps.group.prepend(button);
  return { stop };
}
