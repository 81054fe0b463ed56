// What pages.mjs asks a page in the browser. Each function is sent there alone, so that it may use nothing from outside.

/** The widest thing that leaves the page sideways, in words, or null. What scrolls in a box of its own is no fault. */
export function overflowing() {
  const width = document.documentElement.clientWidth;
  const main = document.querySelector('main') ?? document.body;
  const inBox = (element) => {
    for (let box = element.parentElement; box && main.contains(box); box = box.parentElement) {
      // A formula's text for screen readers is clipped, and not seen.
      if (box.classList.contains('katex-mathml') || box.localName === 'svg') return true;
      if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX)) return true;
    }
    return false;
  };
  let widest = null;
  let right = width + 1;
  for (const element of main.querySelectorAll('*')) {
    const rect = element.getBoundingClientRect();
    if (rect.width > 0 && rect.right > right && !inBox(element)) [widest, right] = [element, rect.right];
  }
  const content = document.querySelector('#mdbook-content');
  const wide = [document.documentElement, content].filter((box) => box && box.scrollWidth > box.clientWidth);
  if (widest === null && wide.length === 0) return null;
  if (widest === null) return `${wide[0].localName} is ${wide[0].scrollWidth} pixels wide, and nothing in its text is`;
  const names = [widest.localName, ...widest.classList].join('.');
  return `${names} ends at ${Math.round(right)}: ${(widest.textContent || widest.outerHTML).trim().slice(0, 60)}`;
}

/** How many diagrams and formulas are shown, and which are not as meant. */
export function drawn() {
  const pictures = [...document.querySelectorAll('.diagram > svg')];
  const name = (picture) => picture.getAttribute('aria-label') ?? picture.id;
  return {
    diagrams: pictures.length,
    faulty: [
      ...pictures.filter((picture) => picture.getAttribute('aria-roledescription') === 'error').map((p) => `${name(p)}: an error`),
      ...pictures.filter((picture) => picture.getBoundingClientRect().height < 40).map((p) => `${name(p)}: no height`),
      ...pictures.filter((picture) => picture.textContent.trim() === '').map((p) => `${name(p)}: no text`),
    ],
    formulas: document.querySelectorAll('.katex').length,
    errors: [
      ...[...document.querySelectorAll('.katex-error')].map((formula) => `an error: ${formula.textContent}`),
      ...[...document.querySelectorAll('.katex:not([aria-label])')].map((formula) => `no name: ${formula.textContent}`),
    ],
    fonts: [...document.fonts].some(({ family, status }) => family.includes('KaTeX_') && status === 'loaded'),
  };
}

/**
 * What axe finds on the page, or within what a selector finds, by some rules or by all that count here, without what one of the
 * exceptions is for; and for how many places each exception was used.
 */
export async function violations({ exceptions, within, rules }) {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
  const place = within === undefined ? document : document.querySelector(within);
  const runOnly = rules === undefined ? { type: 'tag', values: tags } : { type: 'rule', values: rules };
  const result = await axe.run(place, { runOnly, resultTypes: ['violations'] });
  const excepted = exceptions.map(() => 0);
  const found = [];
  for (const { id, help, nodes } of result.violations) {
    const left = nodes.filter(({ target }) => {
      const element = document.querySelector(target.join(' '));
      const i = exceptions.findIndex(({ rule, selector }) => rule === id && element.matches(selector));
      if (i >= 0) excepted[i] += 1;
      return i < 0;
    });
    if (left.length === 0) continue;
    const [{ target, failureSummary }] = left;
    found.push({ rule: id, help, places: left.length, target: target.join(' '), why: failureSummary.split('\n')[1]?.trim() ?? '' });
  }
  return { found, excepted };
}
