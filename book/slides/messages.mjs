// A picture of messages between parties, as SVG in the ink of the page. Its source, a line each:
//
//     P0 -> P1: shift share        an arrow, with what is sent
//     P0 P1: S                     a box over these parties' lines: what they do or know
//     ---                          a dashed rule: what is above can go on at once, what is below waits for it

const COLUMN = 360;
const ROW = 44;
const HEAD = 52;

// No letter may mean something to HTML, or to Markdown, which the picture goes through.
const escaped = (words) => words.replace(/[&<>"'\\`*_~|[\]$!]/g, (c) => `&#${c.codePointAt(0)};`);

/** `title` is what a screen reader says. Throws on a line that is none of the three. */
export function picture(title, source) {
  const rows = source.trim().split('\n').map((line) => {
    if (line.trim() === '---') return { rule: true };
    const [, who, what] = line.match(/^([^:]+): (.*)$/) ?? [];
    if (who === undefined) throw new Error(`messages: expected 'P0 -> P1: what', 'P0 P1: what' or '---', got '${line}'`);
    const [from, to] = who.split(' -> ');
    return to === undefined ? { over: who.split(' '), what } : { from, to, what };
  });
  const parties = [...new Set(rows.flatMap(({ over = [], from, to }) => [...over, from, to]))].filter((name) => name !== undefined).sort();
  const x = (name) => COLUMN / 2 + COLUMN * parties.indexOf(name);
  const width = COLUMN * parties.length;
  const height = HEAD + ROW * rows.length + 16;
  const label = (at, y, words) => `<text class="said" x="${at}" y="${y}" text-anchor="middle">${escaped(words)}</text>`;
  const shapes = rows.map(({ rule, over, from, to, what }, i) => {
    const y = HEAD + ROW * (i + 1) - 8;
    if (rule) return `<path class="rule" d="M20 ${y - 14}H${width - 20}"/>`;
    if (over !== undefined) {
      const [left, right] = [x(over[0]), x(over.at(-1))];
      const half = Math.max(right - left + 240, 11 * what.length + 30) / 2;
      const middle = (left + right) / 2;
      return `<rect class="box" x="${middle - half}" y="${y - 29}" width="${2 * half}" height="36" rx="6"/>${label(middle, y - 4, what)}`;
    }
    const way = Math.sign(x(to) - x(from));
    // Above the half that is the sender's, where nothing else can be meant.
    const middle = x(from) + way * COLUMN / 2;
    return `<path d="M${x(from)} ${y}H${x(to) - 8 * way}"/><path class="head" d="M${x(to)} ${y}l${-14 * way} -7v14z"/>${label(middle, y - 8, what)}`;
  });
  const lines = parties.map((name) => `<path class="party" d="M${x(name)} ${HEAD - 10}V${height - 6}"/>`
    + `<text class="name" x="${x(name)}" y="30" text-anchor="middle">${escaped(name)}</text>`);
  // The class is that of mdBook's boxes around tables: what is too wide scrolls in it (theme/scroll-boxes.js).
  return `<div class="table-wrapper"><svg class="messages" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">${lines.join('')}${shapes.join('')}</svg></div>`;
}
