/** Shared state of the simulator. */
import { randomBytes } from 'node:crypto';
import type { SimulatorOptions } from '../../contract.ts';
import { tidOf } from './ids.ts';
import { createJetstream, type Jetstream } from './jetstream.ts';
import { createLimiter, type Limiter } from './limits.ts';

export interface World {
  options: SimulatorOptions;
  /** Path of the base URL, "" or "/sandbox/…". */
  basePath: string;
  /** The server's own DID. */
  pdsDid: string;
  limit: Limiter;
  /** Fetches a client's metadata document or keys; null if unavailable. */
  fetchJson: FetchJson;
  /** Secret for session tokens and nonces, persisted in the store. */
  secret(): Promise<string>;
  /** Returns a TID later than all previous ones. */
  nextTid(): string;
  /** Runs work on one key after pending work on the same key. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Returns true if the name is not remembered. Remembers it for `ms`. */
  firstTime(name: string, ms: number): boolean;
  jetstream: Jetstream;
}

export type FetchJson = (url: string) => Promise<unknown>;

export function createWorld(options: SimulatorOptions, fetchJson: FetchJson): World {
  const { store, now } = options;
  const url = new URL(options.baseUrl);
  const remembered = new Map<string, number>();
  const turns = new Map<string, Promise<unknown>>();
  let secret: string | undefined;
  let lastMicros = 0;
  return {
    options,
    basePath: url.pathname === '/' ? '' : url.pathname,
    // A local PDS uses this DID regardless of its port.
    pdsDid: `did:web:${/^(localhost|127\.|\[::1\])/.test(url.hostname) ? 'localhost' : url.hostname}`,
    limit: createLimiter(options.limits, now),
    fetchJson,
    jetstream: createJetstream(now),
    async secret() {
      if (secret === undefined) {
        await store.insert('secret', 'tokens', randomBytes(32).toString('hex'));
        secret = await store.get<string>('secret', 'tokens');
      }
      return secret ?? '';
    },
    nextTid() {
      lastMicros = Math.max(lastMicros + 1, now() * 1000);
      return tidOf(lastMicros, randomBytes(2).readUInt16BE());
    },
    async inTurn(key, work) {
      const before = turns.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      turns.set(key, mine);
      try {
        return await mine;
      } finally {
        if (turns.get(key) === mine) turns.delete(key);
      }
    },
    firstTime(name, ms) {
      const at = now();
      if (remembered.size > 10_000) for (const [known, until] of remembered) if (until <= at) remembered.delete(known);
      if ((remembered.get(name) ?? 0) > at) return false;
      remembered.set(name, at + ms);
      return true;
    },
  };
}

/**
 * Fetches JSON over https from one origin only, so that the sandbox cannot be used for server-side request forgery.
 * @param origin the only allowed origin
 */
export function fetchFrom(origin: string): FetchJson {
  return async (address) => {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:' || url.origin !== origin) return null;
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5_000) });
      const text = await response.text();
      return response.ok && text.length < 100_000 ? (JSON.parse(text) as unknown) : null;
    } catch {
      return null;
    }
  };
}
