// Walks through what a widget shows, and compares each cell with the answers.

import { valueOf } from './widget-driver.mjs';

/** What stops the check: where, and what was expected. */
export class Wrong extends Error {}

/** Compares the cells shown with those expected, by name, in both directions. */
export function compare(where, shown, expected) {
  const seen = new Map();
  for (const cell of shown) {
    if (seen.has(cell.name)) throw new Wrong(`${where}, cell ${cell.name}: shown twice`);
    seen.set(cell.name, valueOf(cell));
    if (!(cell.name in expected)) throw new Wrong(`${where}, cell ${cell.name}: expected no such cell, got ${seen.get(cell.name)}`);
  }
  for (const [name, value] of Object.entries(expected)) {
    const got = seen.get(name);
    if (got !== value) throw new Wrong(`${where}, cell ${name}: expected ${value}, got ${got ?? 'no such cell'}`);
  }
  return seen.size;
}

/** Walks through the steps of one input after another, and compares. */
export class Walk {
  constructor(widget, driver) {
    this.widget = widget;
    this.driver = driver;
    this.steps = 0;
    this.cells = 0;
    this.inputs = 0;
    this.sparing = false; // the first and the last steps only
    this.around = new Map();
  }

  /** The step that is shown, in some views. */
  async look(form, steps, step, views) {
    const { name, groups } = this.widget;
    const single = this.widget.views.length === 1;
    this.steps += 1;
    for (const view of views) {
      if (!single) await this.driver.choose('view', view);
      const where = `${name}, input ${JSON.stringify(form)}, step ${step + 1}, view ${view}`;
      const { cells, around } = await this.driver.collect();
      this.cells += await this.compared(where, cells, steps[step][view]);
      // What stands around the cells may depend on what is public, and on nothing else.
      if (single) continue;
      const key = [groups(form, view), step, view].join();
      if ((this.around.get(key) ?? around) !== around) throw new Wrong(`${where}: what stands around the cells depends on the input`);
      this.around.set(key, around);
    }
  }

  /** One input: forward to the end, back, to the start and to the end, with the buttons or with the arrow keys. */
  async input(form, steps, byArrows) {
    const { driver } = this;
    const last = steps.length - 1;
    if (last > 0 && !(await driver.atStart())) await driver.step('start');
    await this.fill(form);
    const refusal = await driver.error();
    if (refusal !== null) throw new Wrong(`${this.widget.name}, input ${JSON.stringify(form)}: refused: ${refusal}`);
    const move = (which) => (byArrows
      ? driver.arrow({ next: 'ArrowRight', back: 'ArrowLeft', start: 'Home', end: 'End' }[which])
      : driver.step(which));
    // All views of each step by mouse; by keyboard, which takes its time, or if sparing, one after the other, from another one each time.
    const { views } = this.widget;
    const { inputs, sparing } = this;
    const one = (step) => [views[(inputs + step) % views.length]];
    const around = [['back', last - 1], ['start', 0], ['end', last]];
    for (let step = 0; step <= (sparing ? 0 : last); step += 1) {
      if (step > 0) await move('next');
      await this.look(form, steps, step, driver.keyboard || sparing ? one(step) : views);
    }
    for (const [which, step] of last === 0 ? [] : sparing ? [['end', last], ...around] : around) {
      await move(which);
      await this.look(form, steps, step, one(step));
    }
    this.inputs += 1;
  }

  /** After the button for the next seed. */
  afterSeed(form, steps) { return this.look(form, steps, steps.length - 1, this.widget.views); }

  /** Fills in the form, and whatever else the input says. */
  fill(form) { return this.driver.fill(form); }

  /** The cells of a view as they are compared, and what is expected of them. */
  async compared(where, shown, expected) { return compare(where, shown, expected); }

  /** What is tried on pages of its own. */
  async elsewhere() { /* nothing */ }

  /** What else is tried with an input, at the last step. */
  async further() { /* nothing */ }

  /** A bad input: a message that names expected and got, and nothing else changes. */
  async refusals() {
    const { widget: { name, refused }, driver } = this;
    for (const [field, text, message] of refused) {
      const where = `${name}, field ${field}, bad input ${JSON.stringify(text)}`;
      const good = await driver.control(field).inputValue();
      const before = JSON.stringify(await driver.collect());
      await driver.type(field, text);
      const said = await driver.error();
      if (!said?.startsWith(message)) throw new Wrong(`${where}: expected the message "${message}", got ${said}`);
      const marked = await driver.control(field).getAttribute('aria-invalid');
      if (marked !== 'true') throw new Wrong(`${where}: expected aria-invalid true, got ${marked}`);
      if (JSON.stringify(await driver.collect()) !== before) throw new Wrong(`${where}: what is shown has changed`);
      await driver.type(field, good);
      if (await driver.error() !== null) throw new Wrong(`${where}: the message stays after it was mended`);
    }
  }
}
