// Random inputs of the widgets, and inputs that must be refused.

/** SplitMix64, so that a printed seed brings back a failure. */
export class Random {
  constructor(seed) { this.state = BigInt.asUintN(64, BigInt(seed)); }

  word() {
    this.state = BigInt.asUintN(64, this.state + 0x9e3779b97f4a7c15n);
    let z = this.state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  }

  below(bound) { return Number(this.word() % BigInt(bound)); }

  pick(choices) { return choices[this.below(choices.length)]; }

  /** Small words as often as large ones. */
  anyWord() { return String(this.pick([this.word(), this.word() & 0xffn, 0n, 0xffffffffffffffffn])); }
}

function sharing(random) {
  const kind = random.pick(['additive-64', 'additive-4', 'xor-8']);
  const word = () => ({
    'additive-64': () => random.anyWord(),
    'additive-4': () => String(random.below(4)),
    'xor-8': () => random.below(256).toString(2).padStart(8, '0'),
  })[kind]();
  // Left empty: a random word is drawn, a share is not changed.
  const maybe = () => (random.below(2) === 0 ? '' : word());
  const form = { kind, x: word(), y: word(), seed: random.anyWord() };
  return { ...form, r: maybe(), s: maybe(), change_0: maybe(), change_1: maybe() };
}

/** `supposed` is no field of the form. Some inputs have it and the depth in common, so that what P0 sees may differ in cells only. */
function tree(random, at) {
  const common = at % 6 >= 4;
  const depth = common ? 3 : random.pick([2, 3, 3, 4, 5, 6]);
  const leaf = () => String(random.below(2 ** depth));
  return { depth: String(depth), target: leaf(), value: random.anyWord(), seed: random.anyWord(), supposed: common ? '6' : leaf() };
}

function operation(random) {
  const memory = random.pick([4, 8]);
  return { memory: String(memory), address: String(random.below(memory)), seed: random.anyWord() };
}

function masks(random) {
  const { memory, address, seed } = operation(random);
  return { memory, index: address, seed };
}

/** The faults of the game, and whose view each is of. */
const faults = [
  ['P2', ['roots-equal', 'item-twice', 'deltas-zero', 'deltas-equal', 'heard', 'lowest-bit', 'lean-no-x', 'lean-no-g']],
  ['P0', ['no-rho', 'triple-reused', 'sign-not-blinded', 'lean-stale-rho']],
  ['P1', ['load-not-blinded', 'rho-twice', 'flag-in-value']],
].flatMap(([party, names]) => names.map((fault) => ({ party, fault })));

/** Each fault at least once; `guess` is no field of the form. */
function game(random, at) {
  const { party, fault } = faults[at % faults.length];
  return { party, fault, protocol: random.pick(['as-it-is', 'with-fault']), seed: String(random.word()), guess: random.pick(['A', 'B']) };
}

/**
 * One plug is pulled, or two, the second often before the first party has started again: early enough that every run has these steps. If
 * disks lie, one only, for that may be the end. The third input is one that uses an item twice: P0 has spoken, and nobody has heard it.
 */
function crash(random, at) {
  const parties = ['P0', 'P1', 'P2'];
  const disks = at % 4 >= 2 ? 'cache' : 'keep';
  const first = 1 + random.below(20);
  const pulls = [[parties[at % 3], first]];
  // Of another party: the first has no power yet.
  if (disks === 'keep' && random.below(2) === 0) pulls.push([parties[(at + 1 + random.below(2)) % 3], first + 1 + random.below(8)]);
  return {
    operation: at === 2 ? 'update' : ['read', 'update'][at % 2], address: String(random.below(4)), value: String(random.below(100)), disks, seed: random.anyWord(),
    pulls: at === 2 ? 'P0@5' : pulls.map(([party, after]) => `${party}@${after}`).join(' '),
  };
}

/** In the view of everything, all that stands around the cells may depend on the input: the 1 of a sum is framed. */
const ofAll = (form, view, rest) => (view === 'all' ? JSON.stringify(form) : rest);

const modulus = (form) => (form.memory === '4' ? 4 : 16);

/**
 * The widgets, each with its name for the program that knows the answers, where it stands, its inputs, what the button for
 * the next seed changes besides the seed, and inputs that it must refuse: field, text, and what the message must say.
 */
