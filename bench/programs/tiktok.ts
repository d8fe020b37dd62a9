/**
 * A simulated TikTok that responds immediately: in-memory store, no limits, no processing time. Identical videos are
 * stored once.
 */
import { createHash } from 'node:crypto';
import http from 'node:http';
import { Readable } from 'node:stream';
import type { Blobs } from '../../packages/sandbox/src/contract.ts';
import { createSimulatorHandler } from '../../packages/sandbox/src/http/handler.ts';
import { simulator as tiktok } from '../../packages/sandbox/src/platforms/tiktok/index.ts';
import { memoryStore } from '../../packages/sandbox/src/store/memory.ts';
import { createSerial } from '../../packages/sandbox/src/store/serial.ts';
import type { JsonObject } from '../../packages/server/src/connectors/contract.ts';

export interface TikTokOptions {
  port: number;
  accounts: number;
  /** Delay of each call, in ms. */
  delayMs?: number;
}

export interface TikTokReady {
  accounts: { remoteId: string; username: string; tokenAnswer: JsonObject }[];
}

/** `post`: each account first posts a video with TikTok's own app. */
export type TikTokQuestion = 'seen' | 'post';

export interface TikTokSeen {
  /** Time of each account's first call, in order; ms since the epoch. */
  firstCalls: number[];
  /** Number of all calls. */
  calls: number;
  /** Times of publication, in order; ms since the epoch. */
  published: number[];
  /** Number of accounts with more than one video. */
  doubled: number;
  /** Errors that the simulator threw. */
  errors: string[];
}

const options = JSON.parse(process.argv[2] ?? '{}') as TikTokOptions;
const store = memoryStore();
const errors: string[] = [];
const published: { at: number; username: string }[] = [];
const baseUrl = `http://127.0.0.1:${options.port}/sandbox/tiktok`;
const blobs = sharingBlobs();
const simulator = tiktok.create({
  store: {
    ...store,
    async publish(entry, act) {
      published.push({ at: Date.now(), username: entry.username });
      await store.publish(entry, act);
    },
  },
  blobs,
  serial: createSerial(),
  baseUrl,
  now: Date.now,
  limits: false,
  processingMs: 0,
  fetch: async () => null,
  app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
});
const handle = createSimulatorHandler({
  simulator,
  prefix: '/sandbox/tiktok',
  observe: ({ error }) => complain(error),
});
const firstCalls = new Map<string, number>();
let calls = 0;
const server = http.createServer((request, response) => {
  calls++;
  const { authorization } = request.headers;
  if (authorization && !firstCalls.has(authorization)) firstCalls.set(authorization, Date.now());
  if (options.delayMs) setTimeout(() => handle(request, response), options.delayMs);
  else handle(request, response);
});
const accounts: TikTokReady['accounts'] = [];
for (let index = 0; index < options.accounts; index++) {
  const { remoteId, username, tokenAnswer } = await simulator.enrol(`bench.${index}`);
  if (tokenAnswer) accounts.push({ remoteId, username, tokenAnswer });
}
process.on('message', async (question: TikTokQuestion) => {
  if (question === 'post') await postByPhone();
  const seen: TikTokSeen = {
    firstCalls: [...firstCalls.values()],
    calls,
    published: published.map(({ at }) => at),
    doubled: published.length - new Set(published.map(({ username }) => username)).size,
    errors,
  };
  process.send?.(seen);
});
server.listen(options.port, '127.0.0.1', () => process.send?.({ accounts } satisfies TikTokReady));

async function postByPhone(): Promise<void> {
  const blob = 'phone';
  const { bytes, sha256 } = await blobs.put(blob, Readable.from([Buffer.alloc(1_000)]));
  const video = { blob, bytes, sha256, mime: 'video/mp4', durationMs: 4_000, width: 360, height: 640 };
  for (const { username } of accounts)
    await simulator.phone?.post(username, { text: `Posted by hand at ${Date.now()}`, video, hiddenMs: 0 });
}

function complain(error: unknown): void {
  if (error !== undefined) errors.push(error instanceof Error ? error.message : String(error));
}

/** Blobs in memory; identical ones are stored once. */
function sharingBlobs(): Blobs {
  const contents = new Map<string, Buffer>();
  const known = new Map<string, { bytes: number; sha256: string }>();
  const read = (key: string) => {
    const bytes = contents.get(known.get(key)?.sha256 ?? '');
    if (!bytes) throw new Error(`There is no blob "${key}".`);
    return bytes;
  };
  const hashOf = (parts: readonly Buffer[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return { bytes: parts.reduce((sum, part) => sum + part.length, 0), sha256: hash.digest('hex') };
  };
  return {
    async put(key, source) {
      const parts: Buffer[] = [];
      for await (const part of source as AsyncIterable<Buffer>) parts.push(part);
      const found = hashOf(parts);
      if (!contents.has(found.sha256)) contents.set(found.sha256, Buffer.concat(parts));
      known.set(key, found);
      return found;
    },
    async get(key, range) {
      const bytes = read(key);
      return Readable.from([range ? bytes.subarray(range.first, range.last + 1) : bytes], { objectMode: false });
    },
    size: async (key) => known.get(key)?.bytes ?? null,
    async remove(key) {
      known.delete(key);
    },
    hash: async (keys) => hashOf(keys.map(read)),
  };
}
