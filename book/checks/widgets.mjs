// Drives every widget in headless Chromium on random inputs, to the last step and in every view, and compares each cell that
// it shows with what the specification says natively (book/widgets, program `answers`).
//
//   node widgets.mjs HTMLDIR [SEED [WIDGET]]

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

import { launch, PATIENCE } from './browser.mjs';
import { htmlDir } from './html-dir.mjs';
import { overflowing } from './in-page.mjs';
import { serve } from './server.mjs';
import { Driver, valueOf } from './widget-driver.mjs';
import { Random, widgets } from './widget-forms.mjs';

const inputs = 21;
const root = htmlDir();
const seed = argv[3] ?? String(Date.now());
const chosen = widgets.filter(({ name }) => argv[4] === undefined || argv[4] === name);
if (chosen.length === 0) {
  console.error(`widgets.mjs: expected one of ${widgets.map(({ name }) => name).join(', ')}, got ${argv[4]}`);
  exit(2);
}
const noise = [];

/** What stops the check: where, and what was expected. */
class Wrong extends Error {}

function cargo(command, input = '') {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const args = [command, '--quiet', '-p', 'duoram-book-widgets', '--bin', 'answers'];
  return execFileSync('cargo', args, { cwd, input, encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'inherit'] });
}

/** The answers to some forms, from the native program. */
function answers(name, forms) {
  const lines = forms.map((form) => JSON.stringify({ widget: name, ...form })).join('\n');
  return cargo('run', lines).trim().split('\n').map((line) => JSON.parse(line).steps);
}

/** The page that a widget stands on. */
function pageOf({ name, place }) {
  const attributes = [...place.matchAll(/\[([^\]]+)\]/g)].map((match) => match[1]);
  const pages = readdirSync(root).filter((file) => file.endsWith('.html'));
  const found = pages.find((file) => {
    const html = readFileSync(join(root, file), 'utf8');
    return attributes.every((attribute) => html.includes(attribute));
  });
  if (found === undefined) throw new Wrong(`${name}: on no page of ${root}`);
  return found;
}

