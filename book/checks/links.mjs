// What can be seen in the built pages without a browser: links, fragments, ids, leftovers of the sources, the search index.
//
//   node links.mjs HTMLDIR

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { exit } from 'node:process';
import { createContext, runInContext } from 'node:vm';

import { parse } from 'parse5';

import { chapters, lectures } from './chapters.mjs';
import { htmlDir } from './html-dir.mjs';

/** Where a link may lead outside of the book. Such links are followed by readers only; no page loads anything from there. */
const elsewhere = new Set(['https://rustup.rs']);

const root = htmlDir();
const problems = [];
const counts = { links: 0, fragments: 0, images: 0, listings: 0, styles: 0 };

/** All elements below `node` in order, those in `noscript` too, without the contents of `template`. */
function* elements(node) {
  for (const child of node.childNodes ?? []) {
    if (child.tagName) yield child;
    yield* elements(child);
  }
}

const attribute = (element, name) => element.attrs.find((one) => one.name === name)?.value;
const hasClass = (element, name) => (attribute(element, 'class') ?? '').split(/\s+/).includes(name);

/** The text of `node`, without that of elements for which `skip` holds. */
function text(node, skip = () => false) {
  if (node.nodeName === '#text') return node.value;
  return (node.childNodes ?? []).filter((child) => !(child.tagName && skip(child))).map((child) => text(child, skip)).join('');
}

function read(file) {
  const document = parse(readFileSync(file, 'utf8'), { scriptingEnabled: false });
  const all = [...elements(document)];
  const ids = new Set();
  const repeated = new Set();
  for (const id of all.map((element) => attribute(element, 'id')).filter((id) => id !== undefined)) {
    (ids.has(id) ? repeated : ids).add(id);
  }
  return { file, name: relative(root, file), all, ids, repeated };
}

const files = readdirSync(root, { recursive: true }).map((name) => join(root, name)).filter((file) => statSync(file).isFile());
const pages = new Map(files.filter((file) => file.endsWith('.html')).map((file) => [file, read(file)]));

/** The file below `root` that `link` on the page or style sheet `from` leads to, or a complaint. */
function follow(link, from) {
  if (link.startsWith('data:')) return {};
  // In a folder below the top of a site, where links that climb out of the book or start at the top can be told.
  const book = 'http://site.invalid/some/folder/book/';
  const url = new URL(link, new URL(relative(root, from), book));
  if (url.origin !== new URL(book).origin) {
    return elsewhere.has(link.replace(/\/$/, '')) ? {} : { complaint: `link to elsewhere: ${link}` };
  }
  if (!url.href.startsWith(book)) return { complaint: `link out of the book: ${link}` };
  const file = join(root, decodeURIComponent(url.pathname.slice(new URL(book).pathname.length)));
  if (!existsSync(file) || !statSync(file).isFile()) return { complaint: `dead link: ${link}` };
  return { file, fragment: decodeURIComponent(url.hash.slice(1)) };
}

function checkLinks(page) {
  for (const element of page.all) {
    for (const link of ['href', 'src'].map((name) => attribute(element, name)).filter((link) => link !== undefined)) {
      counts.links += 1;
      const { complaint, file, fragment } = follow(link, page.file);
      if (complaint !== undefined) problems.push(`${page.name}: ${complaint}`);
      if (!fragment) continue;
      counts.fragments += 1;
      if (!pages.get(file)?.ids.has(fragment)) problems.push(`${page.name}: dead fragment: ${link}`);
    }
    if (element.tagName === 'a' && attribute(element, 'href') !== undefined && !isNamed(element)) {
      problems.push(`${page.name}: a link without text: ${attribute(element, 'href')}`);
    }
  }
  for (const id of page.repeated) problems.push(`${page.name}: id twice: ${id}`);
}

function isNamed(element) {
  return Boolean(text(element).trim() || attribute(element, 'aria-label')) ||
    [...elements(element)].some((child) => attribute(child, 'alt'));
}

