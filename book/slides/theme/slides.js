// The slides are a long page, which reads well without this. With it: keys and buttons go from slide to slide, `n` opens and
// closes all notes, `f` fills the screen, and what is on a slide is made as large as it has room for.
(() => {
  const slides = [...document.querySelectorAll('.slide')];
  if (slides.length === 0) return;

  /** The slide that most of the screen shows. */
  const current = () => {
    const tops = slides.map((slide) => Math.abs(slide.getBoundingClientRect().top));
    return tops.indexOf(Math.min(...tops));
  };

  function show(index) {
    const slide = slides[Math.max(0, Math.min(slides.length - 1, index))];
    slide.scrollIntoView({ behavior: 'instant' });
    const heading = slide.querySelector('h1, h2');
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true }); // a screen reader goes on from here
    history.replaceState(null, '', `#${slide.id}`);
  }

  function toggleNotes() {
    const all = [...document.querySelectorAll('.notes')];
    const open = !all.every((notes) => notes.open);
    all.forEach((notes) => { notes.open = open; });
    document.documentElement.classList.toggle('with-notes', open);
  }

  function toggleScreen() {
    const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    done.catch(() => {}); // the browser may forbid it
  }

  const actions = {
    ArrowRight: () => show(current() + 1),
    PageDown: () => show(current() + 1),
    ' ': () => show(current() + 1),
    ArrowLeft: () => show(current() - 1),
    PageUp: () => show(current() - 1),
    Home: () => show(0),
    End: () => show(slides.length - 1),
    n: toggleNotes,
    f: toggleScreen,
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !(event.key in actions)) return;
    // What has the focus may have a use for the key: a box that scrolls, a link, a button, notes to open.
    if (event.key !== 'n' && event.key !== 'f' && event.target.closest('[tabindex="0"], a, button, summary')) return;
    event.preventDefault();
    actions[event.key]();
  });

  const controls = document.createElement('nav');
  controls.id = 'controls';
  controls.setAttribute('aria-label', 'Slides');
  for (const [label, name, key] of [['←', 'Slide before', 'ArrowLeft'], ['→', 'Next slide', 'ArrowRight'], ['Notes', 'Notes', 'n']]) {
    const button = document.createElement('button');
    button.textContent = label;
    button.setAttribute('aria-label', name);
    button.addEventListener('click', actions[key]);
    controls.append(button);
  }
  document.body.append(controls);

  // Rust and its kin: comments stand back, words of the language stand out.
  const pieces = /(?<comment>\/\/.*|\\\*.*|\(\*[^]*?\*\))|\b(?<word>fn|pub|let|for|if|else|match|struct|impl|return|Theorem|Lemma|Hypothesis|forall|exists)\b/g;
  for (const code of document.querySelectorAll('pre > code')) {
    const source = code.textContent;
    let at = 0;
    const parts = [];
    for (const match of source.matchAll(pieces)) {
      const span = document.createElement('span');
      span.className = match.groups.comment === undefined ? 'word' : 'comment';
      span.textContent = match[0];
      parts.push(source.slice(at, match.index), span);
      at = match.index + match[0].length;
    }
    code.replaceChildren(...parts, source.slice(at));
  }

  /** A listing may grow with the code that it shows: its slide is then set smaller, and the build refuses what is too small. */
  function fit() {
    const wide = matchMedia('(min-width: 900px)').matches;
    for (const slide of slides) {
      slide.style.removeProperty('--fit');
      if (!wide) continue;
      const boxes = [...slide.querySelectorAll('pre > code, .katex-display, .table-wrapper')];
      const notes = slide.querySelector('.notes');
      const tooLarge = () => slide.offsetHeight > innerHeight + (notes.open ? notes.offsetHeight : 0) + 1
        || boxes.some((box) => box.scrollWidth > box.clientWidth + 1);
      let size = 1.4;
      do slide.style.setProperty('--fit', size.toFixed(2)); while (tooLarge() && (size -= 0.04) > 0.4);
    }
    document.documentElement.dataset.fit = 'done';
  }
  document.fonts.ready.then(fit);
  addEventListener('load', fit); // pictures have their size
  addEventListener('resize', fit);
})();
