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
import { highlight, inBook, inSlides, shrink } from './in-page.mjs';
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

/** The book with these numbers in its table of contents, as a PDF, and the pages at which its chapters really begin. */
async function bookWith(pages, path) {
  const page = await open({ width: 800, height: 1100 });
  const { html, faults: missing } = assemble(root, pages);
  await page.route(`${origin}/duoram.html`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }));
  await page.goto(`${origin}/duoram.html`);
  await page.addStyleTag({ path: here('print.css') });
  for (const script of ['../theme/formulas.js', '../theme/diagrams.js']) await page.addScriptTag({ path: here(script) });
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => document.querySelector('pre.mermaid, .diagram') === null || document.documentElement.dataset.diagrams !== undefined);
  await page.evaluate(highlight);
  const smallest = await page.evaluate(shrink);
  if (smallest < SMALLEST.paper) problems.push(`duoram.pdf: a formula or table is set in ${smallest.toFixed(1)} pixels, to fit on the page`);
  const { counts, faults } = await page.evaluate(inBook);
  const pdf = await print(page, path);
  await page.context().close();
  const { pages: number, outline } = read(pdf);
  const twice = outline.filter(({ title }) => title.length > 2 && title.slice(0, title.length / 2) === title.slice(title.length / 2));
  twice.forEach(({ title }) => faults.push(`the outline has a heading twice: ${title}`));
  return { number, outline: outline.filter(({ depth }) => depth === 1), entries: outline.length, counts, faults: [...missing, ...faults] };
}

async function printBook() {
  const path = join(root, 'duoram.pdf');
  const chapters = contents().filter(({ name }) => name !== undefined);
  const begins = (outline) => new Map(chapters.map((chapter) => [chapter.name, outline.find(({ title }) => title === heading(chapter))?.page]));
  const first = begins((await bookWith(new Map(), path)).outline);
  const { number, outline, entries, counts, faults } = await bookWith(first, path);
  problems.push(...faults.map((fault) => `duoram.pdf: ${fault}`));
  const titles = outline.map(({ title }) => title);
  const expected = chapters.map(heading);
  for (const title of expected) if (!titles.includes(title)) problems.push(`duoram.pdf: the outline lacks the chapter '${title}'`);
  if (titles.length !== expected.length) problems.push(`duoram.pdf: expected ${expected.length} chapters in the outline, found ${titles.length}`);
  for (const [name, page] of begins(outline)) {
    if (first.get(name) !== page) problems.push(`duoram.pdf: ${name} begins on page ${page}, and the table of contents says ${first.get(name)}`);
  }
  if (number < PAGES[0] || number > PAGES[1]) problems.push(`duoram.pdf: expected ${PAGES[0]} to ${PAGES[1]} pages, found ${number}`);
  console.log(`duoram.pdf: ${number} pages, ${(statSync(path).size / 1e6).toFixed(1)} MB, ${expected.length} chapters and ${entries} entries in its outline; ${counts.figures} pictures, ${counts.diagrams} diagrams, ${counts.formulas} formulas, ${counts.links} links within it, none dead`);
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
