// Prints the book and the slides, by headless Chromium, and checks what was printed.
//
//   node pdf.mjs HTMLDIR [book|slides]   writes HTMLDIR/duoram.pdf, and HTMLDIR/slides/*.pdf beside the slides; or one of both

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

import { launch, PATIENCE } from '../checks/browser.mjs';
import { htmlDir } from '../checks/html-dir.mjs';
import { serve } from '../checks/server.mjs';
import { assemble, contents, heading } from './assemble.mjs';
import { highlight, inBook, inSlides, number, shrink } from './in-page.mjs';
import { read } from './outline.mjs';

/** A book of fewer pages has lost some, one of more has something on it that grew out of bounds. */
const PAGES = [150, 600];
/** What an audience can still read, of 720 pixels in height; and a reader on paper, in pixels of a 96th of an inch. */
const SMALLEST = { slide: 11, paper: 6 };

const root = htmlDir();
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const problems = [];
const { url: origin, close } = await serve(root);
const browser = await launch();
const options = { preferCSSPageSize: true, printBackground: true, outline: true, tagged: true };

async function open(viewport) {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(() => localStorage.setItem('mdbook-theme', 'light'));
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${page.url().replace(origin, '')}: console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url().replace(origin, '')}: error: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`request answered with ${response.status()}: ${response.url().replace(origin, '')}`);
  });
  return page;
}

/** Prints a page into a file that is new: the old one may have other names, in copies of the book. */
async function print(page, path) {
  rmSync(path, { force: true });
  return page.pdf({ ...options, path });
}

/** The book as one page, with all that is drawn on it. */
async function openBook() {
  const page = await open({ width: 800, height: 1100 });
  const { html, faults } = assemble(root);
  problems.push(...faults.map((fault) => `duoram.pdf: ${fault}`));
  await page.route(`${origin}/duoram.html`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }));
  await page.goto(`${origin}/duoram.html`);
  await page.addStyleTag({ path: here('print.css') });
  for (const script of ['../theme/formulas.js', '../theme/diagrams.js']) await page.addScriptTag({ path: here(script) });
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => document.querySelector('pre.mermaid, .diagram') === null || document.documentElement.dataset.diagrams !== undefined);
  await page.evaluate(highlight);
  const smallest = await page.evaluate(shrink);
  if (smallest < SMALLEST.paper) problems.push(`duoram.pdf: a formula or table is set in ${smallest.toFixed(1)} pixels, to fit on the page`);
  return page;
}

/** Printed twice: the first time shows on which page each chapter begins, which the table of contents says then. */
async function printBook() {
  const path = join(root, 'duoram.pdf');
  const chapters = contents().filter(({ name }) => name !== undefined);
  const top = (outline) => outline.filter(({ depth }) => depth === 1);
  const begins = (outline) => Object.fromEntries(chapters.map((chapter) => [chapter.name, top(outline).find(({ title }) => title === heading(chapter))?.page]));
  const page = await openBook();
  const first = begins(read(await print(page, path)).outline);
  await page.evaluate(number, first);
  const { counts, faults } = await page.evaluate(inBook);
  const { pages, outline } = read(await print(page, path));
  await page.context().close();

  problems.push(...faults.map((fault) => `duoram.pdf: ${fault}`));
  for (const { title } of outline) {
    const half = title.length / 2;
    if (title.length > 2 && title.slice(0, half) === title.slice(half)) problems.push(`duoram.pdf: the outline has a heading twice: ${title}`);
  }
  const titles = top(outline).map(({ title }) => title);
  const expected = chapters.map(heading);
  for (const title of expected) if (!titles.includes(title)) problems.push(`duoram.pdf: the outline lacks the chapter '${title}'`);
  if (titles.length !== expected.length) problems.push(`duoram.pdf: expected ${expected.length} chapters in the outline, found ${titles.length}`);
  for (const [name, begin] of Object.entries(begins(outline))) {
    if (first[name] !== begin) problems.push(`duoram.pdf: ${name} begins on page ${begin}, and the table of contents says ${first[name]}`);
  }
  if (pages < PAGES[0] || pages > PAGES[1]) problems.push(`duoram.pdf: expected ${PAGES[0]} to ${PAGES[1]} pages, found ${pages}`);
  console.log(`duoram.pdf: ${pages} pages, ${(statSync(path).size / 1e6).toFixed(1)} MB, ${expected.length} chapters and ${outline.length} entries in its outline; ${counts.figures} pictures, ${counts.diagrams} diagrams, ${counts.formulas} formulas, ${counts.links} links within it, none dead`);
}

async function printLecture(name) {
  const page = await open({ width: 1280, height: 720 });
  await page.goto(`${origin}/slides/${name}.html`);
  await page.waitForFunction(() => document.documentElement.dataset.fit === 'done');
  const { slides, smallest, tall } = await page.evaluate(inSlides);
  tall.forEach((slide) => problems.push(`slides/${name}: does not fit on a slide: ${slide}`));
  if (smallest.size < SMALLEST.slide) problems.push(`slides/${name}: set in ${smallest.size.toFixed(1)} pixels, to fit on a slide: ${smallest.slide}`);
  const path = join(root, 'slides', `${name}.pdf`);
  const { pages } = read(await print(page, path));
  await page.context().close();
  if (pages !== slides) problems.push(`slides/${name}.pdf: expected ${slides} pages, a slide each, found ${pages}`);
  return slides;
}

try {
  const only = argv[3];
  if (only !== 'slides') await printBook();
  if (only !== 'book') {
    const lectures = readdirSync(join(root, 'slides')).filter((name) => /^\d-.*\.html$/.test(name)).map((name) => name.replace('.html', '')).sort();
    const slides = [];
    for (const lecture of lectures) slides.push(await printLecture(lecture));
    if (lectures.length !== 5) problems.push(`expected 5 lectures, found ${lectures.length}`);
    console.log(`slides: ${lectures.length} lectures, ${slides.join(', ')} slides, each on a page of its own`);
  }
} finally {
  await browser.close();
  await close();
}
if (problems.length > 0) {
  problems.forEach((problem) => console.error(problem));
  console.error(`pdf.mjs: ${problems.length} problems`);
  exit(1);
}
