// A game: one of two scripts is run, and the player, who sees what one party sees, guesses which.

import { cell, el, prose, scrolling, shortCell, table } from './dom.js';
import { form, seedButton } from './form.js';

const parties = ['P2', 'P0', 'P1'];
const protocols = [['as-it-is', 'the protocol as it is'], ['with-fault', 'the protocol with the fault put back']];
const sides = ['A', 'B'];
const digits = 4;
/** Rounds that the tool plays at a press of a button. */
const series = 20;

/** Starts the widget in `place`. */
export function start(place, specification) {
  const faults = specification.game_list({});
  const of = (party) => faults.filter((fault) => fault.party === party)
    .map(({ name, title, protocol }) => [name, protocol === 'lean' ? `lean: ${title}` : title]);
  const controls = form(place, [
    { name: 'party', label: 'You are', value: parties[0], options: parties.map((party) => [party, party]) },
    { name: 'fault', label: 'The fault', value: of(parties[0])[0][0], options: of(parties[0]) },
    { name: 'protocol', label: 'What is run', value: 'as-it-is', options: protocols },
    { name: 'seed', label: 'Seed', value: '1', wide: true },
  ], take, (changed) => {
    if (changed !== 'party') return;
    const options = of(controls.values().party);
    const select = place.querySelector('[name="fault"]');
    select.replaceChildren(...options.map(([value, text]) => el('option', { value }, text)));
    controls.set('fault', options[0][0]);
  }, 'Your choice');
  seedButton(controls, 'New seed');

  const explained = el('p');
  const text = el('div', { class: 'widget-text game-text', 'aria-live': 'polite' });
  const figure = el('div', { class: 'widget-figure game-figure' });
  const inFull = folded('Everything, byte by byte');
  const hint = folded('Hint');
  const buttons = Object.fromEntries([
    ['tool', 'Use the tool', useTool],
    ['A', 'It was A', () => guess('A')],
    ['B', 'It was B', () => guess('B')],
    ['next', 'Next round', next],
    ['series', `Let the tool play ${series} rounds`, playSeries],
  ].map(([name, label, act]) => {
    const button = el('button', { type: 'button', 'data-act': name }, label);
    // Not the attribute disabled: a button that has the focus would lose it.
    button.addEventListener('click', () => { if (button.getAttribute('aria-disabled') !== 'true') act(); });
    return [name, button];
  }));
  const found = el('div', { 'aria-live': 'polite' });
  const score = el('div', { 'aria-live': 'polite' });
  place.append(explained, text, figure, inFull.element, hint.element,
    el('div', { class: 'widget-steps', role: 'group', 'aria-label': 'Guess' }, ...Object.values(buttons)), found, score);

  /** The games of this page, by the choice that they are of: the round that is played, its guess, and the score. */
  const games = new Map();
  let fields = {};
  controls.submit();

  function game(protocol = fields.protocol) {
    const key = [fields.fault, protocol, fields.seed].join();
    if (!games.has(key)) games.set(key, { round: 1, guessed: null, wins: 0, rounds: 0 });
    return games.get(key);
  }

  function take({ fault, protocol, seed }) {
    const answer = specification.game_round({ fault, protocol, seed, round: '1' });
    if (answer.error !== undefined) return answer;
    fields = { fault, protocol, seed };
    draw();
    return {};
  }

  function ask(what, more = {}) {
    return specification[what]({ ...fields, round: String(game().round), ...more });
  }

  /** The round as it is before the tool is used. */
  function draw() {
    const shown = ask('game_round');
    const about = faults.find(({ name }) => name === fields.fault);
    explained.replaceChildren(...(fields.protocol === 'as-it-is'
      ? ['The fault is not there: the protocol is as this book describes it. The tool may be tried all the same.']
      : prose(about.wrong)));
    text.replaceChildren(
      el('p', { class: 'widget-line' }, el('strong', {}, 'Round ', cell('span', 'round', String(game().round))),
        '. All know the memory: ', ...shown.memory.flatMap((word, at) => [at === 0 ? '' : ', ', cell('span', `memory[${at}]`, word)])),
      ...sides.map((side, which) => el('p', { class: 'game-script' }, el('strong', {}, `${side}: `),
        cell('span', side, shown.scripts[which]))),
      el('p', {}, `One of the two was run. This is what ${about.party} has seen of it:`),
    );
    figure.replaceChildren(...shown.sections.map(section));
    sides.forEach((side, which) => { buttons[side].textContent = `It was ${side}: ${shown.scripts[which]}`; });
    inFull.content.replaceChildren(...bytes(shown));
    hint.content.replaceChildren(el('p', {}, ...prose(about.hint)));
    found.replaceChildren();
    drawScore();
  }

  /** Some lines under a title; a line is a word or a vector. */
  function section({ title, lines }) {
    const width = Math.max(...lines.map(({ words }) => words.length));
    const rows = lines.map(({ name, words }) => el('tr', {}, el('th', { scope: 'row' }, ...prose(name)),
      ...words.map((word, at) => value('td', `${title}.${name}[${at}]`, word)),
      words.length < width ? el('td', { colspan: String(width - words.length) }) : null));
    return scrolling(title, table(title, [], rows));
  }

  function bytes({ drawn, messages }) {
    const rows = messages.map(({ step, from, kind, round, bytes: sent }, at) => el('tr', {},
      el('td', {}, step), el('td', {}, from), el('td', {}, `${kind}, ${round}`), cell('td', `message${at}`, sent, { class: 'digits' })));
    return [
      el('p', {}, 'Your random words, in the order in which you draw them: ', cell('span', 'drawn', drawn.join(' '), { class: 'digits' })),
      scrolling('Messages', table('All that you were sent', ['in', 'from', 'kind, round', 'bytes'], rows, { class: 'bytes' })),
    ];
  }

  function useTool() {
    const { lines, says } = ask('game_tool');
    const about = faults.find(({ name }) => name === fields.fault);
    found.replaceChildren(el('p', {}, ...prose(about.tool)), section({ title: 'Tool', lines }),
      el('p', {}, el('strong', {}, cell('span', 'says', says))));
  }

  function guess(side) {
    const now = game();
    const { was, right } = ask('game_guess', { guess: side });
    now.guessed = { side, was, right };
    now.rounds += 1;
    now.wins += right ? 1 : 0;
    drawScore();
  }

  function next() {
    const now = game();
    now.round += 1;
    now.guessed = null;
    draw();
  }

  function playSeries() {
    const now = game();
    if (now.guessed !== null) now.round += 1;
    now.guessed = null;
    const { wins } = ask('game_play', { count: String(series) });
    now.round += series;
    now.rounds += series;
    now.wins += wins;
    draw();
  }

  function drawScore() {
    const { guessed } = game();
    const off = { tool: false, A: guessed !== null, B: guessed !== null, next: guessed === null, series: false };
    for (const [name, button] of Object.entries(buttons)) button.setAttribute('aria-disabled', String(off[name]));
    const rows = protocols.map(([protocol, name]) => {
      const { wins, rounds } = game(protocol);
      const { says } = specification.game_score({ wins: String(wins), rounds: String(rounds) });
      return el('tr', {}, el('th', { scope: 'row' }, name), cell('td', `${protocol}.score`, `${wins} of ${rounds}`),
        cell('td', `${protocol}.chance`, says));
    });
    score.replaceChildren(
      el('p', {}, guessed === null ? '' : el('strong', {}, cell('span', 'told', `${guessed.right ? 'Right' : 'Wrong'}: it was ${guessed.was}.`))),
      table('Won, with this seed', [], rows, { class: 'facts score' }),
    );
  }
}

/** Long words by their last digits. */
function value(tag, name, word) {
  return word.length >= 16 ? shortCell(tag, name, word, digits) : cell(tag, name, word);
}

/** Something that is unfolded at will, and stays so. */
function folded(title) {
  const content = el('div');
  return { element: el('details', {}, el('summary', {}, title), content), content };
}
