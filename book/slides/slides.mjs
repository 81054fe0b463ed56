// The slides' own preprocessor, after those of the book: `mdbook` runs it and speaks JSON with it. A lecture is a chapter; each
// `## ` in it begins a slide, and `Notes:` on a line of its own the speaker's notes of that slide, which fold. A block
// ```` ```messages ```` becomes a picture (messages.mjs). It refuses a lecture that is not made like the others.

import { argv, exit, stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';

import { picture } from './messages.mjs';

if (argv[2] === 'supports') exit(0); // every renderer

const FEWEST = 12;
const MOST = 20;

/** The pieces of a lecture: what is before the first `## `, and what is from each to the next. None begins in a code block. */
function split(content) {
  const slides = [[]];
  let fence = null;
  for (const line of content.split('\n')) {
    const mark = line.match(/^(```+)/)?.[1];
    if (mark !== undefined) fence = fence === null ? mark : null;
    else if (fence === null && line.startsWith('## ')) slides.push([]);
    slides.at(-1).push(line);
  }
  return slides.map((lines) => lines.join('\n').trim());
}

/** Blocks of messages, drawn. */
const drawn = (body) => body.replace(/^```messages (.*)\n([^]*?)^```$/gm, (_, title, lines) => picture(title, lines));

function slide(source, number, extra) {
  const [body, notes] = source.split(/^Notes:$/m);
  return [
    `<section class="slide" id="slide-${number}">`,
    '',
    drawn(body).trim(),
    '',
    ...(extra === undefined ? [] : [extra, '']),
    '<details class="notes"><summary>Notes</summary>',
    '',
    notes.trim(),
    '',
    '</details>',
    '</section>',
  ].join('\n');
}

/** What every lecture has: a question at the beginning, what was gained and two questions at the end, notes on each slide. */
function complaints(slides) {
  const found = [];
  const titleOf = (source) => source.match(/^#+ (.*)/)?.[1] ?? '(no title)';
  if (slides.length < FEWEST || slides.length > MOST) found.push(`expected ${FEWEST} to ${MOST} slides, got ${slides.length}`);
  if (!/\?\**$/m.test(slides[0].split(/^Notes:$/m)[0])) found.push('the first slide asks no question');
  const [gained, questions] = slides.slice(-2);
  if (titleOf(gained) !== 'What was gained') found.push(`expected 'What was gained' as the last slide but one, got '${titleOf(gained)}'`);
  const asked = questions.split(/^Notes:$/m)[0].match(/^\d\. /gm)?.length ?? 0;
  if (titleOf(questions) !== 'Two questions' || asked !== 2) found.push(`expected 'Two questions', two of them, as the last slide, got '${titleOf(questions)}' with ${asked}`);
  for (const source of slides) {
    if (source.split(/^Notes:$/m).length !== 2) found.push(`expected notes on the slide '${titleOf(source)}'`);
  }
  return found;
}

const errors = [];
const [, book] = JSON.parse(await text(stdin));
for (const { Chapter: chapter } of book.items) {
  if (!/^\d-/.test(chapter?.path ?? '')) continue; // the page that lists the lectures
  const slides = split(chapter.content);
  const wrong = complaints(slides);
  errors.push(...wrong.map((complaint) => `${chapter.path}: ${complaint}`));
  if (wrong.length > 0) continue;
  const pdf = `<p class="pdf"><a href="${chapter.path.replace('.md', '.pdf')}">These slides as PDF</a></p>`;
  try {
    chapter.content = slides.map((source, i) => slide(source, i + 1, i === 0 ? pdf : undefined)).join('\n\n');
  } catch (error) { // a block of messages that cannot be drawn
    errors.push(`${chapter.path}: ${error.message}`);
  }
}
if (errors.length > 0) {
  errors.forEach((error) => console.error(error));
  console.error(`slides.mjs: ${errors.length} errors`);
  exit(1);
}
stdout.write(JSON.stringify(book));
