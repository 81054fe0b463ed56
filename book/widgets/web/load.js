// Loads the specification, compiled to WebAssembly, once for all widgets of a page.

import init, * as exported from './wasm/duoram_book_widgets.js';

let loading = null;

/** A function of the specification: takes the fields of a form, gives what to show or `{error, field}`. */
const call = (name) => (fields) => JSON.parse(exported[name](JSON.stringify(fields)));

/**
 * @typedef {'sharing' | 'dpf_tree' | 'dpf_supposed' | 'read' | 'update' | 'lean' | 'masks' | 'crash'} Shown
 * @typedef {'game_list' | 'game_round' | 'game_tool' | 'game_guess' | 'game_play' | 'game_score'} Played
 * @returns {Promise<Record<Shown | Played, (fields: Record<string, string>) => any>>}
 */
export function load() {
  loading ??= init({ module_or_path: new URL('./wasm/duoram_book_widgets_bg.wasm', import.meta.url) }).then(() => ({
    sharing: call('sharing'),
    dpf_tree: call('dpf_tree'),
    dpf_supposed: call('dpf_supposed'),
    read: call('read'),
    update: call('update'),
    lean: call('lean'),
    masks: call('masks'),
    crash: call('crash'),
    game_list: call('game_list'),
    game_round: call('game_round'),
    game_tool: call('game_tool'),
    game_guess: call('game_guess'),
    game_play: call('game_play'),
    game_score: call('game_score'),
  }));
  return loading;
}
