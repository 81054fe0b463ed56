// Draws the mermaid diagrams of a page, and draws them again when the reader changes between light and dark. Mermaid is
// fetched from the book itself, and only by pages that have a diagram. Without JavaScript the source of a diagram stays.
(() => {
  const library = new URL(`${path_to_root}mermaid/mermaid.min.js`, document.baseURI);
  const isDark = () => ['coal', 'navy', 'ayu'].some((name) => document.documentElement.classList.contains(name));

  /** What a screen reader announces: the heading that the diagram stands under. */
  function nameOf(block) {
    const headings = [...document.querySelectorAll('main :is(h1, h2, h3, h4)')];
    const above = headings.filter((h) => h.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
    return `Diagram: ${above?.textContent.trim() ?? document.title}`;
  }

  const diagrams = [...document.querySelectorAll('pre.mermaid')].map((block) => {
    const figure = Object.assign(document.createElement('figure'), { className: 'diagram' });
    const diagram = { source: block.textContent, name: nameOf(block), figure };
    block.replaceWith(figure);
    return diagram;
  });
  if (diagrams.length === 0) return;

  async function draw() {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme: isDark() ? 'dark' : 'default',
      themeVariables: isDark() ? { edgeLabelBackground: '#2a2d30', actorLineColor: '#6b7075' } : {},
      fontFamily: '"Open Sans", sans-serif',
    });
    for (const [i, { source, name, figure }] of diagrams.entries()) {
      try {
        figure.innerHTML = (await mermaid.render(`diagram-${i}`, source)).svg;
      } catch (error) {
        console.error(`${name}: ${error.message}`);
        figure.replaceChildren(Object.assign(document.createElement('pre'), { textContent: source }));
        continue;
      }
      const picture = figure.firstElementChild;
      // An author's accTitle wins.
      if (!picture.hasAttribute('aria-labelledby')) picture.setAttribute('aria-label', name);
      // It shrinks to the width of the text on a wide screen, or to seven tenths on a narrow one; then it scrolls.
      picture.style.minWidth = `${Math.min(780, 0.7 * parseFloat(picture.style.maxWidth))}px`;
    }
    document.documentElement.dataset.diagrams = isDark() ? 'dark' : 'light';
  }

  // One drawing at a time: a change during one is drawn after it.
  let drawing = new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = library;
    script.onload = done;
    script.onerror = () => failed(new Error(`cannot load ${library}`));
    document.head.append(script);
  }).then(() => document.fonts.ready).then(draw);
  new MutationObserver(() => {
    drawing = drawing.then(() => {
      if (document.documentElement.dataset.diagrams !== (isDark() ? 'dark' : 'light')) return draw();
    });
  }).observe(document.documentElement, { attributeFilter: ['class'] });
})();
