// The paper's symbols, from their names in the code: `t_0^(1)` is t with 0 below and (1) above.

const letters = { zeta: 'ζ', gamma: 'γ', delta: 'δ', rho: 'ρ', 'D~': 'D̃', '-': '−', xor: '⊕' };
const variables = /^(.|ri|D̃|R’)$/;

/**
 * The words of a formula, as `i*_0 - ri_0`: symbols, and texts that are none.
 *
 * @param {string} text
 * @returns {(string | {base: string, variable: boolean, above: string, below: string})[]}
 */
export function symbols(text) {
  // Between the words stand spaces, and brackets, but for the brackets of an index above as in t^(1).
  const words = text.split(/(\s+|(?<!\^)\(|(?<!\^\([123kab])\)|[[\]])/);
  return words.map((word) => {
    const parts = /^([A-Za-z]+[~’]?)(\*)?(?:_(0[12]|12|[012LRab]))?(?:\^(\([123kab]\)))?$/.exec(word);
    if (parts === null) return letters[word] ?? word;
    const [, name, star, below, above] = parts;
    const base = letters[name] ?? name;
    return { base, variable: variables.test(base), above: star ?? above ?? '', below: below ?? '' };
  });
}
