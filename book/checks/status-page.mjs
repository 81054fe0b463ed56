// A party's status page in headless Chromium: three parties on this machine, as `duoram deploy` writes them.
//
//   node status-page.mjs DUORAM   the program

import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, exit, pid } from 'node:process';

import { launch, PATIENCE } from './browser.mjs';
import { overflowing, violations } from './in-page.mjs';

const LOG_SIZE = 8;
// SECURITY.md: the labels that a session's key should serve at most, and those of an item.
const [KEY_LABELS, LABELS_OF_ITEM] = [2 ** 21, 3 * LOG_SIZE];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Ways to break the page, each as a change of its script, and what must be said of it. What never comes is waited for shortly. */
const faults = [
  { name: 'refused requests as done', from: 'number(kind.done)', to: 'number(kind.refused)', said: 'reads done: expected', soon: true },
  { name: 'stock of the other kind', from: 'status.stock[kind]', to: "status.stock[kind === 'reads' ? 'updates' : 'reads']", said: 'stock of reads: expected' },
  { name: 'a link that is down as up', from: "link.up ? 'up' : 'down'", to: "'up'", said: 'the link of a party that is gone: expected down' },
  { name: 'labels of another count', from: 'number(status.key_labels)', to: 'number(status.items_made)', said: 'labels: expected' },
  { name: 'a worn key as any other', from: 'WEAR[status.key_wear]', to: "''", said: 'labels of a key that is soon: expected plan', soon: true },
  { name: 'never refreshed', from: 'setTimeout(refresh, REFRESH_MS)', to: 'refresh.toString()', said: 'reads done: expected', soon: true },
  { name: 'ready, whatever it waits for', from: 'status.ready', to: 'true', said: 'the state: expected Waits for a link', soon: true },
  { name: 'a picture from elsewhere', from: 'document.title = ', to: "new Image().src = 'http://127.0.0.2/'; document.title = ", said: 'problems: expected' },
  { name: 'a colour too pale', from: 'const facts = [', to: "document.body.style.color = '#999'; const facts = [", said: 'axe, light, 390 pixels: color-contrast' },
  { name: 'a row too wide', from: 'const facts = [', to: "document.querySelector('h1').style.minWidth = '500px'; const facts = [", said: 'wider than 390 pixels' },
];

class Wrong extends Error {}
const equal = (what, got, expected) => {
  if (got !== expected) throw new Wrong(`${what}: expected ${expected}, got ${got}`);
};

/** Ports that nobody listens on, and none of those that the system gives to callers, who would take one before a party listens there. */
const freePorts = async (count) => {
  const ports = [];
  for (let port = 10_000 + (pid % 64) * 300; ports.length < count; port += 1) {
    const server = createServer();
    const free = await new Promise((done) => { server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)); });
    if (!free) continue;
    ports.push(port);
    await new Promise((done) => { server.close(done); });
  }
  return ports;
};

const program = resolve(argv[2] ?? '');
const folder = mkdtempSync(join(tmpdir(), 'duoram-status.'));
const at = (name) => join(folder, 'd', name);
const duoram = (...args) => execFileSync(program, args, { encoding: 'utf8' });
const client = (...args) => duoram('client', '--config', at('client.toml'), ...args);

const ports = await freePorts(6);
const origins = ports.slice(3).map((port) => `http://127.0.0.1:${port}`);
duoram('deploy', '--hosts', ports.slice(0, 3).map((port) => `127.0.0.1:${port}`).join(), '--log-size', `${LOG_SIZE}`, '--out', join(folder, 'd'));
origins.forEach((origin, place) => {
  const text = readFileSync(at(`p${place}.toml`), 'utf8');
  writeFileSync(at(`p${place}.toml`), text.replace(`127.0.0.1:810${place}`, origin.replace('http://', '')));
});
const parties = [null, null, null];
function start(place) {
  const log = openSync(join(folder, `p${place}.log`), 'a');
  parties[place] = spawn(program, ['party', '--config', at(`p${place}.toml`)], { stdio: ['ignore', 'ignore', log] });
  closeSync(log);
}
const kill = (place) => new Promise((done) => {
  parties[place].once('exit', done).kill('SIGKILL');
});

/** The page of a party, which notes what it asks of others, and what its console says. */
async function open(browser, place, fault) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  page.setDefaultTimeout(fault?.soon ? 6_000 : PATIENCE);
  page.problems = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origins[place] && url.protocol !== 'data:') page.problems.push(`a request to ${url.origin}`);
  });
  page.on('pageerror', (error) => page.problems.push(`an error: ${error.message}`));
  page.on('console', (message) => page.problems.push(`the console: ${message.text()}`));
  if (fault) {
    const { name, from, to } = fault;
    await page.route('**/status.js', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      if (!text.includes(from)) throw new Error(`fault '${name}': its place is not in status.js: ${from}`);
      await route.fulfill({ response, body: text.replaceAll(from, to) });
    });
  }
  await page.goto(`${origins[place]}/`);
  return page;
}

/** The cells of a table's row, by its name. */
const cells = (page, table, name) => page.locator(`#${table} tr`).filter({ has: page.locator(`th:text-is("${name}")`) }).locator('td').allTextContents();

const says = (page, text) => page.waitForFunction((expected) => document.getElementById('state').textContent.startsWith(expected), text)
  .catch(async () => { throw new Wrong(`the state: expected ${text}, got ${await page.textContent('#state')}`); });

