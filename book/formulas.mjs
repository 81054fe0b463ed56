// The book's second preprocessor: `mdbook` runs it and speaks JSON with it on standard input and output. It draws the formulas,
// `$...$` in the text and `$$...$$` on lines of their own, by KaTeX, and hands the mermaid diagrams to the page as they are, for
// theme/diagrams.js draws them there. A formula that KaTeX cannot read is an error, and the book is not built.

import { readFileSync } from 'node:fs';
import { argv, exit, stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import katex from 'katex';

if (argv[2] === 'supports') exit(0); // every renderer

// Code first, for what looks like a formula in it is none: fences, HTML that keeps its text, and spans.
const pieces = new RegExp([
  /^```mermaid\n(?<diagram>[^]*?)^```$/,
  /^(?<fence>```+)[^]*?^\k<fence>$/,
  /<pre[\s>][^]*?<\/pre>/,
  /(?<ticks>`+)(?!`)[^]*?[^`]\k<ticks>(?!`)/,
  /\$\$(?<display>(?:[^$\\]|\\[^])+)\$\$/,
  /\$(?<inline>(?:[^$\\\n]|\\.|\n(?!\s*\n))+)\$/,
].map((piece) => piece.source).join('|'), 'gm');

const entities = (piece, characters) => piece.replace(characters, (c) => `&#${c.codePointAt(0)};`);

/** HTML that Markdown leaves as it is: in one line, and without a character between the tags that means something to it. */
function sheltered(html) {
  return html.replace(/\n/g, ' ').replace(/(<[^>]*>)|[^<]+/g, (piece, tag) => (tag === undefined
    ? entities(piece, /[\\`*_~|[\]$!]/g) : entities(tag, /\|/g)));
}

/** The formula, and its source, which theme/formulas.js has screen readers say. */
function drawn(source, displayMode) {
  const html = katex.renderToString(source, { displayMode, output: 'html', macros: { ...macros }, strict: 'error' });
  return `<data class="katex-src" value="${entities(source, /[&<>"'\\`*_~|[\]$!\n]/g)}">${sheltered(html)}</data>`;
}

function page({ content, path }) {
  return content.replace(pieces, (piece, ...rest) => {
    const { diagram, display, inline } = rest.at(-1);
    if (diagram !== undefined) return `<pre class="mermaid">${entities(diagram, /[&<>]/g)}</pre>`;
    if (display === undefined && inline === undefined) return piece;
    try {
      return drawn(display ?? inline, display !== undefined);
    } catch (error) {
      errors.push(`${path}: ${error.message.replace(/\n/g, ' ')}, in ${piece.replace(/\n/g, ' ')}`);
      return piece;
    }
  });
}

function walk(items) {
  for (const { Chapter: chapter } of items) {
    if (chapter === undefined) continue; // a separator, or the title of a part
    chapter.content = page(chapter);
    walk(chapter.sub_items);
  }
}

// One a line: a command, a colon, and what it stands for.
const macros = Object.fromEntries(readFileSync(new URL('theme/katex-macros.txt', import.meta.url), 'utf8')
  .split('\n').filter((line) => line.trim() !== '').map((line) => line.split(/:(.*)/).slice(0, 2)));
const errors = [];
const [, book] = JSON.parse(await text(stdin));
walk(book.items);
if (errors.length > 0) {
  errors.forEach((error) => console.error(error));
  console.error(`formulas.mjs: ${errors.length} errors`);
  exit(1);
}
stdout.write(JSON.stringify(book));
