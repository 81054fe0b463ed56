// Walks through the trees of a DPF: both views, the mark that is dragged, each node's look, the steps that take themselves.

import { PATIENCE } from './browser.mjs';
import { accessibleIn } from './widget-axe.mjs';
import { Driver } from './widget-driver.mjs';
import { holdStill } from './widget-motion.mjs';
import { Walk, Wrong, compare } from './widget-walk.mjs';

/** Pixels that a node needs for digits, and for a sign. */
const [DIGITS, SIGN] = [41, 10];
const themes = ['light', 'rust', 'coal', 'navy', 'ayu'];

/** Runs in the page: how wide the tree is, how each node looks, and how the legend says that it should. */
function drawnIn(place) {
  const look = (element) => {
    const { backgroundColor, borderTopLeftRadius, borderTopWidth } = getComputedStyle(element);
    return { colour: backgroundColor, square: borderTopLeftRadius === '0px', frame: parseFloat(borderTopWidth), wide: element.offsetWidth };
  };
  const nodes = [...place.querySelectorAll('.tree:not([hidden]) .node')];
  return {
    width: place.querySelector('.tree').clientWidth,
    legend: Object.fromEntries([...place.querySelectorAll('[data-look]')].map((sample) => [sample.dataset.look, look(sample)])),
    nodes: nodes.map((node) => ({ name: `${node.parentElement.dataset.party}.${node.dataset.place}`, ...look(node) })),
  };
}

export class TreeWalk extends Walk {
  constructor(widget, driver, ask) {
    super(widget, driver);
    this.ask = ask;
  }

  async fill({ supposed, ...form }) {
    const { driver } = this;
    await driver.fill(form);
    await driver.choose('view', 'P0');
    await driver.slide('leaf', Number(supposed));
  }

  /** Cells for which a node is too small are not there; digits are the last ones. And a node looks as its sign says. */
  async compared(where, shown, expected) {
    const { width, legend, nodes } = await this.driver.root.evaluate(drawnIn);
    const room = (name) => {
      const level = /\.level(\d+)\..*\.(label|flag|compare|applied)$/.exec(name);
      return level === null || width / 2 ** Number(level[1]) >= (level[2] === 'label' ? DIGITS : SIGN);
    };
    const roomy = Object.fromEntries(Object.entries(expected).filter(([name]) => room(name)));
    const count = compare(where, shown, roomy);
    for (const { name, colour, square, frame, wide } of 'P0.level0.node0.compare' in expected ? nodes : []) {
      const [, party, level, node] = /^(P[01])\.(\d+)\.(\d+)$/.exec(name);
      const sign = expected[`${party}.level${level}.node${node}.compare`];
      const { equal, different } = legend;
      const as = sign === '=' ? equal : different;
      const bare = width / 2 ** Number(level) < SIGN;
      const alike = bare ? square === (sign === '≠') && wide >= (sign === '≠' ? 9 : 3) : colour === as.colour && square === as.square;
      if (!alike || (sign === '≠') !== (frame > 1) || equal.colour === different.colour || equal.square === different.square) {
        throw new Wrong(`${where}, node ${name}: does not look as ${sign} does in the legend`);
      }
    }
    return count;
  }

  /** One look, compared with one answer. */
  async see(where, answer) {
    // What moves is looked at where it comes to rest.
    await this.driver.root.evaluate((place) => place.getAnimations({ subtree: true }).forEach((animation) => animation.finish()));
    this.cells += await this.compared(`${this.widget.name}, ${where}`, (await this.driver.collect()).cells, answer);
  }

  async further(form, steps, random, at) {
    await this.node(form, steps, random);
    if (at % 6 < 2) await this.moved(form, random);
    if (at === 4 || at === 5) await this.everyLeaf(form); // by keyboard, and by mouse
    if (at === 5) await this.audit();
  }

  /** Chooses a node: both its labels are then shown whole. */
  async node(form, steps, random) {
    const { driver } = this;
    const level = random.below(Number(form.depth) + 1);
    const node = random.below(2 ** level);
    const party = random.pick(['P0', 'P1']);
    await driver.choose('view', 'all');
    if (driver.keyboard) {
      await driver.choose('level', String(level));
      await driver.choose('node', String(node));
    } else {
      await driver.press(driver.root.locator(`[data-party="${party}"] [data-place="${level}.${node}"]`));
    }
    const cells = steps.at(-1).all;
    await this.see(`input ${JSON.stringify(form)}, node ${level}.${node} of ${party}`, {
      ...cells,
      'selected.place': `level ${level}, node ${node}`,
      'selected.P0': cells[`P0.level${level}.node${node}.label`],
      'selected.P1': cells[`P1.level${level}.node${node}.label`],
    });
  }

