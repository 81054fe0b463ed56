// Looks at every page in headless Chromium: width, console, requests, accessibility, diagrams, formulas, search.
//
//   node pages.mjs HTMLDIR [PAGE...]   all pages, or only these
//   node pages.mjs HTMLDIR --brief     all chapters and slides, but audits by axe and the dark theme, which take most of the time, only of
//                                      those with a widget and the first with a diagram; and a tenth of the pages of source files

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { argv, exit } from 'node:process';

import { exceptions } from './axe-exceptions.mjs';
import { launch, PATIENCE } from './browser.mjs';
import { chapters, lectures } from './chapters.mjs';
import { htmlDir } from './html-dir.mjs';
import { drawn, overflowing, violations } from './in-page.mjs';
import { serve } from './server.mjs';

const narrow = [390, 844];
const wide = [1280, 900];
// Each page in a light and in a dark theme, and at both widths: what is too wide is so in any theme, what is too pale at any width
// at which it is shown. The list of chapters is shown on wide pages only, so that light is among the other themes too.
const themes = [['light', narrow], ['coal', wide]];
const otherThemes = ['light', 'rust', 'navy', 'ayu']; // some pages only, wide, by the rules about colours
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const searched = 'blind';
const colours = ['color-contrast', 'link-in-text-block']; // the rules of axe whose verdict depends on the theme

const root = htmlDir();
const brief = argv[3] === '--brief';
const only = brief ? [] : argv.slice(3);
const { url: origin, close } = await serve(root);
const browser = await launch();

const problems = new Set();
const counts = { views: 0, others: 0, requests: 0, audits: 0, diagrams: 0, formulas: 0, hits: 0, keys: 0 };
const excepted = new Map(exceptions.map((exception) => [exception, 0]));

/** A tab of its own theme, which notes what goes wrong on whatever page it shows. */
async function open(theme) {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  await context.addInitScript((name) => localStorage.setItem('mdbook-theme', name), theme);
  const tab = await context.newPage();
  const shown = { page: '', theme };
  const note = (message) => problems.add(`${shown.page}: ${message}`);
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console ${message.type()}: ${message.text()}`);
  });
  tab.on('pageerror', (error) => note(`error: ${error.message}`));
  tab.on('request', (request) => {
    counts.requests += 1;
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) note(`request to another origin: ${url}`);
  });
  tab.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A page that is left before its icon has come asks no more for it. One that is not there is answered with 404.
    if (reason !== 'net::ERR_ABORTED' || !request.url().includes('/favicon-')) note(`request failed: ${request.url()}: ${reason}`);
  });
  tab.on('response', (response) => {
    if (response.status() >= 400) note(`request answered with ${response.status()}: ${response.url().replace(origin, '')}`);
  });
  return { tab, shown, note, stale: false };
}

/** Shows a page and waits until it is complete: fonts there, diagrams drawn, widgets loaded, and all that folds is open. */
async function show({ tab, shown, note }, page, [width, height] = wide) {
  shown.page = page;
  await tab.setViewportSize({ width, height });
  await tab.goto(`${origin}/${page}`);
  const has = (selector) => tab.evaluate((name) => document.querySelector(name) !== null, selector);
  if (await has('.diagram')) {
    await tab.waitForFunction(() => document.documentElement.dataset.diagrams !== undefined, null, { timeout: PATIENCE })
      .catch(() => note('diagrams are not drawn'));
  }
  if (await has('.widget')) await tab.waitForLoadState('networkidle');
  await tab.evaluate(async () => {
    document.querySelectorAll('details').forEach((details) => { details.open = true; });
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}

async function checkWidth({ tab, note }) {
  const widest = await tab.evaluate(overflowing);
  if (widest !== null) note(`wider than ${tab.viewportSize().width}: ${widest}`);
}

/** Waits until the page is in the theme that was chosen. For diagrams that do not follow, which takes long to find, once in a view. */
async function changed(view, theme) {
  // A theme has a style sheet of its own for listings; to change again, or to leave, before it has come would end its request.
  const styled = () => [...document.querySelectorAll('link[rel="stylesheet"]')].every((link) => link.disabled || link.sheet !== null);
  await view.tab.waitForFunction(styled, null, { timeout: PATIENCE });
  if (view.stale) return;
  const kind = ['light', 'rust'].includes(theme) ? 'light' : 'dark';
  const drawnSo = (wanted) => document.querySelector('.diagram') === null || document.documentElement.dataset.diagrams === wanted;
  await view.tab.waitForFunction(drawnSo, kind, { timeout: PATIENCE }).catch(() => {
    view.stale = true;
    view.note('diagrams are not drawn anew in another theme');
  });
}

/** The page that is shown, wide, with its list of chapters, and in another theme of mdBook's, without its being loaded again. */
async function showIn(view, theme) {
  const [width, height] = wide;
  view.shown.theme = theme;
  await view.tab.setViewportSize({ width, height });
  await view.tab.evaluate((name) => {
    // A page that was loaded narrow keeps its list closed.
    if (!document.documentElement.classList.contains('sidebar-visible')) document.querySelector('#mdbook-sidebar-toggle').click();
    document.querySelector(`#mdbook-theme-${name}`).click();
  }, theme);
  const opened = () => document.querySelector('#mdbook-sidebar').getBoundingClientRect().left === 0;
  await view.tab.waitForFunction(opened, null, { timeout: PATIENCE });
  await changed(view, theme);
}

