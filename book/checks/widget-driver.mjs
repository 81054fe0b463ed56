// Works a widget as a reader does, by mouse or by keyboard alone, and reads what it shows.

/** Runs in the page: every cell of a widget, and a digest of all that stands around the cells. */
async function collect(place) {
  const shown = (cell) => ({
    name: cell.dataset.cell,
    text: cell.textContent.trim(),
    value: cell.dataset.value,
    formula: cell.dataset.formula,
    visible: cell.checkVisibility(),
  });
  const cells = [...place.querySelectorAll('[data-cell]')].map(shown);
  const around = place.querySelector('.widget-figure').cloneNode(true);
  for (const cell of around.querySelectorAll('[data-cell]')) {
    cell.textContent = '';
    delete cell.dataset.value;
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(around.outerHTML));
  // As one text: the browser's driver takes its time over large objects.
  return JSON.stringify({ cells, around: String(new Uint8Array(digest)) });
}

/** A formula as it reads without its being raised and lowered: `i*_0 - ri_0` is i*0 − ri0. */
function plain(formula) {
  const letters = [['zeta', 'ζ'], ['gamma', 'γ'], ['rho', 'ρ'], ['D~', 'D̃'], [' - ', ' − '], ['xor', '⊕'], ['_', ''], ['^', '']];
  return letters.reduce((text, [from, to]) => text.replaceAll(from, to), formula);
}

/** The value that a cell shows, or what is wrong with how it shows it. */
export function valueOf({ text, value, formula, visible }) {
  if (!visible) return '(not visible)';
  if (formula !== undefined) return text === plain(formula) ? formula : `${text} for ${formula}`;
  if (value === undefined) return text;
  const digits = /^…(.{4,})$/.exec(text)?.[1];
  return digits !== undefined && value.endsWith(digits) ? value : `${text} for ${value}`;
}

/** Takes away the rest of the text, through which browser and driver would go again at each step. */
export const alone = (page, place) => page.locator('main').evaluate((main, selector) => {
  for (const element of [...main.children]) if (!element.matches(`${selector}, :has(${selector})`)) element.remove();
}, place);

/** One widget on a page. */
export class Driver {
  constructor(page, place) {
    this.page = page;
    this.root = page.locator(place).first();
    this.keyboard = false;
  }

  control(name) { return this.root.locator(`[name="${name}"]`); }

  async collect() { return JSON.parse(await this.root.evaluate(collect)); }

  async error() {
    const error = this.root.locator('.widget-error');
    return (await error.isVisible()) ? error.textContent() : null;
  }

  /** Moves the focus by Tab, or by Shift and Tab, until it is there. */
  async tabTo(locator) {
    const state = () => locator.evaluate((element) => {
      const at = document.activeElement;
      if (at === element) return 'there';
      return at.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING ? 'back' : 'on';
    });
    for (let presses = 0; presses < 150; presses += 1) {
      const where = await state();
      if (where === 'there') return;
      await this.page.keyboard.press(where === 'back' ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`the keyboard does not reach ${locator}`);
  }

  async choose(name, value) {
    const control = this.control(name);
    if (!this.keyboard) return control.selectOption(value);
    await this.tabTo(control);
    const [from, to] = await control.evaluate((select, wanted) => (
      [select.selectedIndex, [...select.options].findIndex((option) => option.value === wanted)]
    ), value);
    const key = to > from ? 'ArrowDown' : 'ArrowUp';
    for (let at = from; at !== to; at += Math.sign(to - from)) await this.page.keyboard.press(key);
    return undefined;
  }

  async type(name, text) {
    const control = this.control(name);
    if (this.keyboard) {
      await this.tabTo(control);
      await this.page.keyboard.press('ControlOrMeta+a');
      if (text === '') await this.page.keyboard.press('Delete');
      else await this.page.keyboard.type(text);
      await this.page.keyboard.press('Enter');
    } else {
      await control.fill(text);
      await control.blur();
    }
  }

  /** Fills in a form: choices first, as they may change other fields, then the seed, as it draws anew. */
  async fill(form) {
    const order = ['kind', 'party', 'depth', 'memory', 'seed'];
    const names = [...order.filter((name) => name in form), ...Object.keys(form).filter((name) => !order.includes(name))];
    for (const name of names) {
      const isChoice = await this.control(name).evaluate((control) => control.tagName === 'SELECT');
      if (isChoice) await this.choose(name, form[name]);
      else if (await this.control(name).inputValue() !== form[name]) await this.type(name, form[name]);
    }
  }

  async press(button) {
    if (this.keyboard) {
      await this.tabTo(button);
      await this.page.keyboard.press('Enter');
    } else {
      await button.click();
    }
  }

  /** Moves the mark of a slider: drags it, or by keys. */
  async slide(name, value) {
    const slider = this.control(name);
    const [from, last] = await slider.evaluate(({ value: now, max }) => [Number(now), Number(max)]);
    if (this.keyboard) {
      await this.tabTo(slider);
      const nearEnd = last - value < Math.abs(value - from);
      if (nearEnd) await this.page.keyboard.press('End');
      for (let at = nearEnd ? last : from; at !== value; at += Math.sign(value - at)) {
        await this.page.keyboard.press(value > at ? 'ArrowRight' : 'ArrowLeft');
      }
      return;
    }
    await slider.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const { x, y, width, height } = await slider.boundingBox();
    const mark = 26;
    const place = (at) => [x + mark / 2 + (at / last) * (width - mark), y + height / 2];
    await this.page.mouse.move(...place(from));
    await this.page.mouse.down();
    await this.page.mouse.move(...place(value), { steps: 4 });
    await this.page.mouse.up();
  }

  /** One of the buttons play, start, back, next and end. */
  step(which) { return this.press(this.root.locator(`[data-step="${which}"]`)); }

  async atStart() {
    return (await this.root.locator('[data-step="start"]').getAttribute('aria-disabled')) === 'true';
  }

  /** An arrow key while the steps have the focus. */
  async arrow(key) {
    await this.tabTo(this.root.locator('[data-step="next"]'));
    await this.page.keyboard.press(key);
  }
}
