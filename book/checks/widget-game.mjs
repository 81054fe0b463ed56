// Plays the game as a reader does: looks, uses the tool, guesses, goes on, and lets the tool play.

import { accessible } from './widget-axe.mjs';
import { Walk, Wrong, compare } from './widget-walk.mjs';

/** The steps of an answer, in the order in which the program `answers` gives them. */
const [DEALT, TOOL, GUESSED, NEXT, SERIES] = [0, 1, 2, 3, 4];

export class GameWalk extends Walk {
  button(name) { return this.driver.root.locator(`[data-act="${name}"]`); }

  press(name) { return this.driver.press(this.button(name)); }

  /** A button that is off: a reader can still try it. */
  async tryOff(name) {
    await this.button(name).focus();
    await this.driver.page.keyboard.press('Enter');
  }

  async see(form, steps, step) {
    const where = `${this.widget.name}, input ${JSON.stringify(form)}, step ${step + 1}, view all`;
    const { cells, around } = await this.driver.collect();
    this.steps += 1;
    this.cells += compare(where, cells, steps[step].all);
    if ([TOOL, GUESSED].includes(step)) return;
    // Before the guess nothing may depend on which script is run but what the party sees of it.
    const key = this.widget.groups(form);
    if ((this.around.get(key) ?? around) !== around) throw new Wrong(`${where}: what stands around the cells depends on the input`);
    this.around.set(key, around);
  }

  async input(form, steps) {
    const { driver } = this;
    const { guess, ...fields } = form;
    await driver.fill(fields);
    const refusal = await driver.error();
    if (refusal !== null) throw new Wrong(`${this.widget.name}, input ${JSON.stringify(form)}: refused: ${refusal}`);
    const closed = driver.root.locator('details:not([open]) > summary');
    while (await closed.count() > 0) await driver.press(closed.first());

    await this.see(form, steps, DEALT);
    await this.tryOff('next'); // not before a guess
    await this.see(form, steps, DEALT);
    await this.press('tool');
    await this.see(form, steps, TOOL);
    await this.press(guess);
    await this.see(form, steps, GUESSED);
    await this.tryOff(guess === 'A' ? 'B' : 'A'); // one guess a round
    await this.see(form, steps, GUESSED);
    await this.audit(form);
    await this.press('next');
    await this.see(form, steps, NEXT);
    await this.press('series');
    await this.see(form, steps, SERIES);
  }

  /** The page as it is at the end of a round, all unfolded, by axe; once is enough for each fault. */
  async audit({ fault }) {
    if (this.audited?.has(fault)) return;
    this.audited = (this.audited ?? new Set()).add(fault);
    await accessible(this.driver.page, `game, fault ${fault}`);
  }

  afterSeed(form, steps) { return this.see(form, steps, DEALT); }
}
