// A static file server on 127.0.0.1, for the checks and for reading locally.
//
// Alone: node server.mjs DIR [PORT]

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const types = new Map(Object.entries({
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}));

/** The file that a request is for, or null: a folder stands for its index.html, nothing outside `root` is served. */
async function fileOf(root, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return null;
  }
  let file = resolve(join(root, path));
  if (file !== root && !file.startsWith(root + sep)) return null;
  let found = await stat(file).catch(() => null);
  if (found?.isDirectory()) {
    file = join(file, 'index.html');
    found = await stat(file).catch(() => null);
  }
  return found?.isFile() ? { file, size: found.size } : null;
}

/**
 * Serves the files below `dir` on 127.0.0.1; port 0 takes any free one.
 *
 * @param {string} dir
 * @param {number} [port]
 * @returns {Promise<{url: string, close: () => Promise<void>}>} `url` has no slash at its end.
 */
export async function serve(dir, port = 0) {
  const root = resolve(dir);
  const server = createServer(async (request, response) => {
    const found = await fileOf(root, request.url ?? '/');
    if (found === null) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`no file ${request.url}\n`);
      return;
    }
    const type = types.get(extname(found.file)) ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-length': found.size, 'cache-control': 'no-store' });
    if (request.method === 'HEAD') response.end();
    else createReadStream(found.file).pipe(response);
  });
  await new Promise((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    }),
  };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve(argv[2] ?? '.', Number(argv[3] ?? 0));
  console.log(url);
}
