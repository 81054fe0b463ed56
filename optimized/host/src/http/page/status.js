'use strict';

// All text goes in as text, never as markup: some of it is what a peer has said.

const REFRESH_MS = 2000;

// What an operator does about the session's key.
const WEAR = { fine: '', soon: ': plan a new session', worn: ': begin a new session' };

const number = (value) => value.toLocaleString('en');

function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  while (value >= 1024 && unit + 1 < units.length) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

function time(microseconds) {
  if (microseconds < 1e3) return `${Math.round(microseconds)} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1e3).toFixed(1)} ms`;
  if (microseconds < 120e6) return `${(microseconds / 1e6).toFixed(1)} s`;
  if (microseconds < 7200e6) return `${Math.round(microseconds / 60e6)} min`;
  return `${Math.round(microseconds / 3600e6)} h`;
}

// The upper bound of the class of latency that the given part of all requests is within.
function quantile(bounds, latency, part) {
  const all = latency.reduce((sum, count) => sum + count, 0);
  if (all === 0) return '–';
  let seen = 0;
  for (const [place, count] of latency.entries()) {
    seen += count;
    if (seen >= part * all) return place < bounds.length ? time(bounds[place]) : `> ${time(bounds.at(-1))}`;
  }
  return '–';
}

// A row: its name, and its cells.
function row(name, ...cells) {
  const line = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = name;
  line.append(head);
  for (const cell of cells) {
    const data = document.createElement('td');
    data.textContent = cell;
    line.append(data);
  }
  return line;
}

const fill = (id, rows) => document.getElementById(id).replaceChildren(...rows);

function state(text, good) {
  const place = document.getElementById('state');
  // Only what changes is read aloud.
  if (place.textContent !== text) place.textContent = text;
  place.className = good ? 'good' : 'bad';
}

function show({ about, status, age_ms: age, edge, latency_bounds: bounds }) {
  document.title = `DUORAM ${about.role}`;
  document.getElementById('role').textContent = about.role;
  const facts = [
    row('Protocol', about.protocol),
    row(about.row_words === 1 ? 'Words' : `Rows of ${about.row_words} words`, `2^${about.log_size}`),
    row('Session', about.session),
    row('Version', about.version),
    row('Backend', `${about.backend}, ${about.threads} threads`),
  ];
  fill('edge', Object.entries(edge).map(([event, count]) => row(event, number(count))));
  if (status === null) {
    state('The engine has not begun', false);
    fill('party', facts);
    return;
  }
  if (age > 30000) state(`The engine was last heard of ${time(age * 1e3)} ago`, false);
  else state(status.ready ? 'Ready' : `Waits for ${status.waits_for.join(', ')}`, status.ready);
  fill('stock', ['reads', 'updates'].map((kind) => row(kind, number(status.stock[kind]), number(status.making[kind]))));
  fill('links', status.links.map((link) => row(
    link.peer, link.up ? 'up' : 'down', number(link.connects), bytes(link.unacknowledged_bytes), link.refused ?? '–',
  )));
  fill('requests', status.requests.map((kind) => row(
    kind.kind, number(kind.done), number(kind.refused), number(kind.queries),
    kind.done === 0 ? '–' : time(kind.microseconds / kind.done),
    quantile(bounds, kind.latency, 0.5), quantile(bounds, kind.latency, 0.99),
  )));
  fill('party', [
    ...facts,
    row('Memory', status.loaded ? 'loaded' : 'not loaded'),
    row('Clients', number(status.clients)),
    row('Requests waiting', number(status.waiting)),
    row('Orders', number(status.orders)),
    row('Items made', number(status.items_made)),
    row('Labels under the session key', `${number(status.key_labels)} of at most ${number(status.key_labels_limit)}${WEAR[status.key_wear]}`),
    row('Last snapshot', `${time(status.snapshot_age_ms * 1e3)} ago`),
    row('Journal since then', bytes(status.journal_bytes)),
    row('Writes to disk', number(status.syncs)),
    row('Mean time of a write', status.syncs === 0 ? '–' : time(status.sync_microseconds / status.syncs)),
    row('Up for', time(status.uptime_ms * 1e3)),
  ]);
}

async function refresh() {
  try {
    const answer = await fetch('status.json', { cache: 'no-store' });
    if (!answer.ok) throw new Error(`status.json: ${answer.status}`);
    show(await answer.json());
  } catch (error) {
    state(`No answer: ${error.message}`, false);
  } finally {
    setTimeout(refresh, REFRESH_MS);
  }
}

refresh();