async function checkAccess({ tab, shown, note }, rules) {
  if (!await tab.evaluate(() => 'axe' in window)) await tab.addScriptTag({ path: axe });
  const result = await tab.evaluate(violations, { exceptions: exceptions.map(({ rule, selector }) => ({ rule, selector })), rules });
  counts.audits += 1;
  result.excepted.forEach((n, i) => excepted.set(exceptions[i], excepted.get(exceptions[i]) + n));
  for (const { rule, help, places, target, why } of result.found) {
    note(`axe ${rule} in ${shown.theme}: ${help}: ${places} places, first ${target}: ${why}`);
  }
}

/** Diagrams and formulas of the page as it was sent against those that the reader sees. */
async function checkDrawn({ tab, note }, page) {
  const sent = readFileSync(resolve(root, page), 'utf8').match(/<pre class="mermaid">/g)?.length ?? 0;
  const { diagrams, faulty, formulas, errors, fonts } = await tab.evaluate(drawn);
  counts.diagrams += diagrams;
  counts.formulas += formulas;
  if (diagrams !== sent) note(`${sent} diagrams, ${diagrams} of them drawn`);
  faulty.forEach((fault) => note(`diagram: ${fault}`));
  errors.forEach((error) => note(`formula: ${error}`));
  if (formulas > 0 && !fonts) note('formulas without their font');
}

/** What is wrong with the page as it is shown, by some rules of axe, by all, or but for axe. */
async function checkView(view, page, { rules, audit = true } = {}) {
  await checkDrawn(view, page);
  await checkWidth(view);
  if (audit) await checkAccess(view, rules);
  counts.views += 1;
}

/** Chapters: each loaded once, then seen in one theme after the other. */
async function checkChapters(pages) {
  const view = await open('light');
  for (const page of pages) {
    view.shown.theme = 'light';
    await show(view, page, narrow);
    await checkView(view, page, { audit: inDark.includes(page) });
    if (!inDark.includes(page)) continue;
    await showIn(view, 'coal');
    await checkView(view, page);
    if (!inAllThemes.includes(page)) continue;
    for (const theme of otherThemes) {
      await showIn(view, theme);
      await checkView(view, page, { rules: colours });
    }
  }
  await view.tab.context().close();
}

/** Slides, which have no menu of themes: in that which was chosen for the book. */
async function checkSlides([theme, size]) {
  const view = await open(theme);
  for (const page of slides) {
    await show(view, page, size);
    await checkView(view, page);
  }
  await view.tab.context().close();
}

/** Pages of source files: all alike, so that with axe one in each theme stands for the rest. */
async function checkOthers(theme, pages) {
  const view = await open(theme);
  for (const [i, page] of pages.entries()) {
    await show(view, page, narrow);
    await checkWidth(view);
    if (i === 0) await checkAccess(view);
    counts.others += 1;
  }
  await view.tab.context().close();
}

/** A reader who switches the theme sees the diagrams in it. */
async function checkSwitch(page) {
  const view = await open('light');
  await show(view, page);
  const look = () => view.tab.locator('.diagram svg').first().innerHTML();
  const before = await look();
  await view.tab.click('#mdbook-theme-toggle');
  await view.tab.click('#mdbook-theme-coal');
  await changed(view, 'coal');
  if (await look() === before) view.note('diagrams look the same in another theme');
  await view.tab.context().close();
}

/** Types a word into the search bar, and follows the first hit. */
async function checkSearch(page) {
  const view = await open('light');
  await show(view, page);
  await view.tab.keyboard.press('s');
  await view.tab.keyboard.type(searched);
  const hits = view.tab.locator('#mdbook-searchresults li a');
  await hits.first().waitFor({ timeout: PATIENCE }).catch(() => view.note(`search: nothing found for '${searched}'`));
  counts.hits = await hits.count();
  if (counts.hits > 0) {
    await Promise.all([view.tab.waitForNavigation(), hits.first().click()]);
    if (!(await view.tab.textContent('main')).toLowerCase().includes(searched)) view.note(`search: '${searched}' is not on the page of its first hit`);
  }
  await view.tab.context().close();
}