  /** With both trees in view the mark moves the target itself, and both get other keys. */
  async moved(form, random) {
    const leaves = 2 ** Number(form.depth);
    const target = String((Number(form.target) + 1 + random.below(leaves - 1)) % leaves);
    const other = { ...form, target, supposed: target };
    const [steps] = this.ask([other]);
    await this.driver.choose('view', 'all');
    await this.driver.slide('leaf', Number(target));
    const field = await this.driver.control('target').inputValue();
    if (field !== target) throw new Wrong(`${this.widget.name}: expected target ${target} in the form, got ${field}`);
    for (const view of this.widget.views) {
      await this.driver.choose('view', view);
      await this.see(`input ${JSON.stringify(form)}, target moved to ${target}, view ${view}`, steps.at(-1)[view]);
    }
  }

  /** What P0 sees, with the mark at every leaf: nothing of P0's changes, and all of P1's is what it has to be. */
  async everyLeaf(form) {
    const { driver } = this;
    const back = 1; // the last level, corrected
    await driver.choose('view', 'P0');
    await driver.step('back');
    const leaves = Array.from({ length: 2 ** Number(form.depth) }, (_, leaf) => leaf);
    const target = await driver.control('target').inputValue();
    const answers = this.ask(leaves.map((leaf) => ({ ...form, target, supposed: String(leaf) })));
    const ofP0 = (cells) => JSON.stringify(cells.filter(({ name }) => /^(P0|key)\./.test(name)));
    let first = null;
    for (const leaf of leaves) {
      await driver.slide('leaf', leaf);
      const { cells } = await driver.collect();
      const where = `${this.widget.name}, input ${JSON.stringify(form)}, supposed at leaf ${leaf}`;
      this.cells += await this.compared(where, cells, answers[leaf].at(-1 - back).P0);
      first ??= ofP0(cells);
      if (ofP0(cells) !== first) throw new Wrong(`${where}: what P0 sees has changed`);
    }
    await driver.step('next');
  }

  /** Both views by axe, in the colours of every theme. */
  async audit() {
    const { page } = this.driver;
    for (const view of this.widget.views) {
      await this.driver.choose('view', view);
      await accessibleIn(themes, page, `${this.widget.name}, view ${view}`, this.widget.place);
    }
  }

  /** On pages of their own: steps that take themselves, with movement; and the deepest tree on a telephone. */
  async elsewhere(browser, url, form) {
    const [steps] = this.ask([{ ...form, supposed: form.target }]);
    const keep = this.driver;
    await this.plays(browser, url, form, steps, false);
    await this.plays(browser, url, form, steps, true);
    await this.deepOnTelephone(browser, url);
    this.driver = keep;
  }

  async open(browser, url, options) {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.clock.install();
    await page.addInitScript(holdStill);
    await page.goto(url);
    await page.waitForSelector(`${this.widget.place}[data-state="ready"]`);
    this.driver = new Driver(page, this.widget.place);
    return page;
  }

  async plays(browser, url, form, steps, reduced) {
    const page = await this.open(browser, url, { viewport: { width: 1280, height: 900 }, reducedMotion: reduced ? 'reduce' : 'no-preference' });
    const { driver } = this;
    const { supposed, ...fields } = form;
    await driver.fill(fields);
    await page.clock.pauseAt(Date.now() + 3_600_000); // from here on, time passes as the check says
    driver.keyboard = reduced;
    const play = driver.root.locator('[data-step="play"]');
    const at = async (step, button, what) => {
      const where = `play, ${reduced ? 'reduced' : 'with'} motion, ${what}`;
      await this.see(where, steps[step].all);
      if (await play.textContent() !== button) throw new Wrong(`${this.widget.name}, ${where}: expected the button ${button}`);
    };
    const moving = () => driver.root.evaluate((place) => place.getAnimations({ subtree: true }).length > 0);
    await driver.press(play);
    if (await moving() === reduced) throw new Wrong(`${this.widget.name}: expected ${reduced ? 'no movement' : 'movement'} in a step, got the other`);
    await at(1, 'Pause', 'begun');
    await page.clock.runFor(2100);
    await at(2, 'Pause', 'going on');
    await driver.press(play);
    await page.clock.runFor(10_000);
    await at(2, 'Play', 'paused');
    await driver.press(play);
    await driver.step('back');
    await page.clock.runFor(10_000);
    await at(2, 'Play', 'stopped by a step back');
    await driver.press(play);
    await page.clock.runFor(60_000);
    await at(steps.length - 1, 'Play', 'ended');
    await driver.press(play);
    await at(0, 'Pause', 'begun again');
    await page.context().close();
  }

  async deepOnTelephone(browser, url) {
    const form = { depth: '6', target: '37', value: '7', seed: '1', supposed: '11' };
    const [steps] = this.ask([form]);
    const page = await this.open(browser, url, { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    await this.fill(form);
    await this.driver.step('end');
    for (const view of this.widget.views) {
      await this.driver.choose('view', view);
      await this.see(`on a telephone, view ${view}`, steps.at(-1)[view]);
    }
    const right = await this.driver.root.evaluate((place) => Math.max(...[...place.querySelectorAll('.node, input')].map((part) => part.getBoundingClientRect().right)));
    if (right > 390) throw new Wrong(`${this.widget.name}: on a telephone, a node or the mark ends at ${right}`);
    await page.context().close();
  }
}
