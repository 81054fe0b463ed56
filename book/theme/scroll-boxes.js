// What is wider than the page. Long names in tables may break after `/`, `_` and `::`; code, tables, formulas and diagrams
// scroll in a box of their own, which the keyboard can reach while it has something to scroll.
(() => {
  for (const name of document.querySelectorAll('td code')) {
    if (name.textContent.length < 16 || name.childElementCount > 0) continue;
    const pieces = name.textContent.split(/(?<=\/|_|::)/);
    name.replaceChildren(...pieces.flatMap((piece) => [piece, document.createElement('wbr')]).slice(0, -1));
  }

  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute('tabindex');
    }
  });
  const boxes = 'main :is(pre > code, .table-wrapper, .katex-display, p .katex, li .katex, .diagram, .picture-box)';
  document.querySelectorAll(boxes).forEach((box) => observer.observe(box));
})();
