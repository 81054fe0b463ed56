// Draws the pictures that stand in for the widgets without JavaScript, from the widgets' own data, or compares them.
//
//   node pictures.mjs [--check] DIR WIDGETS     WIDGETS is where book/widgets/build has put its output

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv, exit } from 'node:process';

import { symbols } from './web/symbols.js';

const checking = argv[2] === '--check';
const [dir, widgets] = argv.slice(checking ? 3 : 2);
if (widgets === undefined) {
  console.error('usage: node pictures.mjs [--check] DIR WIDGETS');
  exit(2);
}

const wasm = resolve(widgets, 'wasm');
// By its text: where it lies, no package.json tells Node that it is a module.
const glue = readFileSync(join(wasm, 'duoram_book_widgets.js'), 'base64');
const specification = await import(`data:text/javascript;base64,${glue}`);
specification.initSync({ module: readFileSync(join(wasm, 'duoram_book_widgets_bg.wasm')) });
const ask = (name, fields) => JSON.parse(specification[name](JSON.stringify(fields)));

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Text at a point; `anchor` is start, middle or end. */
const text = (x, y, content, { anchor = 'middle', size = 14, weight = 400, mono = false } = {}) => (
  `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}"${mono ? ' font-family="monospace"' : ''}>${content}</text>`
);

/** A formula and its value as the inside of a text: raised and lowered parts shift the line, and what follows shifts it back. */
function equation(content, value) {
  let shift = 0;
  const span = (to, attributes, inside) => {
    const dy = to - shift;
    shift = to;
    return `<tspan${dy === 0 ? '' : ` dy="${dy}"`}${attributes}>${escape(inside)}</tspan>`;
  };
  return [...symbols(content), ` = ${value}`].filter((symbol) => symbol !== '').map((symbol) => {
    if (typeof symbol === 'string') return span(0, '', symbol);
    return [
      span(0, symbol.variable ? ' font-style="italic"' : '', symbol.base),
      symbol.below === '' ? '' : span(4, ' font-size="10"', symbol.below),
      symbol.above === '' ? '' : span(-5, ' font-size="10"', symbol.above),
    ].join('');
  }).join('');
}

