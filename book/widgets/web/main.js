// Starts the widgets of a page. Each stands in an element with the class `widget` and its name in `data-widget`.

import { el } from './dom.js';
import { load } from './load.js';

const modules = {
  sharing: './sharing.js',
  'dpf-tree': './dpf-tree.js',
  'read-update': './read-update.js',
  'table-masks': './table-masks.js',
  crash: './crash.js',
  game: './game.js',
};

/** The static picture that follows a widget for readers without JavaScript. */
function pictureAfter(place) {
  const noscript = place.nextElementSibling;
  if (noscript?.tagName !== 'NOSCRIPT') return null;
  // With JavaScript on, the inside of a noscript element is text.
  return new DOMParser().parseFromString(noscript.textContent, 'text/html').querySelector('img');
}

async function start(place) {
  try {
    const [specification, widget] = await Promise.all([load(), import(modules[place.dataset.widget])]);
    widget.start(place, specification);
    // Arrow keys and letters are the widget's own here; the book would turn the page or open its search.
    place.addEventListener('keydown', (event) => event.stopPropagation());
    place.dataset.state = 'ready';
  } catch (error) {
    const message = el('p', { class: 'widget-error', role: 'alert' }, `This widget could not be started (${error.message}).`);
    const picture = pictureAfter(place);
    place.replaceChildren(message, ...(picture ? [document.adoptNode(picture)] : []));
    place.dataset.state = 'failed';
  }
}

for (const place of document.querySelectorAll('.widget[data-widget]')) start(place);
