// Pulls plugs as a reader does: goes to a step, presses the button, and walks through what comes of it.

import { accessibleIn } from './widget-axe.mjs';
import { Walk, Wrong } from './widget-walk.mjs';

export class CrashWalk extends Walk {
  /** The plugs of an input: `P0@5 P1@9`. */
  pulls(form) {
    return form.pulls.split(' ').filter((pull) => pull !== '').map((pull) => {
      const [party, after] = pull.split('@');
      return { party, after: Number(after) };
    });
  }

  plug(party) { return this.driver.root.locator(`[data-plug="${party}"]`); }

  /** The step that the page is at, from 1. */
  async at() { return Number((await this.driver.root.locator('[data-cell="step.number"]').textContent()).split(' ')[0]); }

  /** Goes forwards to a step by the button, or by its key. */
  async goTo(step) {
    for (let at = await this.at(); at < step; at += 1) {
      if (this.driver.keyboard) await this.driver.arrow('ArrowRight');
      else await this.driver.step('next');
    }
    const at = await this.at();
    if (at !== step) throw new Wrong(`crash: expected to come to step ${step}, got step ${at}`);
  }

  /** Goes backwards to a step. */
  async goBack(step) {
    for (let at = await this.at(); at > step; at -= 1) await this.driver.step('back');
  }

  async fill(form) {
    const { pulls, ...fields } = form;
    // A field that changes mends all plugs; what has not changed is not typed.
    if (await this.plug('none').getAttribute('aria-disabled') === 'false') await this.driver.press(this.plug('none'));
    await this.driver.fill(fields);
    if (!await this.driver.atStart()) await this.driver.step('start');
    for (const { party, after } of this.pulls(form)) {
      await this.goTo(after);
      await this.driver.press(this.plug(party));
      const now = await this.at();
      if (now !== after + 1) throw new Wrong(`crash: expected step ${after + 1} when a plug is pulled after step ${after}, got ${now}`);
      const off = await this.plug(party).getAttribute('aria-disabled');
      if (off !== 'true') throw new Wrong(`crash: the plug of ${party}, which has no power, can be pulled`);
      // A reader may try it.
      await this.plug(party).focus();
      await this.driver.page.keyboard.press('Enter');
      if (await this.at() !== now) throw new Wrong(`crash: a plug that is pulled was pulled again`);
    }
    if (!await this.driver.atStart()) await this.driver.step('start');
  }

  /** After the button for the next seed no plug is pulled, and there are fewer steps. */
  async afterSeed(form, steps) {
    if (await this.at() < steps.length) await this.driver.step('end');
    return super.afterSeed(form, steps);
  }

  /** What the page has counted at the end: nothing that was lost or used twice, unless the disks lie; and both, where they must be. */
  async counted(form, at) {
    const count = async (name) => Number((await this.driver.root.locator(`[data-cell="${name}"]`).textContent()).split(' of ')[0]);
    if (form.disks === 'keep') {
      if (await count('broken') + await count('two ways') !== 0) throw new Wrong('crash: disks that keep all have lost something');
    } else if (at === 2) {
      const twice = await count('two ways');
      if (twice !== 2) throw new Wrong(`crash: expected 2 messages that were said in two ways by P0, whose disk has lied, got ${twice}`);
      const [{ party, after }] = this.pulls(form);
      await this.goBack(after + 1);
      const lost = await count('broken');
      if (lost !== 1) throw new Wrong(`crash: expected 1 input that is lost when ${party}, whose disk has lied, loses its power, got ${lost}`);
      await this.driver.step('end');
    }
  }

  /** At the last step nothing can fail any more; and axe looks at a step with a crash. */
  async further(form, steps, random, at) {
    await this.counted(form, at);
    const offs = await this.driver.root.locator('[data-plug^="P"][aria-disabled="true"]').count();
    if (offs !== 3) throw new Wrong(`crash: expected three plugs that cannot be pulled at the last step, got ${offs}`);
    if (at !== 0) return;
    const [{ after }] = this.pulls(form);
    await this.driver.step('start');
    await this.goTo(after + 1);
    await accessibleIn(['coal', 'light'], this.driver.page, `crash, step ${after + 1}`, this.widget.place);
  }
}
