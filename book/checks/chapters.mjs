// Which chapters and lectures the book must have.

import { readFileSync } from 'node:fs';

/** The pages that SUMMARY.md promises, as file names in the built book. */
export function chapters() {
  const summary = readFileSync(new URL('../src/SUMMARY.md', import.meta.url), 'utf8');
  return [...summary.matchAll(/\]\(([^)]+)\.md\)/g)].map(([, name]) => `${name}.html`);
}

/** The pages of the slides, which their SUMMARY.md promises. */
export function lectures() {
  const summary = readFileSync(new URL('../slides/src/SUMMARY.md', import.meta.url), 'utf8');
  return [...summary.matchAll(/\]\(([^)]+)\.md\)/g)].map(([, name]) => `slides/${name}.html`);
}
