// What axe finds on a page on which a widget is at work.

import { createRequire } from 'node:module';

import { exceptions } from './axe-exceptions.mjs';
import { violations } from './in-page.mjs';
import { Wrong } from './widget-walk.mjs';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Stops the check at the first violation, on the page or within what a selector finds. */
export async function accessible(page, where, within) {
  if (!await page.evaluate(() => 'axe' in window)) await page.addScriptTag({ path: axe });
  const { found } = await page.evaluate(violations, { exceptions, within });
  if (found.length > 0) throw new Wrong(`${where}: axe ${found[0].rule}: ${found[0].target}: ${found[0].why}`);
}

/** The same in the colours of some themes, one after the other; then the page is as it was. */
export async function accessibleIn(themes, page, where, within) {
  const html = page.locator('html');
  const was = await html.getAttribute('class');
  const all = ['light', 'rust', 'coal', 'navy', 'ayu'];
  for (const theme of themes) {
    await html.evaluate((root, [old, now]) => {
      root.classList.remove(...old);
      root.classList.add(now);
    }, [all, theme]);
    await accessible(page, `${where}, theme ${theme}`, within);
  }
  await html.evaluate((root, name) => { root.className = name; }, was);
}
