import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Connector, PushStream, Session, SharedStream } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';
import type { Database } from '../../src/db/database.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import type { Message } from '../../src/messages/message.ts';
import { say } from '../../src/messages/timeline.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { type HttpClient, NetworkError } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import type { StreamEnd } from '../../src/outbound/stream-client.ts';
import { countPlatformReads } from '../../src/publishing/reads-store.ts';
import type { DueLoop } from '../../src/queue/loop.ts';
import { createHints, type Hints } from '../../src/watching/push/early-checks.ts';
import { createStreamLoop, type StreamTiming } from '../../src/watching/push/streams.ts';
import { hurryWatches } from '../../src/watching/watch-store.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createWatchWorld, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
let server: StreamServer;
const closing: (() => Promise<unknown> | unknown)[] = [];
beforeEach(async () => {
  world = await createWatchWorld();
  server = await startServer();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await server.close();
  expect(world.errors).toEqual([]);
  await world.close();
});

/** A server with a stream of events at each path, and a WebSocket below `/socket`. */
interface StreamServer {
  url: string;
  /** Replaces the next responses. */
  answers: ((response: ServerResponse) => void)[];
  /** Paths of open streams. */
  open(): string[];
  /** Everything that clients sent over WebSockets. */
  sent: { path: string; text: string }[];
  requests: string[];
  send(path: string, data: string): void;
  cut(): void;
  close(): Promise<void>;
}