/** What the page shows, against what was asked of the parties and what the party reports; the party is at rest. */
async function figures(page, place, done) {
  await says(page, 'Ready');
  await page.waitForFunction((reads) => {
    const rows = [...document.querySelectorAll('#requests tr')];
    return rows.some((row) => row.cells[0].textContent === 'read' && row.cells[1].textContent === `${reads}`);
  }, done.read).catch(async () => { throw new Wrong(`reads done: expected ${done.read}, got ${await cells(page, 'requests', 'read')}`); });
  const { status } = await (await fetch(`${origins[place]}/status.json`)).json();
  for (const [kind, count] of Object.entries(done)) {
    const row = await cells(page, 'requests', kind);
    equal(`${kind}: done, refused, queries`, row.slice(0, 3).join(), `${count},0,${count}`);
  }
  for (const kind of ['reads', 'updates']) {
    equal(`stock of ${kind}`, (await cells(page, 'stock', kind))[0], status.stock[kind].toLocaleString('en'));
  }
  for (const link of status.links) {
    equal(`link to ${link.peer}`, (await cells(page, 'links', link.peer)).slice(0, 2).join(), `up,${link.connects}`);
  }
  const labels = (status.items_made * LABELS_OF_ITEM).toLocaleString('en');
  equal('labels', (await cells(page, 'party', 'Labels under the session key'))[0], `${labels} of at most ${KEY_LABELS.toLocaleString('en')}`);
}

/** What the page says of a key that has served most of what it may, or more: of a report that is changed, as to serve that takes hours. */
async function worn(page, place) {
  const report = await (await fetch(`${origins[place]}/status.json`)).json();
  for (const [wear, says] of [['soon', 'plan a new session'], ['worn', 'begin a new session']]) {
    report.status.key_wear = wear;
    await page.route('**/status.json', (route) => route.fulfill({ json: report }));
    const row = page.locator('#party tr').filter({ has: page.locator('th:text-is("Labels under the session key")') });
    await row.filter({ hasText: `: ${says}` }).waitFor()
      .catch(async () => { throw new Wrong(`labels of a key that is ${wear}: expected ${says}, got ${await row.locator('td').textContent()}`); });
    await page.unroute('**/status.json');
  }
}

/** On a telephone and on a screen, light and dark: nothing hidden, nothing too pale, nothing wider than it. */
async function looks(page) {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate(axe);
      const { found } = await page.evaluate(violations, { exceptions: [] });
      if (found.length > 0) throw new Wrong(`axe, ${colorScheme}, ${width} pixels: ${found[0].rule}: ${found[0].target}: ${found[0].why}`);
      const wide = await page.evaluate(overflowing);
      if (wide !== null) throw new Wrong(`wider than ${width} pixels: ${wide}`);
    }
  }
}

/** Markup that somebody could bring in runs nothing. */
async function runsNothingElse(page) {
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    script.remove();
    return window.ran === true;
  });
  equal('a script that was put in runs', ran, false);
  page.problems = page.problems.filter((problem) => !problem.includes('Content Security Policy'));
}

/** A party that goes is seen to go, and to come again. */
async function goesAndComes(page, place, peer) {
  await kill(peer);
  try {
    await says(page, 'Waits for a link');
    equal('the link of a party that is gone', (await cells(page, 'links', `P${peer}`))[0], 'down');
  } finally {
    start(peer);
  }
  await says(page, 'Ready');
}

const nothingElse = (page) => equal('problems', page.problems.join('; '), '');
const browser = await launch();
let failed = false;
try {
  [0, 1, 2].forEach(start);
  for (const place of [0, 1, 2]) {
    for (let left = PATIENCE / 100; ; left -= 1) {
      if (await fetch(`${origins[place]}/livez`).then((answer) => answer.ok, () => false)) break;
      if (left === 0) throw new Wrong(`P${place} does not answer`);
      await new Promise((done) => { setTimeout(done, 100); });
    }
  }
  const page = await open(browser, 0);
  await says(page, 'Waits for a memory');
  writeFileSync(join(folder, 'memory'), Buffer.alloc(8 << LOG_SIZE, 7));
  client('load', join(folder, 'memory'));
  await says(page, 'Ready');
  for (let read = 0; read < 3; read += 1) client('read', `${read}`);
  client('update', '4', '5');
  const done = { read: 3, update: 1 };
  await figures(page, 0, done);
  await worn(page, 0);
  await looks(page);
  await runsNothingElse(page);
  nothingElse(page);
  await goesAndComes(page, 0, 2);
  const ofP2 = await open(browser, 2);
  await says(ofP2, 'Ready');
  await looks(ofP2);
  nothingElse(ofP2);

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${origins[0]}/`);
  equal('links without JavaScript', (await still.locator('noscript a:visible').allTextContents()).join(), 'status.json,metrics');
  console.log(`status page: requests, stock, links, labels as the parties report them; a party that goes and comes is seen`);
  console.log('light and dark, 390 and 1280 pixels: axe finds nothing, nothing overflows; no request to another host; inline scripts do not run');

  for (const fault of faults) {
    let seen = null;
    try {
      const broken = await open(browser, 0, fault);
      await says(broken, 'Ready');
      client('read', '9');
      done.read += 1;
      await figures(broken, 0, done);
      await worn(broken, 0);
      await looks(broken);
      nothingElse(broken);
      await goesAndComes(broken, 0, 2);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      seen = error.message;
    }
    if (!seen?.startsWith(fault.said)) throw new Wrong(`planted: ${fault.name}: expected ${fault.said}, got ${seen}`);
    console.log(`planted: ${fault.name}: ${seen.slice(0, 110)}`);
  }

  await kill(0);
  await says(page, 'No answer');
} catch (error) {
  failed = true;
  console.error(`status-page.mjs: ${error instanceof Wrong ? error.message : error.stack}`);
  [0, 1, 2].forEach((place) => console.error(readFileSync(join(folder, `p${place}.log`), 'utf8').split('\n').slice(-8).join('\n')));
} finally {
  parties.forEach((party) => party?.kill('SIGKILL'));
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
exit(failed ? 1 : 0);
