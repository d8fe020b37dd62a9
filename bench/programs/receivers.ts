/** The baselines for receiving uploads: a bare pipe to disk, and @fastify/multipart. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';

export interface ReceiversReady {
  /** Accepts a raw body. `?hash` also hashes it, `?sync` also waits for the disk. */
  pipe: string;
  /** Extracts the file from the form, with the same two options. */
  multipart: string;
}

const { folder } = JSON.parse(process.argv[2] ?? '{}') as { folder: string };
let count = 0;

async function keep(source: Readable, address: string): Promise<void> {
  const { searchParams } = new URL(address, 'http://localhost');
  const path = join(folder, `received-${count++}`);
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  if (searchParams.has('hash')) await pipeline(source, hashing, createWriteStream(path));
  else await pipeline(source, createWriteStream(path));
  if (searchParams.has('sync')) {
    const file = await open(path);
    await file.sync();
    await file.close();
  }
  // Deleted in the background; the response does not wait.
  void rm(path);
}

const bare = http.createServer((request, response) => {
  keep(request, request.url ?? '').then(
    () => response.end('{}'),
    () => response.destroy(),
  );
});
const app = Fastify();
await app.register(multipart, { limits: { fileSize: 1024 ** 3 } });
app.post('/', async (request) => {
  const file = await request.file();
  if (file) await keep(file.file, request.url);
  return {};
});
await app.listen({ port: 0, host: '127.0.0.1' });
bare.listen(0, '127.0.0.1', () => {
  const at = (server: http.Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  process.send?.({ pipe: at(bare), multipart: at(app.server) } satisfies ReceiversReady);
});
