// What a PDF of Chromium says of itself: its pages, and the outline. Enough of the format for that and no more: Chromium writes
// its objects one by one and in the clear, and only what is drawn is compressed.

/** A string of a PDF: `(...)` with escapes, or `<...>`, which begins with FEFF and is UTF-16. */
function words(source) {
  if (source.startsWith('<')) {
    const units = source.slice(1, -1).match(/..../g).map((unit) => parseInt(unit, 16));
    return String.fromCharCode(...units).replace('\uFEFF', '');
  }
  return source.slice(1, -1).replace(/\\(\d{3}|[^])/g, (_, one) => (one.length === 3 ? String.fromCharCode(parseInt(one, 8)) : one));
}

/**
 * The number of pages, and the entries of the outline in order, with their depth (from 1) and page (from 1).
 *
 * @param {Buffer} pdf
 * @returns {{pages: number, outline: Array<{title: string, depth: number, page: number}>}}
 */
export function read(pdf) {
  const objects = new Map();
  for (const [, id, body] of pdf.toString('latin1').matchAll(/^(\d+) 0 obj\s([^]*?)(?:stream\r?\n|endobj)/gm)) objects.set(id, body);
  const entry = (body, name) => body?.match(new RegExp(`/${name} (\\d+) 0 R`))?.[1];
  const catalog = [...objects.values()].find((body) => /\/Type \/Catalog/.test(body));
  if (catalog === undefined) throw new Error('expected a PDF of Chromium, found no catalog');

  const pages = [];
  const addPages = (id) => {
    const kids = objects.get(id).match(/\/Kids \[([^\]]*)\]/)?.[1];
    if (kids === undefined) pages.push(id);
    else [...kids.matchAll(/(\d+) 0 R/g)].forEach(([, kid]) => addPages(kid));
  };
  addPages(entry(catalog, 'Pages'));

  const outline = [];
  const addEntries = (first, depth) => {
    for (let id = first; id !== undefined; id = entry(objects.get(id), 'Next')) {
      const body = objects.get(id);
      const [, title] = body.match(/\/Title (\((?:\\[^]|[^\\)])*\)|<[0-9A-F]*>)/);
      const [, page] = body.match(/\/Dest \[(\d+) 0 R/);
      outline.push({ title: words(title), depth, page: pages.indexOf(page) + 1 });
      addEntries(entry(body, 'First'), depth + 1);
    }
  };
  addEntries(entry(objects.get(entry(catalog, 'Outlines')), 'First'), 1);
  return { pages: pages.length, outline };
}
