// The form of a widget: what the reader chooses. A refused input shows why, and changes nothing else.

import { el } from './dom.js';

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {string} value
 * @property {[string, string][]} [options] value and text of each choice; without them the field is a text field
 * @property {boolean} [wide] room for twenty digits
 */

function control({ name, value, options, wide }) {
  if (options === undefined) {
    const attributes = { name, value, autocomplete: 'off', spellcheck: 'false', class: wide ? 'wide' : 'narrow' };
    return el('input', { type: 'text', ...attributes });
  }
  const select = el('select', { name }, ...options.map(([option, text]) => el('option', { value: option }, text)));
  select.value = value;
  return select;
}

let count = 0;

/**
 * Puts a form into `place`. `take` gets the fields by name whenever one has changed, and says `{error, field}` if it
 * refuses them.
 *
 * @param {HTMLElement} place
 * @param {Field[]} fields
 * @param {(values: Record<string, string>) => {error?: string, field?: string}} take
 * @param {(changed: string) => void} [before] may change other fields first
 * @param {string} [legend] whose choice it is, and who sees it
 * @returns `values` and `set` of the fields, `submit` as if a field had changed, and `add` for a further control
 */
export function form(place, fields, take, before = () => {}, legend = 'Your choice; no party sees it') {
  count += 1;
  const id = `widget-error-${count}`;
  const error = el('p', { class: 'widget-error', role: 'alert', id });
  error.hidden = true;
  const controls = new Map(fields.map((field) => [field.name, control(field)]));
  const labels = fields.map((field) => el('label', {}, el('span', {}, field.label), controls.get(field.name)));
  const choices = el('fieldset', {}, el('legend', {}, legend), ...labels);
  const element = el('form', { class: 'widget-form' }, choices, error);

  const values = () => Object.fromEntries([...controls].map(([name, input]) => [name, input.value]));
  const submit = () => {
    const refusal = take(values());
    error.hidden = refusal.error === undefined;
    error.textContent = refusal.error ?? '';
    for (const [name, input] of controls) {
      input.removeAttribute('aria-invalid');
      input.removeAttribute('aria-describedby');
      if (name !== refusal.field) continue;
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', id);
    }
  };
  element.addEventListener('change', (event) => {
    before(event.target.name);
    submit();
  });
  // Enter in a text field: its change event comes first, and has done everything.
  element.addEventListener('submit', (event) => event.preventDefault());
  place.append(element);
  return {
    values,
    set: (name, value) => { controls.get(name).value = value; },
    submit,
    add: (node) => choices.append(node),
  };
}

/** A button that takes the next seed, and submits the form. */
export function seedButton(controls, text, before = () => {}) {
  const button = el('button', { type: 'button' }, text);
  button.addEventListener('click', () => {
    const seed = controls.values().seed;
    // A seed that is no number is left for the form to refuse.
    if (/^\d{1,20}$/.test(seed)) controls.set('seed', String(BigInt.asUintN(64, BigInt(seed) + 1n)));
    before();
    controls.submit();
  });
  controls.add(button);
}
