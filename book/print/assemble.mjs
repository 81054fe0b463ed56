// The whole book as one page to be printed: a title, a table of contents, and all chapters one after the other, from the built
// pages. Widgets become their pictures, what is folded opens, ids carry the name of their chapter, links between chapters lead
// to a place on the page, and links that paper cannot follow are text.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse, parseFragment, serialize } from 'parse5';

const SUMMARY = new URL('../src/SUMMARY.md', import.meta.url);

/**
 * The lines of SUMMARY.md: the titles of parts, and chapters. The number of a chapter is that of its file, by which the text
 * speaks of it: `08-read` is 8, `23-1-ideas` is 23.1, and `00-preface` has none.
 *
 * @returns {Array<{part: string} | {title: string, name: string, number: string}>}
 */
export function contents() {
  const entries = [];
  for (const line of readFileSync(SUMMARY, 'utf8').split('\n').slice(1)) {
    const [, part] = line.match(/^# (.*)/) ?? [];
    const [, title, name] = line.match(/^ *(?:- )?\[(.*)\]\((.*)\.md\)/) ?? [];
    if (part !== undefined) entries.push({ part });
    if (title === undefined) continue;
    const [, chapter, page] = name.match(/^0*(\d*[a-z]?)-(\d+)?/) ?? [];
    if (chapter === undefined) throw new Error(`SUMMARY.md: expected a file that begins with the number of a chapter, got ${name}.md`);
    entries.push({ title, name, number: page === undefined ? chapter : `${chapter}.${page}` });
  }
  return entries;
}

/** The heading of a chapter, with its number. */
export const heading = ({ title, number }) => (number === '' ? title : `${number}. ${title}`);

const attribute = (element, name) => element.attrs?.find((one) => one.name === name)?.value;
const hasClass = (element, name) => (attribute(element, 'class') ?? '').split(/\s+/).includes(name);

function set(element, name, value) {
  element.attrs = element.attrs.filter((one) => one.name !== name);
  if (value !== undefined) element.attrs.push({ name, value });
}

function* elements(node) {
  for (const child of node.childNodes ?? []) {
    if (child.tagName) yield child;
    yield* elements(child);
  }
}

function replace(element, nodes) {
  const siblings = element.parentNode.childNodes;
  nodes.forEach((node) => { node.parentNode = element.parentNode; });
  siblings.splice(siblings.indexOf(element), 1, ...nodes);
}

/** Where a link of a chapter leads on the page; null if nowhere. */
function target(link, chapter, chapters) {
  if (/^[a-z]+:/.test(link)) return link;
  const [, page, fragment] = link.match(/^([^#]*)#?(.*)$/);
  const name = page === '' ? chapter : page.replace(/\.html$/, '');
  if (!chapters.has(name)) return null;
  return fragment === '' ? `#${name}` : `#${name}--${fragment}`;
}

/** A chapter as it stands on the page. A widget without a picture for readers without JavaScript is a fault. */
function printed(root, entry, chapters, faults) {
  const document = parse(readFileSync(join(root, `${entry.name}.html`), 'utf8'), { scriptingEnabled: false });
  const main = [...elements(document)].find(({ tagName }) => tagName === 'main');
  let widgets = 0;
  for (const element of [...elements(main)]) {
    if (element.tagName === 'details') set(element, 'open', '');
    // mdBook has each picture twice, with a button to enlarge it.
    if (hasClass(element, 'checkbox-label')) replace(element, element.childNodes.filter(({ tagName }) => tagName === 'img'));
    if (hasClass(element, 'widget')) {
      widgets += 1;
      replace(element, []);
    }
    const id = attribute(element, 'id');
    if (id !== undefined) set(element, 'id', `${entry.name}--${id}`);
    if (element.tagName === 'h1') {
      set(element, 'id', entry.name);
      replaceChildren(element, heading(entry));
    }
    const link = element.tagName === 'a' ? attribute(element, 'href') : undefined;
    if (link !== undefined) set(element, 'href', target(link, entry.name, chapters) ?? undefined);
  }
  const pictures = [...elements(main)].filter(({ tagName }) => tagName === 'noscript');
  if (pictures.some((noscript) => ![...elements(noscript)].some(({ tagName }) => tagName === 'img')) || pictures.length !== widgets) {
    faults.push(`${entry.name}: expected a picture in <noscript> for each of ${widgets} widgets, found ${pictures.length}`);
  }
  pictures.forEach((noscript) => replace(noscript, noscript.childNodes));
  return serialize(main);
}

const text = (words) => words.replace(/[&<>"]/g, (c) => `&#${c.codePointAt(0)};`);

function replaceChildren(element, words) {
  element.childNodes = parseFragment(text(words)).childNodes;
  element.childNodes.forEach((node) => { node.parentNode = element; });
}

/**
 * The page, to be shown from the top of the built book; pdf.mjs adds style and scripts, and in the table of contents the numbers of
 * pages, once they are known.
 *
 * @param {string} root the folder of the built book
 * @returns {{html: string, faults: string[]}}
 */
export function assemble(root) {
  const files = readdirSync(root);
  const hashed = (name, extension) => {
    const found = files.find((file) => new RegExp(`^${name}(-[0-9a-f]+)?\\.${extension}$`).test(file));
    if (found === undefined) throw new Error(`${root} has no ${name}.${extension}`);
    return found;
  };
  const entries = contents();
  const chapters = new Set(entries.filter(({ name }) => name !== undefined).map(({ name }) => name));
  const toc = entries.map((entry) => (entry.part !== undefined
    ? `<li class="part">${text(entry.part)}</li>`
    : `<li><a href="#${entry.name}"><span>${text(heading(entry))}</span> <span class="page">0</span></a></li>`));
  const { title, about } = front();
  const faults = [];
  const sections = entries.filter(({ name }) => name !== undefined).map((entry) => `<section>${printed(root, entry, chapters, faults)}</section>`);
  const html = `<!DOCTYPE html>
<html lang="en" class="light">
<head>
<meta charset="utf-8">
<title>${text(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="fonts/fonts.css">
<link rel="stylesheet" href="katex/katex.min.css">
<link rel="stylesheet" href="${hashed('highlight', 'css')}">
</head>
<body>
<div class="front"><p class="title">${text(title)}</p><p>${text(about)}</p></div>
<nav class="contents"><p class="head">Contents</p><ul>${toc.join('')}</ul></nav>
<main>
${sections.join('\n')}
</main>
<script>const path_to_root = '';</script>
<script src="${hashed('highlight', 'js')}"></script>
</body>
</html>
`;
  return { html, faults };
}

/** The title of the book, and what it says of itself, as its settings have them. */
function front() {
  const settings = readFileSync(new URL('../book.toml', import.meta.url), 'utf8');
  const setting = (name) => settings.match(new RegExp(`^${name} = "(.*)"$`, 'm'))[1];
  return { title: setting('title'), about: setting('description') };
}
