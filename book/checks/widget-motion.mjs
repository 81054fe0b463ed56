// What moves on a stage, and plays by itself: words come from the places where they were, messages from their senders, and a
// reader who wants no motion sees none.

import { PATIENCE } from './browser.mjs';
import { accessibleIn } from './widget-axe.mjs';
import { alone, Driver } from './widget-driver.mjs';
import { Wrong, compare } from './widget-walk.mjs';

/** Runs in the page before all else: whatever moves waits at its beginning, so that a slow browser misses nothing. */
export function holdStill() {
  const { animate } = Element.prototype;
  Element.prototype.animate = function animateStopped(...how) {
    const animation = animate.apply(this, how);
    animation.pause();
    return animation;
  };
}

/** Runs in the page: what moves in this step, and where it begins, as the place in its vector. */
function beginnings(place) {
  const centre = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const animations = place.getAnimations({ subtree: true });
  const vectors = [...place.querySelectorAll('.words[data-moved]:not(.hidden-words)')];
  animations.forEach((animation) => animation.finish());
  const ends = vectors.map((vector) => [...vector.children].map(centre));
  animations.forEach((animation) => {
    animation.pause();
    animation.currentTime = 0;
  });
  const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < 2;
  const moved = vectors.map((vector, which) => ({
    name: vector.dataset.vector,
    from: [...vector.children].map((item) => ends[which].findIndex((end) => near(end, centre(item)))),
  }));
  const heads = Object.fromEntries(['P0', 'P1', 'P2'].map((party) => [party, centre(place.querySelector(`.stage-heads .${party}`))]));
  const at = (point) => Object.keys(heads).find((party) => near(heads[party], point)) ?? 'elsewhere';
  const copies = [...place.querySelectorAll('.flying')];
  const starts = copies.map((copy) => at(centre(copy)));
  const edge = document.documentElement.clientWidth;
  const leaving = () => copies.filter((copy) => {
    const { left, right } = copy.getBoundingClientRect();
    return left < 0 || right > edge;
  }).map((copy) => copy.textContent);
  const outside = leaving();
  animations.forEach((animation) => { animation.currentTime = animation.effect.getComputedTiming().endTime - 1; });
  outside.push(...leaving());
  const flown = copies.map((copy, which) => `${starts[which]} to ${at(centre(copy))}: ${copy.textContent}`);
  animations.forEach((animation) => animation.finish());
  return { count: animations.length, moved, outside, flown: flown.filter((flight) => !flight.includes('elsewhere')) };
}

/** The flights of a step, from its cells: each message once for each who gets it. */
function flights(cells) {
  const found = [];
  for (let which = 1; `flying${which}.way` in cells; which += 1) {
    const [from, to] = cells[`flying${which}.way`].split(' to ');
    found.push(...to.split(', ').map((party) => ({ way: `${from} to ${party}`, value: cells[`flying${which}.value`] })));
  }
  return found;
}

/** The words of each vector of a step. */
function vectors(cells) {
  const found = {};
  for (const [cell, word] of Object.entries(cells)) {
    const [, name, place] = /^(.*)\[(\d+)\]$/.exec(cell) ?? [];
    if (name !== undefined) (found[name] ??= [])[place] = word;
  }
  return found;
}

// Changes are added to the memory's own vectors, and nothing moves them; small words may then be, by chance, those of the step before in
// other places.
const ofMemory = /^\w+\.(D|zeta|[ABEH]\b)/;

/** The place that the word at a slot comes from. */
const cameFrom = (slot, shift, n, xored) => (xored ? slot ^ shift : (slot - shift + n) % n);

