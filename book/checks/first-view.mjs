// How long a reader waits for a chapter: until something is drawn, until nothing large is drawn any more, and until formulas,
// diagrams and widgets are there. Measured, not checked: the times are this machine's. Each view begins with an empty cache.
//
// node first-view.mjs HTMLDIR [VIEWS]

import { argv, exit } from 'node:process';
import { launch, PATIENCE } from './browser.mjs';
import { chapters } from './chapters.mjs';
import { htmlDir } from './html-dir.mjs';
import { serve } from './server.mjs';

const html = htmlDir();
const views = Number(argv[3] ?? 3);
if (!(Number.isInteger(views) && views > 0)) {
  console.error(`first-view.mjs: expected a number of views of each chapter, got ${argv[3]}`);
  exit(2);
}

/** In the page: milliseconds since the navigation began. */
const times = () => new Promise((done) => {
  let largest = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) largest = Math.max(largest, entry.startTime);
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  requestAnimationFrame(() => setTimeout(() => done({
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    largest,
  }), 0));
});

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const { url, close } = await serve(html);
const browser = await launch();
const rows = [];
for (const name of chapters()) {
  const seen = [];
  for (let view = 0; view < views; view += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
    const page = await context.newPage();
    const begun = Date.now();
    await page.goto(`${url}/${name}`, { waitUntil: 'networkidle', timeout: PATIENCE });
    // What `networkidle` itself waits for after the last request.
    const whole = Date.now() - begun - 500;
    seen.push({ ...await page.evaluate(times), whole });
    await context.close();
  }
  const of = (key) => Math.round(median(seen.map((times) => times[key])));
  rows.push({ name, first: of('first'), largest: of('largest'), whole: of('whole') });
}
await browser.close();
await close();

console.log(`milliseconds, the median of ${views} views: first something, then the largest thing, then all is there`);
for (const { name, first, largest, whole } of rows.toSorted((a, b) => b.whole - a.whole)) {
  console.log(`${String(first).padStart(6)} ${String(largest).padStart(6)} ${String(whole).padStart(6)}  ${name}`);
}