const box = (x, y, width, height, strong = false) => (
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="#fff" stroke="#222" stroke-width="${strong ? 3 : 1}"/>`
);
const line = (x1, y1, x2, y2, more = '') => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#444"${more}/>`;
const arrow = (x1, y, x2) => line(x1, y, x2, y, ' marker-end="url(#head)"');

/** A whole picture, on a ground of its own, so that it can be read on a dark page too. */
function picture({ width, height, title, description, parts }) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" fill="#111">
<title>${escape(title)}</title>
<desc>${escape(description)}</desc>
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#444"/></marker></defs>
<rect width="${width}" height="${height}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}

function sharing() {
  const kinds = [['xor-8', '01100001', 'XOR of 8 bits'], ['additive-64', '42', 'addition mod 2⁶⁴']];
  const parts = kinds.flatMap(([kind, x, name], which) => {
    const answer = ask('sharing', { kind, x, r: '', y: '0', s: '', change_0: '', change_1: '', seed: '1' });
    const [secret, share0, share1, opened] = answer.rows[0].cells.map(({ value }) => value);
    const y = 30 + which * 150;
    const word = (left, top, label, value) => [
      box(left, top, 200, 44),
      text(left + 100, top + 17, label, { size: 12 }),
      text(left + 100, top + 35, value, { mono: true }),
    ];
    return [
      text(10, y - 8, name, { anchor: 'start', weight: 600 }),
      ...word(10, y + 32, 'secret', secret), ...word(270, y, 'P0’s share', share0), ...word(270, y + 64, 'P1’s share', share1),
      ...word(530, y + 32, 'opened', opened),
      line(210, y + 54, 268, y + 22, ' marker-end="url(#head)"'), line(210, y + 54, 268, y + 86, ' marker-end="url(#head)"'),
      line(470, y + 22, 528, y + 54, ' marker-end="url(#head)"'), line(470, y + 86, 528, y + 54, ' marker-end="url(#head)"'),
    ];
  });
  return {
    width: 740,
    height: 305,
    title: 'Sharing a word',
    description: 'A word is split into two shares, once by XOR and once by subtraction. Each pair of shares opens to the word.',
    parts,
  };
}

function tree() {
  const { levels } = ask('dpf_tree', { depth: '3', target: '5', value: '7', seed: '1' });
  const leaves = 8;
  const [column, row] = [52, 64];
  const parts = ['P0', 'P1'].flatMap((party, which) => {
    const left = 10 + which * (leaves * column + 24);
    const middle = (level, node) => left + (node + 0.5) * (leaves / 2 ** level) * column;
    const top = (level) => 44 + level * row;
    return [
      text(left, 22, party, { anchor: 'start', weight: 600 }),
      ...levels.flatMap(({ places }, level) => places.flatMap((both, node) => {
        const { label, flag } = both[party.toLowerCase()];
        const x = middle(level, node);
        return [
          level === 0 ? '' : line(middle(level - 1, Math.floor(node / 2)), top(level - 1) + 38, x, top(level)),
          // As the widget draws them.
          both.same
            ? `<rect x="${x - 24}" y="${top(level)}" width="48" height="38" rx="9" fill="#fcf9d5" stroke="#222"/>`
            : `<rect x="${x - 24}" y="${top(level)}" width="48" height="38" fill="#e9c4d8" stroke="#222" stroke-width="3"/>`,
          text(x, top(level) + 16, `…${label.slice(-4)}`, { size: 13, mono: true }),
          text(x, top(level) + 32, `<tspan font-style="italic">t</tspan> ${flag} ${both.same ? '=' : '≠'}`, { size: 13 }),
        ];
      })),
    ].filter((part) => part !== '');
  });
  return {
    width: 20 + 2 * leaves * column + 24,
    height: 44 + 4 * row,
    title: 'The two trees of a DPF with target 5',
    description: 'Two binary trees of depth 3, of P0 and of P1. In each node stand the last digits of its label and its flag t. '
      + 'The nodes on the path to leaf 5 are marked ≠: there the trees differ. All other nodes are marked =: there they are equal.',
    parts,
  };
}

const lifelines = { P0: 140, P1: 420, P2: 700 };

/** What lies on a party's card: names and words, line by line. */
const held = (entries, holder, names, y) => names.map((name, which) => {
  const { words } = entries.find((entry) => entry.holder === holder && entry.name === name);
  return text(lifelines[holder], y + which * 20, equation(name, words.join(' ')));
});

/** Messages as arrows between three lines, with what the parties hold before and after. */
function sequence(steps, before, after, last) {
  const [first, final] = [steps[0], steps.at(-1)];
  const parts = [];
  let y = 24;
  for (const [party, x] of Object.entries(lifelines)) parts.push(text(x, y, party, { weight: 600 }));
  Object.entries(before).forEach(([party, names]) => parts.push(...held(first.entries, party, names, y + 24)));
  y += 24 + 20 * Math.max(...Object.values(before).map((names) => names.length));
  const top = y;
  const arrows = [];
  for (const { messages } of steps) {
    const fresh = messages.filter((message) => message.new);
    // All that one party sends another in a step is one arrow.
    const receivers = [...new Set(fresh.flatMap(({ to }) => to))];
    for (const receiver of receivers) {
      const { from } = fresh[0];
      const words = fresh.filter(({ to }) => to.includes(receiver)).map(({ what, value }) => equation(what, value));
      const [x1, x2] = [lifelines[from], lifelines[receiver]];
      // Beside the lifeline that the arrow crosses, if it crosses one.
      const at = Math.abs(x2 - x1) > 300 ? (lifelines.P1 + x2) / 2 : (x1 + x2) / 2;
      for (let pair = 0; pair < words.length; pair += 2) {
        y += 24;
        arrows.push(text(at, y, words.slice(pair, pair + 2).join(', &#160;')));
      }
      y += 10;
      arrows.push(arrow(x1, y, x2 + Math.sign(x1 - x2)));
      y += 8;
    }
  }
  y += 16;
  Object.values(lifelines).forEach((x) => parts.push(line(x, top - 8, x, y, ' stroke-dasharray="4 4"')));
  parts.push(...arrows);
  y += 20;
  Object.entries(after).forEach(([party, names]) => parts.push(...held(final.entries, party, names, y)));
  y += 20 * Math.max(...Object.values(after).map((names) => names.length)) + 14;
  const known = (name) => final.entries.find((entry) => entry.holder === 'Reader' && entry.name === name).words.join(' ');
  parts.push(text(420, y, last.map((name) => equation(name, known(name))).join(', &#160; ')));
  return { parts, width: 840, height: y + 20 };
}

function read() {
  const { steps } = ask('read', { memory: '4', address: '2', seed: '1' });
  return {
    ...sequence(
      steps,
      { P0: ['D_0', 'zeta_0', 'D~_1'], P1: ['D_1', 'zeta_1', 'D~_0'], P2: ['zeta_0', 'zeta_1'] },
      { P0: ['S', 'read_0'], P1: ['S', 'read_1'], P2: ['S'] },
      ['read_0 + read_1', 'D[i*]'],
    ),
    title: 'A READ, message by message',
    description: 'Words mod 4. Both primaries send their shift shares to the two others; P2 answers with one word to each primary; '
      + 'both primaries compute their share of the word. Both shares add up to the word at the address.',
  };
}

function update() {
  const { steps } = ask('update', { memory: '4', address: '2', value: '3', seed: '1' });
  const states = { P0: ['D_0', 'zeta_0', 'D~_1'], P1: ['D_1', 'zeta_1', 'D~_0'], P2: ['zeta_0', 'zeta_1'] };
  return {
    ...sequence(steps, states, states, ['D', 'i*', 'M', 'D_0 + D_1']),
    title: 'An UPDATE, message by message',
    description: 'Words mod 4. Both primaries send a shift share and masked values to each other, and all but the first masked '
      + 'value to P2. Then all three change their vectors: shares, blinds and blinded shares still fit.',
  };
}

function lean() {
  const { steps } = ask('lean', { memory: '4', kind: 'read', address: '2', value: '5', seed: '1' });
  return {
    ...sequence(
      steps,
      { P0: ['A', 'H'], P1: ['E'], P2: ['A', 'B'] },
      { P0: ['t_0^(a)', 't_0^(b)', 'S', 'read_0'], P1: ['t_1^(a)', 'S', 'read_1'], P2: ['t_0^(a)', 't_1^(b)', 'S'] },
      ['i*', 'ri', 'read_0 xor read_1', 'D[i*]'],
    ),
    title: 'A READ of the lean protocol, preparing included',
    description: 'Words of four bits. P2 deals P1 a share of a one-hot vector; P0 and P1 tell each other by how much to move it. '
      + 'Then both send their shift shares to the two others, and P2 answers P0 with one word. Both results XOR to the word at '
      + 'the address.',
  };
}

function masks() {
  const { index, levels, words } = ask('masks', { memory: '4', index: '2', seed: '1' });
  const value = (cells, name) => cells.find((cell) => cell.name === name);
  const has = (cell) => cell.known.includes('P0');
  const key = (cells, level, which) => {
    const [x, y] = [70 + which * 190, 40 + level * 44];
    const cell = value(cells, `key_${which}`);
    return [
      box(x, y, 170, 34, has(cell)),
      text(x + 85, y + 22, `${which === 0 ? 'K⁰' : 'K¹'} …${cell.value.slice(-4)}`, { mono: true }),
    ];
  };
  const columns = ['word', 'mask', 'masked'];
  const rows = words.flatMap((cells, x) => [
    text(500, 58 + x * 34, `${x}, bits ${x.toString(2).padStart(2, '0')}`, { anchor: 'start' }),
    ...columns.flatMap((name, column) => {
      const cell = value(cells, name);
      return [box(600 + column * 80, 40 + x * 34, 70, 28, has(cell)), text(635 + column * 80, 59 + x * 34, cell.value)];
    }),
  ]);
  return {
    width: 860,
    height: 190,
    title: 'The masks of a table',
    description: `P0 asks for word ${index.value}. Of each of two pairs of keys it has one. Of the four words of the table it knows all that `
      + 'are masked, and mask and word only at its index. What P0 has is framed heavily.',
    parts: [
      text(70, 24, `P0 asks for word ${index.value}; what it has is framed heavily`, { anchor: 'start', weight: 600 }),
      ...levels.flatMap((cells, level) => [
        text(10, 62 + level * 44, `level ${level}`, { anchor: 'start' }), ...key(cells, level, 0), ...key(cells, level, 1),
      ]),
      ...columns.map((name, column) => text(635 + column * 80, 24, name)),
      ...rows,
    ],
  };
}

/** A READ in which P0 loses its power when it has just spoken: what is on a disk, or lost, or said again. */
function crash() {
  const fields = { operation: 'read', address: '2', seed: '1', disks: 'keep' };
  const spoken = ask('crash', { ...fields, pulls: '' }).steps.findIndex(({ line }) => line === 'P0’s disk has what was appended') + 1;
  const { steps } = ask('crash', { ...fields, pulls: `P0@${spoken}` });
  const parts = Object.entries(lifelines).map(([party, x]) => text(x, 24, party, { weight: 600 }));
  const drawn = [];
  let y = 40;
  for (const { line: what, does, lost, messages, end } of steps.slice(1)) {
    const fresh = messages.filter((message) => message.new);
    const [, party] = /(?:^|: |at )(P[012])/.exec(what) ?? [];
    const speaks = fresh.length > 0 || does.some((done) => /gives the client its answer/.test(done));
    const notable = /gets the client|power/.test(what) || (/disk has/.test(what) && speaks) || does.some((done) => /gives the client its answer/.test(done));
    if (notable && party !== undefined) {
      const strong = /power/.test(what);
      const short = does.some((done) => /gives the client its answer/.test(done)) ? `${party} gives the client its answer`
        : what.replace('The power is back: ', '').replace(' what was appended', ' it');
      y += 26;
      const width = 8.2 * short.length + 16;
      drawn.push(box(lifelines[party] - width / 2, y - 16, width, 22, strong), text(lifelines[party], y, escape(short), { weight: strong ? 600 : 400 }));
      lost.forEach((message) => {
        y += 20;
        drawn.push(text(lifelines[party] + 8, y, escape(`lost on its way: ${message}`), { size: 12, anchor: 'start' }));
      });
    }
    for (const { from, to: [to], what: name, value, times } of fresh) {
      const [x1, x2] = [lifelines[from], lifelines[to]];
      const at = Math.abs(x2 - x1) > 300 ? (lifelines.P1 + x2) / 2 : (x1 + x2) / 2;
      y += 26;
      drawn.push(text(at, y, `${escape(name)}, bytes ${value}${times > 1 ? ', again' : ''}`, { size: 13, weight: times > 1 ? 600 : 400 }));
      y += 8;
      drawn.push(arrow(x1, y, x2 + Math.sign(x1 - x2)));
    }
    if (end !== null) {
      y += 36;
      drawn.push(text(420, y, `both answers add up to ${end.result[0]}; the word is ${end.result[1]}`, { weight: 600 }));
    }
  }
  Object.values(lifelines).forEach((x) => parts.push(line(x, 32, x, y - 24, ' stroke-dasharray="4 4"')));
  return {
    width: 840,
    height: y + 16,
    title: 'A READ in which P0 loses its power',
    description: 'P0 has its command on disk and has said its shift share, when its power fails. It starts again from its disk, does its records '
      + 'again, and says the same bytes again to whoever has them not on disk. Both answers add up to the word.',
    parts: [...parts, ...drawn],
  };
}

/** A round of the game: P2 adds its two vectors, which are of one DPF. */
function game() {
  const fields = { fault: 'roots-equal', protocol: 'with-fault', seed: '1', round: '1' };
  const { scripts, sections } = ask('game_round', fields);
  const { lines, says } = ask('game_tool', fields);
  const of = (from, name) => from.find((entry) => entry.name === name).words;
  const prepared = sections.find(({ title }) => title === 'Prepared').lines;
  const names = ['`t_0^(2)`', '`t_1^(3)`', '`t_0^(2) + t_1^(3)`'];
  const vectors = [of(prepared, names[0]), of(prepared, names[1]), of(lines, names[2])];
  const [left, cellWidth, row] = [180, 70, 40];
  const last = (word) => (word.length === 16 ? `…${word.slice(-4)}` : word);
  const plain = (name) => equation(name.replaceAll('`', ''), '').replace(' = ', '');
  const rows = vectors.flatMap((words, which) => [
    text(left - 16, 94 + which * row, plain(names[which]), { anchor: 'end' }),
    ...words.flatMap((word, at) => [
      box(left + at * cellWidth, 74 + which * row, cellWidth - 8, 30, which === 2 && word === '1'),
      text(left + at * cellWidth + (cellWidth - 8) / 2, 94 + which * row, last(word), { mono: true, size: 13 }),
    ]),
  ]);
  const found = ['ri', 'S', 'ri + S'].map((name) => equation(name, of(lines, `\`${name}\``)[0])).join(', &#160; ');
  return {
    width: 760,
    height: 268,
    title: 'A round of the game: two DPFs from one root',
    description: `One of two scripts was run: A, ${scripts[0]}, or B, ${scripts[1]}. P2 has two vectors of eight words. Since both are of one DPF, `
      + 'their sum is 0 but for a single 1, which stands at ri. With S that is the address.',
    parts: [
      text(20, 28, `A: ${scripts[0]} &#160; or &#160; B: ${scripts[1]}? &#160; What P2 has, if two DPFs grow from one root:`, { anchor: 'start', weight: 600 }),
      ...vectors[0].map((_, at) => text(left + at * cellWidth + (cellWidth - 8) / 2, 62, String(at))),
      ...rows,
      text(380, 222, `${found} mod 8`),
      text(380, 248, escape(says), { weight: 600 }),
    ],
  };
}

const pictures = { 'sharing.svg': sharing, 'dpf-tree.svg': tree, 'read-update.svg': read, 'read-update-update.svg': update, 'lean.svg': lean, 'masks.svg': masks, 'crash.svg': crash, 'game.svg': game };
let stale = 0;
for (const [name, draw] of Object.entries(pictures)) {
  const file = join(dir, name);
  const drawn = picture(draw());
  if (!checking) {
    writeFileSync(file, drawn);
    continue;
  }
  let there = null;
  try { there = readFileSync(file, 'utf8'); } catch { /* compared as null */ }
  if (there === drawn) continue;
  console.error(`pictures.mjs: ${file} is not what the widgets show: draw it anew with node book/widgets/pictures.mjs`);
  stale += 1;
}
console.log(`pictures: ${Object.keys(pictures).length} ${checking ? 'compared' : 'drawn'}`);
exit(stale === 0 ? 0 : 1);