async function step(driver, widget, steps, number, n) {
  const where = `${widget.name}, in motion, step ${number + 1}`;
  const cells = steps[number].all;
  compare(where, (await driver.collect()).cells, cells); // while it moves
  const { moved, flown, outside } = await driver.root.evaluate(beginnings);
  if (outside.length > 0) throw new Wrong(`${where}: flies off the page: ${outside[0]}`);
  const expected = flights(cells);
  const same = flown.length === expected.length
    && expected.every(({ way, value }, at) => flown[at].startsWith(`${way}: `) && flown[at].endsWith(` = ${value}`));
  if (!same) throw new Wrong(`${where}: expected flights ${JSON.stringify(expected)}, got ${JSON.stringify(flown)}`);
  for (const { name, from } of moved) {
    // The vectors of the preparing are moved by e, all others by S.
    const shift = Number(/\.o_/.test(name) ? cells['P0.e'] : cells['P0.S']);
    const wanted = from.map((_, slot) => cameFrom(slot, shift, n, widget.name === 'lean'));
    if (String(from) !== String(wanted)) throw new Wrong(`${where}: ${name}: expected words from places ${wanted}, got ${from}`);
  }
  // Whose words are those of the step before, at other places, is seen to move.
  const before = vectors(steps[number - 1].all);
  for (const [name, now] of Object.entries(vectors(cells))) {
    const was = before[name];
    if (ofMemory.test(name) || was === undefined || cells['P0.S'] === undefined || String(was) === String(now)) continue;
    const shifted = now.every((word, slot) => word === was[cameFrom(slot, Number(cells['P0.S']), n, widget.name === 'lean')]);
    if (shifted && !moved.some((vector) => vector.name === name)) throw new Wrong(`${where}: ${name} stands still, and its words have moved`);
  }
  await driver.page.waitForFunction(() => document.querySelector('.flying') === null, null, { timeout: PATIENCE });
  compare(where, (await driver.collect()).cells, cells);
  return moved.length;
}

/** Steps through one input with motion, on a page of its own: in a window that is made narrow later the sidebar would stay open. */
async function moving(browser, url, walker, form, steps, width) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'no-preference' });
  page.setDefaultTimeout(PATIENCE);
  await page.clock.install();
  await page.addInitScript(holdStill);
  await page.goto(url);
  const driver = new Driver(page, walker().widget.place);
  const walk = walker(driver);
  const { widget } = walk;
  await page.waitForSelector(`${widget.place}[data-state="ready"]`);
  await alone(page, widget.place);
  await walk.fill(form);
  let turned = 0;
  for (let number = 1; number < steps.length; number += 1) {
    await driver.step('next');
    turned += await step(driver, widget, steps, number, Number(form.memory));
  }
  if (turned === 0 && widget.moves === 'vectors') throw new Wrong(`${widget.name}, in motion: no vector has moved`);
  return { page, driver };
}

/** Steps through one input with motion, on pages of these widths; on the last of them then without; plays it, and pauses. */
export async function inMotion(browser, url, walker, form, steps, widths) {
  const { widget } = walker();
  for (const width of widths.slice(0, -1)) await (await moving(browser, url, walker, form, steps, width)).page.close();
  const { page, driver } = await moving(browser, url, walker, form, steps, widths.at(-1));

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await driver.step('start');
  const sending = steps.findIndex(({ all }) => 'flying1.way' in all);
  for (let number = 1; number < steps.length; number += 1) {
    await driver.step('next');
    const { count } = await driver.root.evaluate(beginnings);
    if (count > 0) throw new Wrong(`${widget.name}: ${count} things move at step ${number + 1}, for a reader who wants no motion`);
    if (number === sending || number === steps.length - 1) {
      await accessibleIn(['coal', 'light'], page, `${widget.name}, step ${number + 1}`, widget.place);
    }
  }

  const play = driver.root.locator('[data-step="play"]');
  const shown = async () => Number((await driver.root.locator('[data-cell="step.number"]').textContent()).split(' ')[0]);
  const expectStep = async (expected, when) => {
    const got = await shown();
    if (got !== expected) throw new Wrong(`${widget.name}: expected step ${expected} ${when}, got ${got}`);
  };
  driver.keyboard = true;
  await driver.press(play); // from the end: from the start again
  await expectStep(1, 'when play begins at the end');
  await page.clock.runFor(60_000);
  if (await shown() < 3) throw new Wrong(`${widget.name}: a minute of play, and only step ${await shown()}`);
  await page.clock.runFor(600_000);
  await expectStep(steps.length, 'after playing');
  compare(`${widget.name}, played`, (await driver.collect()).cells, steps.at(-1).all);
  if (await play.textContent() !== 'Play') throw new Wrong(`${widget.name}: still plays at the end`);
  await driver.press(play);
  await driver.press(play); // pause
  await page.clock.runFor(600_000);
  await expectStep(1, 'while it is paused');
  await page.close();
}
