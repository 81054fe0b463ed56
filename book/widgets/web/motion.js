// What moves between two steps. The page already stands as the new step has it; here is only shown how it came to be so. A reader
// who wants no motion sees none, and nothing that is shown depends on it.

const FLIGHT = 1100;
const TURN = 1400;
const APPEAR = 500;

/** Whether the reader has asked for no motion. */
export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The middle of an element, from the top left of `place`. */
function middle(element, place) {
  const [box, whole] = [element.getBoundingClientRect(), place.getBoundingClientRect()];
  return { x: box.left + box.width / 2 - whole.left, y: box.top + box.height / 2 - whole.top };
}

/** The place that the word at `slot` was at, of n. */
function before(slot, { turned, xored }, n) {
  return xored === undefined ? (((slot - turned) % n) + n) % n : slot ^ xored;
}

/** A place on a wheel, by the part of a turn. */
const onWheel = (part) => (
  `translate(-50%, -50%) rotate(${part}turn) translateY(calc(var(--radius) * -1)) rotate(${-part}turn)`
);

/** A stage on which things move. */
export class Motion {
  /** @param {HTMLElement} place what is flown over */
  constructor(place) {
    this.place = place;
    this.running = new Set();
    this.flying = new Set();
  }

  /** Ends whatever still moves. */
  stop() {
    this.running.forEach((animation) => animation.cancel());
    this.flying.forEach((element) => element.remove());
    this.running.clear();
    this.flying.clear();
  }

  run(element, keyframes, options) {
    const animation = element.animate(keyframes, { easing: 'ease-in-out', fill: 'backwards', ...options });
    this.running.add(animation);
    animation.finished.catch(() => {}).then(() => this.running.delete(animation));
    return animation;
  }

  /** A copy of `what` flies from one element to another. */
  fly(what, from, to, delay = 0) {
    const copy = what.cloneNode(true);
    copy.className = 'flying';
    copy.setAttribute('aria-hidden', 'true');
    [copy, ...copy.querySelectorAll('[data-cell]')].forEach((part) => part.removeAttribute('data-cell'));
    const [start, end] = [middle(from, this.place), middle(to, this.place)];
    this.place.append(copy);
    this.flying.add(copy);
    const at = ({ x, y }) => `translate(-50%, -50%) translate(${x}px, ${y}px)`;
    this.run(copy, [
      { transform: at(start), opacity: 0 },
      { transform: at(start), opacity: 1, offset: 0.12 },
      { transform: at(end), opacity: 1, offset: 0.9 },
      { transform: at(end), opacity: 0 },
    ], { duration: FLIGHT, delay, fill: 'both' }).finished.catch(() => {}).then(() => {
      copy.remove();
      this.flying.delete(copy);
    });
  }

  /** Comes to be seen. */
  appear(element, delay = 0) {
    this.run(element, [{ opacity: 0 }, { opacity: 1 }], { duration: APPEAR, delay });
  }

  /** The words of a vector, `items` by their places, come from where they were. */
  move(items, moved, onAWheel) {
    const n = items.length;
    items.forEach((item, slot) => {
      const from = before(slot, moved, n);
      if (from === slot) return;
      if (onAWheel) {
        // Forwards all the way, also over the top.
        this.run(item, [{ transform: onWheel((slot - moved.turned) / n) }, { transform: onWheel(slot / n) }], { duration: TURN });
        return;
      }
      const [x, y] = ['offsetLeft', 'offsetTop'].map((side) => items[from][side] - item[side]);
      // Who goes over the end passes below the others, and who changes place with another above.
      const over = moved.turned !== undefined && from > slot ? 1.4 : 0;
      const arc = moved.xored !== undefined && from > slot ? -0.9 : over;
      this.run(item, [
        { transform: `translate(${x}px, ${y}px)`, zIndex: 1 },
        { transform: `translate(${x / 2}px, calc(${y / 2}px + ${arc}em))`, zIndex: 1 },
        { transform: 'none', zIndex: 1 },
      ], { duration: TURN });
    });
  }
}

/** How long the longest movement of a step takes, in milliseconds. */
export const LONGEST = FLIGHT + TURN;
