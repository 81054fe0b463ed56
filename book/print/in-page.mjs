// What is asked in pages that are to be printed: each function runs in the page, alone.

/** Colours the listings, by the library that mdBook has for it, and keeps short ones on one page. */
export function highlight() {
  const languages = ['rust', 'json', 'c', 'python'];
  const SHORT = 18; // lines: a longer one would leave too much of a page empty
  for (const code of document.querySelectorAll('pre > code')) {
    code.parentElement.classList.toggle('short', code.textContent.split('\n').length <= SHORT);
    if (languages.some((language) => code.classList.contains(`language-${language}`))) hljs.highlightBlock(code);
  }
}

/** Sets formulas and tables that are wider than the page smaller, so that nothing is cut off. Returns the smallest font size. */
export function shrink() {
  let smallest = Infinity;
  const width = document.body.clientWidth;
  for (const box of document.querySelectorAll('.katex-display, .table-wrapper')) {
    const inside = box.querySelector('.katex, table');
    for (let i = 0; i < 20 && Math.max(box.scrollWidth, inside.scrollWidth) > width + 1; i += 1) {
      inside.style.fontSize = `${0.94 * parseFloat(getComputedStyle(inside).fontSize)}px`;
    }
    smallest = Math.min(smallest, parseFloat(getComputedStyle(inside).fontSize));
  }
  return smallest;
}

/** Writes the number of the page of each chapter into the table of contents. */
export function number(pages) {
  for (const link of document.querySelectorAll('.contents a')) link.querySelector('.page').textContent = pages[link.hash.slice(1)];
}

/** What is on the page of the whole book, and what is not as it should be on paper. */
export function inBook() {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const faults = [];
  const width = document.body.clientWidth;
  for (const image of all('img')) if (!image.complete || image.naturalWidth === 0) faults.push(`a picture is empty: ${image.getAttribute('src')}`);
  for (const widget of all('.widget, canvas, noscript, input, button')) faults.push(`something to be used, and not to be read: ${widget.outerHTML.slice(0, 80)}`);
  for (const diagram of all('pre.mermaid')) faults.push(`a diagram is not drawn: ${diagram.textContent.slice(0, 60)}`);
  for (const diagram of all('.diagram')) if (!(diagram.querySelector('svg')?.getBoundingClientRect().height > 40)) faults.push(`a diagram is empty: ${diagram.textContent.slice(0, 60)}`);
  for (const formula of all('.katex-error')) faults.push(`a formula is not drawn: ${formula.textContent}`);
  for (const folded of all('details:not([open])')) faults.push(`folded: ${folded.textContent.slice(0, 60)}`);
  for (const box of all('pre, table, .katex-display, img, .diagram svg')) {
    if (box.getBoundingClientRect().right > width + 2) faults.push(`wider than the page: ${box.localName}: ${box.textContent.trim().slice(0, 60)}`);
  }
  const links = all('a[href^="#"]');
  for (const link of links) {
    if (document.getElementById(decodeURIComponent(link.hash.slice(1))) === null) faults.push(`a dead link: ${link.hash} (${link.textContent})`);
  }
  const counts = { figures: all('img').length, diagrams: all('.diagram svg').length, formulas: all('.katex').length, links: links.length };
  return { counts, faults };
}

/** How many slides there are, the smallest letters of a listing, table or text among them, and the slides that are too tall. */
export function inSlides() {
  const all = [...document.querySelectorAll('.slide')];
  const title = (slide) => slide.querySelector('h1, h2').textContent;
  const smallest = { size: Infinity, slide: '' };
  for (const slide of all) {
    for (const letters of slide.querySelectorAll('pre > code, td, li, p:not(.pdf, .listing-source)')) {
      if (letters.closest('.notes')) continue;
      const size = parseFloat(getComputedStyle(letters).fontSize);
      if (size < smallest.size) Object.assign(smallest, { size, slide: title(slide) });
    }
  }
  return { slides: all.length, smallest, tall: all.filter((slide) => slide.offsetHeight > innerHeight + 1).map(title) };
}