function checkImages(page) {
  for (const image of page.all.filter((element) => element.tagName === 'img')) {
    counts.images += 1;
    if (!attribute(image, 'alt')?.trim()) problems.push(`${page.name}: image without alt: ${attribute(image, 'src')}`);
  }
}

function checkStyle(file) {
  counts.styles += 1;
  for (const [, , link] of readFileSync(file, 'utf8').matchAll(/url\((["']?)(.*?)\1\)/g)) {
    const { complaint } = follow(link, file);
    if (complaint !== undefined) problems.push(`${relative(root, file)}: ${complaint}`);
  }
}

const isCode = (element) => ['pre', 'code', 'script', 'style', 'annotation'].includes(element.tagName);

/** What a preprocessor should have replaced, and what it replaced by nothing. */
function checkLeftovers(page) {
  const main = page.all.find((element) => element.tagName === 'main');
  if (main === undefined || text(main).trim().length < 1000) problems.push(`${page.name}: the chapter is empty`);
  if (main === undefined) return;
  const include = text(main).match(/\{\{#.{0,60}/);
  if (include) problems.push(`${page.name}: not included: ${include[0]}`);
  const formula = text(main, isCode).match(/.{0,30}(\$|\\\(|\\\[).{0,30}/);
  if (formula) problems.push(`${page.name}: a formula was not rendered: ${formula[0].trim()}`);
  const fence = text(main, isCode).match(/.{0,30}```.{0,30}/);
  if (fence) problems.push(`${page.name}: a fence in the text: ${fence[0].trim()}`);
  for (const element of elements(main)) {
    if (hasClass(element, 'language-mermaid')) problems.push(`${page.name}: a diagram was left as code`);
    if (element.tagName !== 'pre') continue;
    counts.listings += 1;
    if (text(element).trim() === '') problems.push(`${page.name}: an empty listing`);
  }
}

/** Looks up each chapter's title, with the book's own search library in the book's own index. */
function checkSearch(found) {
  const one = (pattern) => files.find((file) => pattern.test(relative(root, file)));
  const [library, index] = [one(/^elasticlunr.*\.js$/), one(/^searchindex.*\.js$/)];
  if (library === undefined || index === undefined) {
    problems.push('no search index');
    return;
  }
  const context = createContext({ search: {} });
  context.window = context;
  runInContext(readFileSync(library, 'utf8'), context);
  runInContext(readFileSync(index, 'utf8'), context);
  const query = runInContext('const index = elasticlunr.Index.load(search.index); (words) => index.search(words, search.search_options)', context);
  for (const page of found) {
    const title = text(page.all.find((element) => element.tagName === 'main')).trim().split('\n')[0];
    const hits = query(title).map(({ ref }) => context.search.doc_urls[ref]);
    if (!hits.some((url) => url.split('#')[0] === page.name)) problems.push(`${page.name}: search does not find it by its title, ${title}`);
  }
}

for (const page of pages.values()) {
  checkLinks(page);
  checkImages(page);
}
files.filter((file) => file.endsWith('.css')).forEach(checkStyle);

const found = [];
for (const name of chapters()) {
  const page = pages.get(join(root, name));
  if (page === undefined) problems.push(`${name}: the chapter is not there`);
  else found.push(page);
}
const slides = lectures().map((name) => pages.get(join(root, name)) ?? name);
slides.filter((page) => typeof page === 'string').forEach((name) => problems.push(`${name}: the lecture is not there`));
[...found, ...slides.filter((page) => typeof page !== 'string')].forEach(checkLeftovers);
checkSearch(found);

problems.forEach((problem) => console.error(problem));
if (problems.length > 0) {
  console.error(`links.mjs: ${problems.length} problems in ${pages.size} pages`);
  exit(1);
}
console.log(`${pages.size} pages, ${counts.styles} style sheets: ${counts.links} links, ${counts.fragments} of them to a fragment, none dead`);
console.log(`${found.length} chapters, ${slides.length} pages of slides: ${counts.listings} listings, none empty; nothing left of includes, formulas, diagrams; search finds each chapter`);
console.log(`${counts.images} images, all with a text in their place; no id twice on a page`);