async function startServer(): Promise<StreamServer> {
  const streams = new Map<ServerResponse, string>();
  const answers: StreamServer['answers'] = [];
  const requests: string[] = [];
  const sent: StreamServer['sent'] = [];
  const listener = http.createServer((request: IncomingMessage, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const answer = answers.shift();
    if (answer) return answer(response);
    streams.set(response, path);
    response.once('close', () => streams.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':)\n');
  });
  const sockets = new WebSocketServer({ server: listener });
  sockets.on('connection', (socket, request) => {
    const path = request.url ?? '';
    requests.push(path);
    socket.on('message', (data) => sent.push({ path, text: String(data) }));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    ...{ answers, requests, sent },
    open: () => [...streams.values()],
    send(path, data) {
      for (const [response, each] of streams) if (each === path) response.write(`event: update\ndata: ${data}\n\n`);
      for (const client of sockets.clients) client.send(data);
    },
    cut() {
      for (const response of streams.keys()) response.destroy();
      for (const client of sockets.clients) client.terminate();
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      listener.close();
      listener.closeAllConnections();
    },
  };
}

/** Announces posts by messages that are the account's remote id. */
const perAccount: PushStream = {
  kind: 'account',
  open: async ({ remoteId }) => ({ url: `${server.url}/${remoteId}` }),
  announces: ({ data }, { remoteId }) => data === remoteId,
};

const shared: PushStream = {
  kind: 'shared',
  maxAccounts: 2,
  open: (_context, from) => ({ url: `${server.url.replace('http', 'ws')}/socket?from=${from === null ? '' : 'past'}` }),
  select: (remoteIds) => JSON.stringify(remoteIds),
  announces: ({ data }) => data,
};

/** What the platform is asked to announce, and its next responses. */
const subscriptions: { asked: (readonly string[])[]; answers: (() => Message | null)[] } = { asked: [], answers: [] };
beforeEach(() => {
  subscriptions.asked.length = 0;
  subscriptions.answers.length = 0;
});

/** Selects accounts by requests. Messages are remote ids; each costs a read. */
const subscribed: SharedStream = {
  kind: 'shared',
  maxAccounts: 2,
  open: () => ({ url: `${server.url}/all` }),
  async subscribe(_context, remoteIds) {
    subscriptions.asked.push(remoteIds);
    return subscriptions.answers.shift()?.() ?? null;
  },
  refusal: ({ text }) => ({ kind: 'rateLimited', waitMs: HOUR, scope: 'app', window: 'rate', detail: said(text) }),
  announces: ({ data }) => data,
  chargedReads: () => 1,
};
const said = (words: string) => say('platform_says', { reason: say('access_ended'), words });
const throwing = (words: string) => () => {
  throw new PlatformError({ kind: 'setup', detail: said(words) });
};

interface Started {
  loop: DueLoop;
  ends: StreamEnd[];
  /** Texts of refusals that were reported. */
  refusals: string[];
  metrics: ReturnType<typeof createMetrics>;
}

/** Starts the streams of one worker. */
function work(
  stream: PushStream,
  {
    timing,
    db = world.db,
    guard = createAddressGuard(['127.0.0.1'], []),
    open,
    settings = {},
    monotonic = () => performance.now(),
    http = () => Promise.reject(new Error('Not needed.')),
    hints = createHints({
      hurry: (ids) => hurryWatches(db, ids),
      onHurried() {},
      onError: (error) => world.errors.push(error),
      apartMs: 20,
    }),
  }: {
    hints?: Hints;
    http?: HttpClient;
    settings?: Record<string, string>;
    monotonic?: () => number;
    timing?: Partial<StreamTiming>;
    db?: Database;
    guard?: ReturnType<typeof createAddressGuard>;
    open?: () => void;
  } = {},
): Started {
  const real = connectors.mastodon;
  if (!real?.watch) throw new Error('The connector is missing.');
  const charge = { setting: 'readsPerDay', defaultLimit: 3, usd: 0.005 };
  const connector: Connector = { ...real, watch: { ...real.watch, stream, charge } };
  const ends: StreamEnd[] = [];
  const refusals: string[] = [];
  const metrics = createMetrics();
  const onError = (error: unknown) => world.errors.push(error);
  const loop = createStreamLoop({
    db,
    connectors: { mastodon: connector },
    sessions: {
      connector: () => connector,
      async open(accountId) {
        open?.();
        const [row] = await db.query<{ remoteId: string }>(
          'select d.remote_id as "remoteId" from account a join identity d on d.id = a.identity_id where a.id = $1',
          [accountId],
        );
        const session = { remoteId: row?.remoteId ?? '' } as Session;
        return { connector, session, capabilities: connector.capabilities, accessLeftMs: null };
      },
      refresh: async () => {},
      refused: async () => {},
    },
    endpoints: async () => ({}),
    settings: () => settings,
    http: () => http,
    outbound: () => ({ guard }),
    hints,
    metrics,
    userAgent: 'Reelay',
    onEnded: (_, end) => ends.push(end),
    onRefused: (_, { text }) => refusals.push(text),
    onError,
    random: () => 0.5,
    monotonic,
    timing: { syncMs: 0, renewMs: 20, firstRetryMs: 10, ...timing },
  });
  closing.push(async () => {
    hints.stop();
    await loop.stop();
  });
  return { loop, ends, refusals, metrics };
}

/** An account that is a rule's source. @returns it and its path at the server */
async function watched(): Promise<{ account: AccountRow; remoteId: string; userId: string; rule: string }> {
  const userId = await world.newUser();
  const [from, to] = [await world.account(userId), await world.account(userId)];
  const rule = await world.rule(userId, from, [to]);
  const [row] = await world.db.query<{ remote_id: string }>('select remote_id from identity where id = $1', [
    from.identityId,
  ]);
  return { account: from, remoteId: row?.remote_id ?? '', userId, rule };
}

async function isDue({ identityId }: AccountRow): Promise<boolean> {
  const [row] = await world.db.query<{ due: boolean }>(
    'select w.due_at <= app_now() as due from watch w join identity d on d.watch_id = w.id where d.id = $1',
    [identityId],
  );
  return row?.due ?? false;
}

const streams = () =>
  world.db.query<{ attempts: number; held: boolean; waits: boolean }>(
    'select attempts, lease_until is not null as held, due_at > app_now() as waits from push_stream order by id',
  );

/** Waits for the check that follows a new connection, and does it. */
async function checkOnce(account: AccountRow): Promise<void> {
  await expect.poll(() => isDue(account)).toBe(true);
  await world.check();
  expect(await isDue(account)).toBe(false);
}

test('an announced post is checked at once', async () => {
  const { account, remoteId } = await watched();
  await world.check();
  const { loop, metrics } = work(perAccount);
  loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  await checkOnce(account);
  server.send(`/${remoteId}`, 'another account');
  server.send(`/${remoteId}`, remoteId);
  await checkOnce(account);
  expect(loop.status()).toEqual({ ok: true, detail: '1 of 1 streams open' });
  expect(await metrics.text()).toMatch(/^reelay_push_streams 1$/m);
  expect(await metrics.text()).toMatch(/^reelay_push_announcements_total 1$/m);
});

test('a lost stream is reopened and the account checked', async () => {
  const { account, remoteId } = await watched();
  await world.check();
  const { loop, ends } = work(perAccount);
  loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  await checkOnce(account);
  server.cut();
  await expect.poll(() => ends.length).toBe(1);
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  await checkOnce(account);
});

test('failures wait longer each time', async () => {
  await watched();
  const { loop, ends } = work(perAccount, { timing: { firstRetryMs: 2 * SECOND } });
  for (const [attempt, waitMs] of [2, 4, 8].map((s, i) => [i + 1, s * SECOND] as const)) {
    server.answers.push((response) => response.writeHead(503).end());
    expect(await loop.runOnce()).toBe(1);
    expect(await streams()).toEqual([{ attempts: attempt, held: false, waits: true }]);
    await world.db.clock.advance(waitMs - SECOND);
    expect(await loop.runOnce()).toBe(0);
    await world.db.clock.advance(SECOND);
  }
  expect(ends).toEqual([1, 2, 3].map(() => ({ reason: 'status', status: 503 })));
});

test('a server without streams is asked again much later', async () => {
  await watched();
  const { loop } = work(perAccount);
  server.answers.push((response) => response.writeHead(404).end());
  await loop.runOnce();
  expect(await streams()).toEqual([{ attempts: 0, held: false, waits: true }]);
  await world.db.clock.advance(60 * MINUTE);
  expect(await loop.runOnce()).toBe(0);
  const none = work({ ...perAccount, open: async () => null } as PushStream);
  await world.db.clock.advance(6 * 60 * MINUTE);
  expect(await none.loop.runOnce()).toBe(1);
  expect(await streams()).toEqual([{ attempts: 0, held: false, waits: true }]);
  expect(server.requests).toHaveLength(1);
});

test('an account without access leaves its state to the checks', async () => {
  await watched();
  const { loop } = work(perAccount, {
    timing: { firstRetryMs: MINUTE },
    open() {
      throw new PlatformError({ kind: 'reconnect', detail: say('access_ended') });
    },
  });
  await loop.runOnce();
  expect(await streams()).toEqual([{ attempts: 1, held: false, waits: true }]);
  expect(await world.db.query('select distinct status from account')).toEqual([{ status: 'CONNECTED' }]);
});

test('a private address is not reached', async () => {
  await watched();
  const { loop, ends } = work(perAccount, { guard: createAddressGuard([], []) });
  await loop.runOnce();
  expect(ends).toEqual([{ reason: 'not_https', status: null }]);
  expect(server.requests).toEqual([]);
});

test('garbage announces nothing and ends nothing', async () => {
  const { account, remoteId } = await watched();
  await world.check();
  const { loop } = work(perAccount);
  loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  await checkOnce(account);
  for (const data of ['', '{', '\u0000', `${remoteId}x`, 'null']) server.send(`/${remoteId}`, data);
  server.send(`/${remoteId}`, remoteId);
  await expect.poll(() => isDue(account)).toBe(true);
  expect(server.requests).toHaveLength(1);
});

test('two workers hold one stream', async () => {
  const { remoteId } = await watched();
  const workers = [work(perAccount), work(perAccount, { db: world.db.another() })];
  for (const { loop } of workers) loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  for (let i = 0; i < 20; i++) {
    for (const { loop } of workers) loop.wake();
    await world.db.query('select');
  }
  expect(server.requests).toEqual([`/${remoteId}`]);
  const held = workers.map(({ loop }) => loop.status().detail).sort();
  expect(held).toEqual(['0 of 0 streams open', '1 of 1 streams open']);
});

test('a stopped worker leaves its streams to another', async () => {
  const { remoteId } = await watched();
  const [first, second] = [work(perAccount), work(perAccount, { db: world.db.another() })];
  first.loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  await first.loop.stop();
  await expect.poll(server.open).toEqual([]);
  second.loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
});

test('a worker whose lease was lost closes the stream', async () => {
  const { remoteId } = await watched();
  const { loop, ends } = work(perAccount);
  loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  await world.db.execute("update push_stream set fence = fence + 1, lease_until = app_now() + interval '1 hour'");
  await expect.poll(() => ends).toEqual([{ reason: 'cut', status: null }]);
  expect(await streams()).toEqual([{ attempts: 1, held: true, waits: false }]);
});

test('a stream ends when no rule needs the account', async () => {
  const { remoteId, userId, rule, account } = await watched();
  await world.check();
  const { loop } = work(perAccount);
  loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  await checkOnce(account);
  await world.pause(userId, rule);
  await world.later(49 * 60 * MINUTE);
  loop.wake();
  await expect.poll(server.open).toEqual([]);
  await expect.poll(streams).toEqual([]);
});

test('an announcement does not shorten a justified wait', async () => {
  const { account, remoteId } = await watched();
  await world.check();
  world.flow.list = () =>
    Promise.reject(
      new PlatformError({
        kind: 'rateLimited',
        scope: 'account',
        window: 'rate',
        waitMs: 60 * MINUTE,
        detail: say('access_ended'),
      }),
    );
  await world.later();
  const { loop } = work(perAccount);
  loop.start();
  await expect.poll(server.open).toEqual([`/${remoteId}`]);
  for (let i = 0; i < 5; i++) server.send(`/${remoteId}`, remoteId);
  expect(await hurryWatches(world.db, [account.identityId])).toBe(0);
  expect(await isDue(account)).toBe(false);
});

test('a shared stream selects accounts and announces each', async () => {
  const [one, two] = [await watched(), await watched()];
  await world.check();
  const { loop } = work(shared);
  loop.start();
  await expect.poll(() => server.sent.map(({ text }) => JSON.parse(text))).toEqual([[one.remoteId, two.remoteId]]);
  server.send('', 'unknown account');
  server.send('', two.remoteId);
  await expect.poll(() => isDue(two.account)).toBe(true);
  expect(await isDue(one.account)).toBe(false);
  // One more than the stream takes.
  await watched();
  expect(await streams()).toHaveLength(1);
});

test('a shared stream selects again when its accounts change', async () => {
  const one = await watched();
  await world.check();
  const { loop } = work(shared);
  loop.start();
  await expect.poll(() => server.sent.length).toBe(1);
  const two = await watched();
  await expect
    .poll(() => server.sent.map(({ text }) => JSON.parse(text)))
    .toEqual([[one.remoteId], [one.remoteId, two.remoteId]]);
  expect(server.requests).toHaveLength(1);
});

test('a shared stream continues where it ended', async () => {
  await watched();
  const { loop, ends } = work(shared);
  loop.start();
  await expect.poll(() => server.sent.length).toBe(1);
  server.cut();
  await expect.poll(() => ends.length).toBe(1);
  await expect.poll(() => server.sent.length).toBe(2);
  expect(server.requests).toEqual(['/socket?from=', '/socket?from=past']);
  // After a long time, the accounts were checked anyway.
  await loop.stop();
  await world.db.clock.advance(61 * MINUTE);
  await work(shared).loop.start();
  await expect.poll(() => server.requests.at(-1)).toBe('/socket?from=');
});

describe('a stream with subscriptions', () => {
  const reads = () => world.db.query<{ reads: string }>('select reads from watch_reads');

  test('subscribes when it is open and when its accounts change', async () => {
    const one = await watched();
    const { loop } = work(subscribed);
    loop.start();
    await expect.poll(() => subscriptions.asked).toEqual([[one.remoteId]]);
    expect(server.open()).toEqual(['/all']);
    const two = await watched();
    await expect.poll(() => subscriptions.asked).toEqual([[one.remoteId], [one.remoteId, two.remoteId]]);
    expect(server.requests).toHaveLength(1);
  });

  test('unsubscribes after its last account', async () => {
    const { remoteId, account } = await watched();
    const { loop } = work(subscribed);
    loop.start();
    await expect.poll(() => subscriptions.asked).toEqual([[remoteId]]);
    await world.db.execute(`update account set status = 'EXPIRED' where id = $1`, [account.id]);
    loop.wake();
    await expect.poll(() => subscriptions.asked).toEqual([[remoteId], []]);
    await expect.poll(server.open).toEqual([]);
  });

  test('is closed while the platform refuses all accounts', async () => {
    await watched();
    const { loop, refusals } = work(subscribed, { timing: { firstRetryMs: MINUTE, renewMs: 1 } });
    for (const words of ['No access', 'No access', 'Not today']) {
      subscriptions.answers.push(throwing(words));
      expect(await loop.runOnce()).toBe(1);
      await world.db.clock.advance(15 * MINUTE);
    }
    expect(refusals).toEqual([expect.stringContaining('No access'), expect.stringContaining('Not today')]);
    expect(await streams()).toMatchObject([{ attempts: 3, held: false }]);
    expect(server.open()).toEqual([]);
  });

  test('stays open while the platform refuses some accounts', async () => {
    const { remoteId, account } = await watched();
    await world.check();
    let ms = 0;
    subscriptions.answers.push(() => said('Too many'));
    subscriptions.answers.push(() => said('Too many'));
    const { loop, refusals } = work(subscribed, { monotonic: () => ms });
    loop.start();
    await expect.poll(() => refusals).toHaveLength(1);
    server.send('/all', remoteId);
    await expect.poll(() => isDue(account)).toBe(true);
    expect(subscriptions.asked).toHaveLength(1);
    for (const expected of [2, 3]) {
      ms += 15 * MINUTE;
      await expect.poll(() => subscriptions.asked.length).toBe(expected);
    }
    expect(refusals).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  test('a refused connection waits as long as the platform asks', async () => {
    await watched();
    const { loop, refusals, ends } = work(subscribed);
    for (let i = 0; i < 2; i++) {
      server.answers.push((response) => response.writeHead(429).end('Too many connections'));
      expect(await loop.runOnce()).toBe(1);
      await world.db.clock.advance(HOUR - SECOND);
      expect(await loop.runOnce()).toBe(0);
      await world.db.clock.advance(SECOND);
    }
    expect(refusals).toEqual([expect.stringContaining('Too many connections')]);
    expect([ends, subscriptions.asked]).toEqual([[], []]);
  });

  test('ends when the reads of the day are spent', async () => {
    const { remoteId } = await watched();
    const { loop, ends, metrics } = work(subscribed);
    loop.start();
    await expect.poll(server.open).toEqual(['/all']);
    for (const data of [remoteId, 'of another account']) server.send('/all', data);
    await expect.poll(reads).toEqual([{ reads: 2 }]);
    expect(await metrics.text()).toMatch(/^reelay_push_announcements_total 1$/m);
    server.send('/all', remoteId);
    await expect.poll(server.open).toEqual([]);
    await expect.poll(streams).toMatchObject([{ held: false, waits: true }]);
    expect(await loop.runOnce()).toBe(0);
    await world.db.clock.advance(DAY);
    loop.wake();
    await expect.poll(server.open).toEqual(['/all']);
    expect([ends, server.requests.length]).toEqual([[], 2]);
  });

  test('ends when checks used up the reads of the day', async () => {
    await watched();
    const { loop } = work(subscribed, { settings: { readsPerDay: '7' } });
    loop.start();
    await expect.poll(server.open).toEqual(['/all']);
    await countPlatformReads(world.db, 'mastodon', 7);
    await expect.poll(server.open).toEqual([]);
    await expect.poll(streams).toMatchObject([{ held: false, waits: true }]);
  });

  test('leaves the reads that rules need', async () => {
    // Not at the end of a day, when nothing is reserved.
    await world.db.clock.advance(DAY - ((await world.db.clock.now()).getTime() % DAY) + SECOND);
    await watched();
    const { loop } = work(subscribed, { settings: { readsPerDay: '100' } });
    loop.start();
    await expect.poll(server.open).toEqual(['/all']);
    await countPlatformReads(world.db, 'mastodon', 90);
    await expect.poll(server.open).toEqual([]);
    await expect.poll(streams).toMatchObject([{ held: false, waits: true }]);
    // Some minutes later, it tries again.
    await world.db.execute('delete from watch_reads');
    await world.db.clock.advance(HOUR);
    loop.wake();
    await expect.poll(server.open).toEqual(['/all']);
  });

  test('of simulated accounts is free', async () => {
    const { account, remoteId } = await watched();
    await world.check();
    await world.db.execute('update account set sandbox = true');
    const { loop } = work(subscribed, { settings: { readsPerDay: '0' } });
    loop.start();
    await expect.poll(server.open).toEqual(['/all']);
    server.send('/all', remoteId);
    await expect.poll(() => isDue(account)).toBe(true);
    expect(await reads()).toEqual([]);
  });

  test('checks again when lists show the post', async () => {
    const { account, remoteId } = await watched();
    const added: unknown[] = [];
    const { loop } = work(
      { ...subscribed, lagMs: 7_000 },
      { hints: { add: (...given) => void added.push(given), stop() {} } },
    );
    loop.start();
    await expect.poll(server.open).toEqual(['/all']);
    server.send('/all', remoteId);
    await expect.poll(() => added).toEqual([[[account.identityId], 7_000]]);
  });

  test('stops in the middle of a request', async () => {
    await watched();
    const asked = Promise.withResolvers<void>();
    const { loop, ends } = work(
      {
        ...subscribed,
        async subscribe({ http }) {
          await http({ method: 'GET', url: server.url });
          return null;
        },
      },
      {
        http: ({ signal }) =>
          new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(new NetworkError('cut', 'maybe')));
            asked.resolve();
          }),
      },
    );
    loop.start();
    await asked.promise;
    await loop.stop();
    expect(ends).toEqual([{ reason: 'cut', status: null }]);
    expect(await streams()).toEqual([{ attempts: 0, held: false, waits: false }]);
  });

  test('is requested again soon if the operator declined it', async () => {
    await watched();
    const { loop } = work({ ...subscribed, open: () => null });
    expect(await loop.runOnce()).toBe(1);
    expect(await loop.runOnce()).toBe(0);
    await world.db.clock.advance(MINUTE);
    expect(await loop.runOnce()).toBe(1);
    expect(server.requests).toEqual([]);
  });
});
