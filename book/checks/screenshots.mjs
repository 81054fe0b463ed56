// Pictures of some pages in a light and a dark theme, to be looked at: no check can say whether a page looks right.
//
// node screenshots.mjs HTMLDIR OUT

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { launch } from './browser.mjs';
import { htmlDir } from './html-dir.mjs';
import { serve } from './server.mjs';

/** What to look at: a page, and what is to be in the middle of the picture. */
const VIEWS = [
  ['04-by-hand', '.widget'],
  ['08-read', '.widget'],
  ['10-online', '.diagram'],
  ['15b-you-are-p2', '.widget'],
  ['17-durable', '.widget'],
  ['19-fast-path', 'img[src$="full_evaluation.svg"]'],
  ['20-audit', 'h1'],
];

const html = htmlDir();
const out = argv[3];
if (!out) {
  console.error('screenshots.mjs: expected HTMLDIR OUT');
  exit(2);
}
await mkdir(out, { recursive: true });
const { url, close } = await serve(html);
const browser = await launch();
for (const theme of ['light', 'coal']) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
  await context.addInitScript((name) => localStorage.setItem('mdbook-theme', name), theme);
  const page = await context.newPage();
  for (const [name, selector] of VIEWS) {
    await page.goto(`${url}/${name}.html`, { waitUntil: 'networkidle' });
    const end = page.locator('.widget').getByRole('button', { name: 'To the end' });
    if (selector === '.widget') await end.click();
    await page.locator(`main ${selector}`).first().evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await page.waitForTimeout(300); // fonts and scrolling settle
    const file = join(out, `${name}-${theme}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  }
}
await browser.close();
await close();
