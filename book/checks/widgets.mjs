// Drives every widget in headless Chromium on random inputs, to the last step and in every view, and compares each cell that
// it shows with what the specification says natively (book/widgets, program `answers`).
//
//   node widgets.mjs HTMLDIR [SEED [WIDGET [motion]]]     motion: only what moves and plays, on one input
//
// Without a seed another one each time, fewer of its inputs, and but for the first and those by keyboard only their
// first and last steps.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv, env, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

import { launch, PATIENCE } from './browser.mjs';
import { htmlDir } from './html-dir.mjs';
import { overflowing } from './in-page.mjs';
import { serve } from './server.mjs';
import { CrashWalk } from './widget-crash.mjs';
import { alone, Driver } from './widget-driver.mjs';
import { Random, widgets } from './widget-forms.mjs';
import { GameWalk } from './widget-game.mjs';
import { inMotion } from './widget-motion.mjs';
import { TreeWalk } from './widget-tree.mjs';
import { Walk, Wrong } from './widget-walk.mjs';

// Forms and walks take turns of six at most: with fewer inputs some turn would never come.
const brief = argv[3] === undefined;
const most = brief ? 6 : 21;
const widths = brief ? [1280] : [390, 1280]; // of pages in motion
const walks = { 'dpf-tree': TreeWalk, game: GameWalk, crash: CrashWalk };
const root = htmlDir();
const seed = argv[3] ?? String(Date.now());
const chosen = widgets.filter(({ name }) => argv[4] === undefined || argv[4] === name);
if (chosen.length === 0) {
  console.error(`widgets.mjs: expected one of ${widgets.map(({ name }) => name).join(', ')}, got ${argv[4]}`);
  exit(2);
}
const noise = [];

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The answers to some forms, from the native program: to run it by cargo takes longer than its answers do. */
function answers(name, forms) {
  const input = forms.map((form) => JSON.stringify({ widget: name, ...form })).join('\n');
  const program = join(env.CARGO_TARGET_DIR ?? join(repository, 'target'), 'debug', 'answers');
  const said = execFileSync(program, { cwd: repository, input, encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'inherit'] });
  return said.trim().split('\n').map((line) => JSON.parse(line).steps);
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
  const inputs = Math.max(most, widget.cases ?? 0);
  const forms = Array.from({ length: inputs }, (_, at) => widget.form(random, at));
  const walker = (driver) => new (walks[widget.name] ?? Walk)(widget, driver, (some) => answers(widget.name, some));
  if (argv[5] === 'motion') {
    await inMotion(browser, url, walker, forms[0], answers(widget.name, forms.slice(0, 1))[0], widths);
    console.log(`${widget.name}: moves and plays as it should`);
    return;
  }
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

  await alone(page, widget.place);

  // The button takes the next seed. What was drawn or tried before is then gone.
  const last = forms.at(-1);
  const next = { ...last, ...widget.next?.(last), seed: String(BigInt.asUintN(64, BigInt(last.seed) + 1n)) };
  const known = answers(widget.name, [...forms, next]);
  const driver = new Driver(page, widget.place);
  const walk = walker(driver);
  await walk.elsewhere(browser, url, forms[0]);
  for (const [at, form] of forms.entries()) {
    driver.keyboard = at % 3 === 1;
    walk.sparing = brief && at > 0 && !driver.keyboard;
    await walk.input(form, known[at], at % 6 === 1)
      .then(() => walk.further(form, known[at], random, at))
      .catch((error) => { throw explained(error, `${widget.name}, input ${JSON.stringify(form)}`, page, url); });
  }
  driver.keyboard = false;
  await driver.press(driver.root.locator('fieldset button'));
  await walk.afterSeed(next, known.at(-1));
  // The bad inputs are bad for the first and for the widest choice.
  await driver.fill(widget.name === 'sharing' ? { kind: 'additive-64' } : {});
  await walk.refusals();
  await context.close();
  await onTelephone(browser, url, widget);
  await withoutHelp(browser, url, widget);
  if (widget.moves) await inMotion(browser, url, walker, forms[0], known[0], widths);

  const byKeyboard = forms.filter((_, at) => at % 3 === 1).length;
  console.log(`${widget.name}: ${inputs} inputs, ${byKeyboard} of them by keyboard alone; ${walk.steps} steps, ${walk.cells} cells compared`);
}

// Before anything waits for an answer of the browser, with a limit of time.
// The program that knows the answers, as one of its tests needs it.
execFileSync(join(repository, 'ci/cargo-test'), ['--no-run', '--test', 'forms'], { cwd: repository, stdio: 'inherit' });
const { url: origin, close } = await serve(root);
const browser = await launch();
console.log(`seed ${seed}`);
// Two at a time, one for each core: with all at once the browser takes a tenth more, and other steps of ci/test get little.
const failures = [];
const waiting = [...chosen];
const worker = async () => {
  for (let widget = waiting.shift(); widget !== undefined; widget = waiting.shift()) {
    await check(browser, origin, widget).catch((error) => failures.push(error));
  }
};
await Promise.all([worker(), worker()]);
await browser.close();
await close();

failures.forEach((reason) => console.error(`widgets.mjs: ${reason instanceof Wrong ? reason.message : reason.stack}`));
noise.forEach((message) => console.error(`widgets.mjs: ${message}`));
exit(failures.length + noise.length > 0 ? 1 : 0);