/** A lecturer goes through the slides by keys, and opens the notes by one; without JavaScript all slides are there to be scrolled. */
async function checkKeys(page) {
  const view = await open('light');
  await show(view, page);
  const { tab, note } = view;
  const count = await tab.locator('.slide').count();
  if (count > 0) {
    const at = () => tab.evaluate(() => [...document.querySelectorAll('.slide')].findIndex((slide) => Math.abs(slide.getBoundingClientRect().top) < 2) + 1);
    for (const [key, expected] of [['Home', 1], ['ArrowRight', 2], [' ', 3], ['PageDown', 4], ['ArrowLeft', 3], ['End', count], ['ArrowRight', count], ['PageUp', count - 1]]) {
      await tab.keyboard.press(key);
      if (await at() !== expected) note(`key ${key}: expected slide ${expected}, got ${await at()}`);
      counts.keys += 1;
    }
    const open = () => tab.locator('.notes[open]').count();
    const before = await open();
    await tab.keyboard.press('n');
    if (await open() !== count - before) note(`key n: expected notes of ${count - before} slides, got ${await open()}`);

    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(`${origin}/${page}`);
    const seen = await still.locator('.slide:visible').count();
    if (seen !== count) note(`without JavaScript ${seen} of ${count} slides can be seen`);
    await plain.close();
  }
  await tab.context().close();
}

const known = chapters();
// toc.html stands in the pages' sidebar, and only without JavaScript.
const all = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.html') && name !== 'toc.html').sort();
const chosen = only.length > 0 ? only : all;
const inBook = chosen.filter((page) => known.includes(page));
const slides = chosen.filter((page) => lectures().includes(page));
const others = chosen.filter((page) => !known.includes(page) && !slides.includes(page)).filter((_, at) => !brief || at % 10 === 0);
const having = (text) => inBook.filter((page) => readFileSync(resolve(root, page), 'utf8').includes(text));
const [withDiagram] = having('<pre class="mermaid">');
const sample = [...new Set([withDiagram, ...having('data-widget=')].filter((page) => page !== undefined))];
const inDark = brief ? sample : inBook;
const inAllThemes = brief ? sample.slice(0, 1) : sample;

try {
  await Promise.all([0, 1].map((odd) => checkChapters(inBook.filter((_, at) => at % 2 === odd))));
  await Promise.all(themes.map(checkSlides));
  const half = Math.ceil(others.length / 2);
  await Promise.all([checkOthers('light', others.slice(0, half)), checkOthers('coal', others.slice(half))]);
  if (withDiagram !== undefined) await checkSwitch(withDiagram);
  if (inBook.length > 0) await checkSearch(inBook[0]);
  for (const page of slides) await checkKeys(page);
} finally {
  await browser.close();
  await close();
}
if (only.length === 0) {
  if (slides.length !== lectures().length) problems.add(`expected ${lectures().length} pages of slides, found ${slides.length}`);
  if (inBook.length !== known.length) problems.add(`expected ${known.length} chapters, found ${inBook.length}`);
  for (const [{ rule, selector }, n] of excepted) {
    if (n === 0) problems.add(`axe-exceptions.mjs: nothing needs the exception of ${selector} from ${rule}`);
  }
}

if (problems.size > 0) {
  problems.forEach((problem) => console.error(problem));
  console.error(`pages.mjs: ${problems.size} problems`);
  exit(1);
}
console.log(`${inBook.length} chapters and ${slides.length} pages of slides at ${narrow[0]} in light, ${inDark.length} of these chapters and the slides also at ${wide[0]} in coal, ${inAllThemes.length} at ${wide[0]} in ${otherThemes.join(', ')}: ${counts.views} views without overflow; ${counts.others} other pages at ${narrow[0]} without`);
console.log(`${counts.requests} requests, none failed, all to the book's own origin; no error or warning in the console`);
console.log(`axe: ${counts.audits} views without a violation; ${exceptions.length} exceptions for mdBook's frame`);
console.log(`in all views together: ${counts.diagrams} diagrams, ${counts.formulas} formulas in their font; drawn anew when the theme changes`);
console.log(`slides: ${counts.keys} keys, each to the slide that it is for`);
console.log(`search: ${counts.hits} hits for '${searched}', the first leads to it`);