export const widgets = [
  {
    name: 'sharing',
    place: '[data-widget="sharing"]',
    views: ['all', 'P0', 'P1'],
    form: sharing,
    groups: (form) => form.kind,
    next: () => ({ r: '', s: '' }),
    refused: [
      ['x', '18446744073709551616', 'x: expected a whole number from 0 to 18446744073709551615, got "18446744073709551616"'],
      ['r', '-1', 'r: expected a whole number from 0 to 18446744073709551615, got "-1"'],
      ['change_1', 'twelve', 'change_1: expected a whole number from 0 to 18446744073709551615, got "twelve"'],
      ['y', '', 'y: expected a whole number from 0 to 18446744073709551615, got nothing'],
    ],
  },
  {
    name: 'dpf-tree',
    place: '[data-widget="dpf-tree"]',
    views: ['all', 'P0'],
    form: tree,
    // P0's view may depend on where the target is supposed to be. In the other one the reader sees both trees, and so the target.
    groups: (form, view) => (view === 'P0' ? `${form.depth} ${form.supposed}` : JSON.stringify(form)),
    next: ({ target }) => ({ supposed: target }),
    refused: [
      ['target', '64', 'target: expected a whole number from 0 to'],
      ['value', '1.5', 'value: expected a whole number from 0 to 18446744073709551615, got "1.5"'],
      ['seed', '0x1', 'seed: expected a whole number from 0 to 18446744073709551615, got "0x1"'],
    ],
  },
  {
    name: 'read',
    place: '[data-widget="read-update"][data-operation="read"]',
    views: ['all', 'P0', 'P1', 'P2'],
    moves: 'vectors',
    form: operation,
    groups: (form, view) => ofAll(form, view, form.memory),
    refused: [
      ['address', '8', 'address: expected a whole number from 0 to'],
      ['seed', '', 'seed: expected a whole number from 0 to 18446744073709551615, got nothing'],
    ],
  },
  {
    name: 'update',
    place: '[data-widget="read-update"][data-operation="update"]',
    views: ['all', 'P0', 'P1', 'P2'],
    moves: 'vectors',
    form: (random) => {
      const form = operation(random);
      return { ...form, value: String(random.below(modulus(form))) };
    },
    groups: (form, view) => ofAll(form, view, form.memory),
    refused: [
      ['address', '-0.5', 'address: expected a whole number from 0 to'],
      ['value', '16', 'value: expected a whole number from 0 to'],
    ],
  },
  {
    name: 'lean',
    place: '[data-widget="read-update"][data-operation="lean"]',
    views: ['all', 'P0', 'P1', 'P2'],
    moves: 'vectors',
    form: (random) => ({
      ...operation(random), kind: random.pick(['read', 'update', 'write', 'swap']), value: String(random.below(16)),
    }),
    groups: (form, view) => ofAll(form, view, `${form.memory} ${form.kind}`),
    refused: [
      ['address', '8', 'address: expected a whole number from 0 to'],
      ['value', '16', 'value: expected a whole number from 0 to 15, got "16"'],
    ],
  },
  {
    name: 'masks',
    place: '[data-widget="table-masks"]',
    views: ['all', 'P0', 'P1'],
    form: masks,
    // Which of its cells P0 knows follows from its index, and P1 must not see any of that.
    groups: (form, view) => (view === 'P0' ? `${form.memory} ${form.index}` : form.memory),
    refused: [
      ['index', '8', 'index: expected a whole number from 0 to'],
      ['seed', '-1', 'seed: expected a whole number from 0 to 18446744073709551615, got "-1"'],
    ],
  },
  {
    name: 'crash',
    place: '[data-widget="crash"]',
    views: ['all'],
    moves: 'messages',
    form: crash,
    groups: (form) => JSON.stringify(form),
    next: () => ({ pulls: '' }),
    refused: [
      ['address', '4', 'address: expected a whole number from 0 to 3, got "4"'],
      ['seed', '-1', 'seed: expected a whole number from 0 to 18446744073709551615, got "-1"'],
    ],
  },
  {
    name: 'game',
    place: '[data-widget="game"]',
    views: ['all'],
    form: game,
    cases: faults.length,
    groups: (form) => `${form.fault} ${form.protocol}`,
    refused: [
      ['seed', '-1', 'seed: expected a whole number from 0 to 18446744073709551615, got "-1"'],
      ['seed', '', 'seed: expected a whole number from 0 to 18446744073709551615, got nothing'],
    ],
  },
];