/** Compares the cells shown with those expected, by name, in both directions. */
function compare(where, shown, expected) {
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
class Walk {
  constructor(widget, driver) {
    this.widget = widget;
    this.driver = driver;
    this.steps = 0;
    this.cells = 0;
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
      this.cells += compare(where, cells, steps[step][view]);
      // What stands around the cells may depend on what is public, and on nothing else. (The tree has one view, of all.)
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
    await driver.fill(form);
    const refusal = await driver.error();
    if (refusal !== null) throw new Wrong(`${this.widget.name}, input ${JSON.stringify(form)}: refused: ${refusal}`);
    const move = (which) => (byArrows
      ? driver.arrow({ next: 'ArrowRight', back: 'ArrowLeft', start: 'Home', end: 'End' }[which])
      : driver.step(which));
    // All views of each step by mouse; by keyboard, which takes its time, one after the other.
    const { views } = this.widget;
    const one = (step) => [views[step % views.length]];
    for (let step = 0; step <= last; step += 1) {
      if (step > 0) await move('next');
      await this.look(form, steps, step, driver.keyboard ? one(step) : views);
    }
    for (const [which, step] of last === 0 ? [] : [['back', last - 1], ['start', 0], ['end', last]]) {
      await move(which);
      await this.look(form, steps, step, one(step));
    }
  }

  /** Chooses a node of a tree: both its labels are then shown whole. */
  async node(form, steps, random) {
    const depth = Number(form.depth);
    const level = random.below(depth + 1);
    const node = random.below(2 ** level);
    const party = random.pick(['P0', 'P1']);
    await this.driver.press(this.driver.root.locator(`[data-party="${party}"] [data-place="${level}.${node}"]`));
    const cells = steps[depth + 1].all;
    const expected = {
      ...cells,
      'selected.place': `level ${level}, node ${node}`,
      'selected.P0': cells[`P0.level${level}.node${node}.label`],
      'selected.P1': cells[`P1.level${level}.node${node}.label`],
    };
    const where = `${this.widget.name}, input ${JSON.stringify(form)}, node ${level}.${node} of ${party}`;
    this.cells += compare(where, (await this.driver.collect()).cells, expected);
  }

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

/** On a telephone: nothing wider than the page, and all controls large enough to be touched. */
async function onTelephone(browser, url, { name, place }) {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(url);
  await page.waitForSelector(`${place}[data-state="ready"]`, { timeout: PATIENCE });
  const end = page.locator(`${place} [data-step="end"]`);
  if (await end.count() > 0) await end.click();
  const wide = await page.evaluate(overflowing);
  if (wide !== null) throw new Wrong(`${name}: at 390 pixels, wider than the page: ${wide}`);
  const small = await page.locator(place).first().evaluate((widget) => {
    const controls = [...widget.querySelectorAll('button, input, select')];
    return controls.find((control) => {
      const { width, height } = control.getBoundingClientRect();
      return width < 24 || height < 24;
    })?.outerHTML;
  });
  if (small !== undefined) throw new Wrong(`${name}: smaller than 24 pixels: ${small}`);
  await page.close();
}

/** Without JavaScript, and without WebAssembly, there is the static picture; and without WebAssembly it is said why. */
async function withoutHelp(browser, url, { name, place }) {
  const picture = async (page, which) => {
    const image = page.locator(`${place} img, ${place} + noscript img`).first();
    const width = await image.evaluate((img) => img.decode().then(() => img.naturalWidth), null, { timeout: 5000 }).catch(() => 0);
    if (width === 0) throw new Wrong(`${name}: no picture ${which}`);
  };
  const bare = await browser.newPage({ javaScriptEnabled: false });
  await bare.goto(url);
  await picture(bare, 'without JavaScript');
  await bare.close();
  const broken = await browser.newPage();
  await broken.route('**/*.wasm', (route) => route.abort());
  await broken.goto(url);
  await broken.waitForSelector(`${place}[data-state="failed"]`, { timeout: PATIENCE })
    .catch(() => { throw new Wrong(`${name}: no message without WebAssembly`); });
  await picture(broken, 'without WebAssembly');
  await broken.close();
}

/** What went wrong with an input, if it was no cell: a control could not be worked, or the page went away. */
function explained(error, where, page, url) {
  if (error instanceof Wrong) return error;
  const reason = page.url() === url ? error.message.split('\n')[0] : `the page was left for ${page.url()}`;
  return new Wrong(`${where}: ${reason}`);
}

async function check(browser, origin, widget) {
  const url = `${origin}/${pageOf(widget)}`;
  const random = new Random(seed);
  const forms = Array.from({ length: inputs }, () => widget.form(random));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(`${widget.name}: console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => noise.push(`${widget.name}: ${error.message}`));
  await page.goto(url);
  await page.waitForSelector(`${widget.place}[data-state="ready"]`, { timeout: PATIENCE })
    .catch(() => { throw new Wrong(`${widget.name}: did not start on ${url}`); });

  // The button takes the next seed. The words drawn before are then gone from the form.
  const last = forms.at(-1);
  const next = { ...last, ...(widget.name === 'sharing' ? { r: '', s: '' } : {}), seed: String(BigInt.asUintN(64, BigInt(last.seed) + 1n)) };
  const known = answers(widget.name, [...forms, next]);
  const driver = new Driver(page, widget.place);
  const walk = new Walk(widget, driver);
  for (const [at, form] of forms.entries()) {
    driver.keyboard = at % 3 === 1;
    await walk.input(form, known[at], at % 6 === 1)
      .catch((error) => { throw explained(error, `${widget.name}, input ${JSON.stringify(form)}`, page, url); });
    if (widget.name === 'dpf-tree') await walk.node(form, known[at], random);
  }
  driver.keyboard = false;
  await driver.press(driver.root.locator('fieldset button'));
  await walk.look(next, known.at(-1), known.at(-1).length - 1, widget.views);
  // The bad inputs are bad for the first and for the widest choice.
  await driver.fill(widget.name === 'sharing' ? { kind: 'additive-64' } : {});
  await walk.refusals();
  await context.close();
  await onTelephone(browser, url, widget);
  await withoutHelp(browser, url, widget);

  const byKeyboard = forms.filter((_, at) => at % 3 === 1).length;
  console.log(`${widget.name}: ${inputs} inputs, ${byKeyboard} of them by keyboard alone; ${walk.steps} steps, ${walk.cells} cells compared`);
}

// Before anything waits for an answer of the browser, with a limit of time.
cargo('build');
const { url: origin, close } = await serve(root);
const browser = await launch();
console.log(`seed ${seed}`);
// Side by side, as most of the time is spent in waiting for the browser.
const outcomes = await Promise.allSettled(chosen.map((widget) => check(browser, origin, widget)));
await browser.close();
await close();

const failures = outcomes.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
failures.forEach((reason) => console.error(`widgets.mjs: ${reason instanceof Wrong ? reason.message : reason.stack}`));
noise.forEach((message) => console.error(`widgets.mjs: ${message}`));
exit(failures.length + noise.length > 0 ? 1 : 0);
