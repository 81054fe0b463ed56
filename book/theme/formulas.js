// Formulas are drawn from many small pieces, which are hidden from screen readers: these read the formula's source instead.
// And a formula of the running text that does not fit into a line gets a line of its own, in which it scrolls.
(() => {
  for (const source of document.querySelectorAll('data.katex-src')) {
    const formula = source.querySelector('.katex');
    formula.setAttribute('role', 'math');
    formula.setAttribute('aria-label', source.value.trim());
  }

  const inText = [...document.querySelectorAll('main .katex')].filter((formula) => !formula.closest('.katex-display, table'));
  const fit = () => inText.forEach((formula) => {
    formula.classList.remove('wide');
    const line = formula.closest('p, li, dd, summary, h1, h2, h3, h4') ?? formula.parentElement;
    const widest = Math.max(...[...formula.querySelectorAll('.base')].map((piece) => piece.offsetWidth));
    formula.classList.toggle('wide', widest > line.clientWidth);
  });
  new ResizeObserver(fit).observe(document.querySelector('main'));
  document.fonts.ready.then(fit);
})();
