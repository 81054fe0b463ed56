// Walking through the steps of a widget, by buttons or by arrow keys.

import { el } from './dom.js';

/**
 * Puts buttons into `place`. `show` draws a step; `reset` says how many there are now, and draws again.
 *
 * @param {HTMLElement} place
 * @param {(step: number) => void} show
 */
export function stepper(place, show) {
  let step = 0;
  let last = 0;
  let byHand = () => {};
  const buttons = [
    ['start', 'Start over', () => 0],
    ['back', 'Back', () => step - 1],
    ['next', 'Next', () => step + 1],
    ['end', 'To the end', () => last],
  ].map(([name, text, to]) => {
    const button = el('button', { type: 'button', 'data-step': name }, text);
    button.addEventListener('click', () => {
      byHand();
      go(to());
    });
    return button;
  });
  const group = el('div', { class: 'widget-steps', role: 'group', 'aria-label': 'Steps; arrow keys work here too' }, ...buttons);

  function go(to) {
    step = Math.max(0, Math.min(last, to));
    // Not the attribute disabled: a button that has the focus would lose it.
    buttons.forEach((button, place) => button.setAttribute('aria-disabled', String(step === (place < 2 ? 0 : last))));
    show(step);
  }

  group.addEventListener('keydown', (event) => {
    const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    byHand();
    go(to);
  });
  place.append(group);
  return {
    reset: (count) => {
      last = count - 1;
      go(step);
    },
    redraw: () => go(step),
    go,
    at: () => ({ step, last }),
    group,
    /** Calls `what` before a step that the reader takes. */
    whenByHand: (what) => { byHand = what; },
  };
}
