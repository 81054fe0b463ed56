// The folder of the built book, which every check takes as its first argument.

import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { argv, exit } from 'node:process';

/** Its absolute path; without a book there, ends the program with a message. */
export function htmlDir() {
  const dir = resolve(argv[2] ?? '.');
  if (!existsSync(join(dir, 'index.html'))) {
    console.error(`${basename(argv[1])}: expected the folder of the built book, got ${dir}, in which there is no index.html`);
    exit(2);
  }
  return dir;
}
