/** Jetstream: a WebSocket with the records of the network (docs.bsky.app, "Jetstream"; source of jetstream). */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { isObject } from '../../http/parameters.ts';
import type { JsonObject } from '../../json.ts';

/** A change of a record. */
export interface RecordChange {
  did: string;
  rev: string;
  operation: 'create' | 'update' | 'delete';
  collection: string;
  rkey: string;
  record?: JsonObject;
  cid?: string;
}

export interface Jetstream {
  announce(change: RecordChange): void;
  /** Answers a request for a WebSocket at `/subscribe`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Events that a cursor can go back to. */
const MAX_EVENTS = 1_000;
const MAX_DIDS = 10_000;
const MAX_COLLECTIONS = 100;
const MAX_OPTIONS_BYTES = 10_000_000;

interface Filter {
  collections: ReadonlySet<string>;
  dids: ReadonlySet<string>;
}

interface Event {
  micros: number;
  did: string;
  collection: string;
  text: string;
}

/** Announces what happens in this process. @param now ms since the epoch */
export function createJetstream(now: () => number): Jetstream {
  const events: Event[] = [];
  const readers = new Map<WebSocket, Filter>();
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_OPTIONS_BYTES });
  let last = 0;
  const send = (socket: WebSocket, filter: Filter, { did, collection, text }: Event) => {
    const isWanted =
      (filter.dids.size === 0 || filter.dids.has(did)) &&
      (filter.collections.size === 0 || filter.collections.has(collection));
    if (isWanted) socket.send(text);
  };
  return {
    announce({ did, ...commit }) {
      last = Math.max(last + 1, now() * 1_000);
      const text = JSON.stringify({ did, time_us: last, kind: 'commit', commit });
      const event = { micros: last, did, collection: commit.collection, text };
      events.push(event);
      if (events.length > MAX_EVENTS) events.shift();
      for (const [socket, filter] of readers) send(socket, filter, event);
    },
    upgrade(request, socket, head) {
      const { searchParams: query, pathname } = new URL(request.url ?? '/', 'http://localhost');
      const given = filterOf(query.getAll('wantedCollections'), query.getAll('wantedDids'));
      if (!pathname.endsWith('/subscribe') || given === null)
        return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      server.handleUpgrade(request, socket, head, (client) => {
        const cursor = Number(query.get('cursor') ?? Number.POSITIVE_INFINITY);
        const begin = (filter: Filter) => {
          const isFirst = !readers.has(client);
          readers.set(client, filter);
          if (isFirst) for (const event of events) if (event.micros >= cursor) send(client, filter, event);
        };
        client.on('close', () => readers.delete(client));
        client.on('error', () => readers.delete(client));
        client.on('message', (data) => {
          const filter = updateIn(String(data));
          if (filter) begin(filter);
          else client.close(1003, 'invalid options');
        });
        if (query.get('requireHello') !== 'true') begin(given);
      });
    },
  };
}

/** Returns null for too many values. */
function filterOf(collections: readonly string[], dids: readonly string[]): Filter | null {
  if (collections.length > MAX_COLLECTIONS || dids.length > MAX_DIDS) return null;
  return { collections: new Set(collections), dids: new Set(dids) };
}

function updateIn(text: string): Filter | null {
  try {
    const { type, payload } = JSON.parse(text);
    if (type !== 'options_update' || !isObject(payload)) return null;
    const [collections, dids] = [payload.wantedCollections ?? [], payload.wantedDids ?? []];
    return Array.isArray(collections) && Array.isArray(dids) ? filterOf(collections, dids) : null;
  } catch {
    return null;
  }
}
