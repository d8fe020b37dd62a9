/** A user with channels, and the loop that delivers to them, on a real database and real HTTP. */
import { randomBytes } from 'node:crypto';
import { type ChannelLoopDeps, createChannelLoop } from '../../src/channels/channel-loop.ts';
import { type Channels, createChannels, createPresence } from '../../src/channels/channel-service.ts';
import type { ChannelTarget } from '../../src/channels/kinds.ts';
import { createSender, type Sender } from '../../src/channels/sender.ts';
import { connectors } from '../../src/connectors/registry.ts';
import type { Database } from '../../src/db/database.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { createLanguages } from '../../src/messages/languages.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';
import { insertUser } from '../../src/users/user-store.ts';
import type { TestDatabase } from '../harness/database.ts';
import { type AccountRow, addAccount } from '../harness/rows.ts';
import { type Browser, createBrowser, type Receiver } from './receiver.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const TELEGRAM_TOKEN = '123456:AAH-telegram-secret-token_of-a-bot';
export const PUBLIC_URL = 'https://reelay.example';

const languages = createLanguages(connectors);

export interface ChannelWorld {
  channels: Channels;
  sender: Sender;
  /** Runs the loop until nothing is due. */
  run(given?: Partial<ChannelLoopDeps>): Promise<void>;
  /** Gathers the facts, and sends them when they are due. */
  deliver(afterMs?: number): Promise<void>;
  events: { name: string; facts?: number; code?: string; isStopped?: boolean }[];
  errors: unknown[];
  close(): void;
}

/** @param pool what the loop and the sender use; default: the database itself */
export function createWorld(db: TestDatabase, receiver: Receiver, pool: Database = db): ChannelWorld {
  const sealer = createSealer([randomBytes(32)]);
  const guard = createAddressGuard([receiver.host], []);
  const http = createHttp({ guard });
  const errors: unknown[] = [];
  const events: ChannelWorld['events'] = [];
  const botApi = receiver.url;
  const now = Date.now;
  const sender = createSender({ db: pool, sealer, http: http.request, publicUrl: PUBLIC_URL, botApi, now });
  const deps = { db, sealer, guard, sender, languages, publicUrl: PUBLIC_URL, botApi, onAdded() {} };
  const run: ChannelWorld['run'] = async (given = {}) => {
    const loop = createChannelLoop({
      ...{ db: pool, connectors, languages, sender, publicUrl: PUBLIC_URL, monotonic: () => 0 },
      presence: createPresence(pool, () => 0),
      onSent: (_, facts) => events.push({ name: 'sent', facts }),
      onFailed: (_, code, isStopped) => events.push({ name: 'failed', code, isStopped }),
      onRemoved: () => events.push({ name: 'removed' }),
      onGivenUp: (_, facts) => events.push({ name: 'given up', facts }),
      onError: (error) => errors.push(error),
      ...given,
    });
    while ((await loop.runOnce()) > 0);
  };
  return {
    channels: createChannels(deps),
    sender,
    run,
    async deliver(afterMs = 10 * SECOND) {
      await run();
      await db.clock.advance(afterMs);
      await run();
    },
    events,
    errors,
    close: http.close,
  };
}

export interface ChannelUser {
  id: string;
  email: string;
  account: AccountRow;
  browser: Browser;
}

export async function addUser(db: TestDatabase, name: string): Promise<ChannelUser> {
  const email = `${name}@example.org`;
  const id = (await insertUser(db, { email, name: 'U', plan: 'PRO' }))?.id ?? '';
  const account = await addAccount(db, id, { platform: 'tiktok', username: 'nora' });
  return { id, email, account, browser: createBrowser() };
}

/** Addresses of all kinds at the receiver, each with a path of its own. */
export function targetsAt({ url }: Receiver, { browser }: Pick<ChannelUser, 'browser'>) {
  return {
    push: { kind: 'push', url: `${url}/push/device-secret`, ...browser.keys },
    ntfy: { kind: 'ntfy', url: `${url}/topic-secret`, token: 'tk_ntfy_secret' },
    discord: { kind: 'discord', url: `${url}/api/webhooks/1/discord-secret` },
    slack: { kind: 'slack', url: `${url}/services/T0/B0/slack-secret` },
    telegram: { kind: 'telegram', token: TELEGRAM_TOKEN, chatId: '42' },
  } as const satisfies Record<string, ChannelTarget>;
}

/** The paths at which the kinds arrive. */
export const PATHS = {
  push: '/push/device-secret',
  ntfy: '/',
  discord: '/api/webhooks/1/discord-secret',
  slack: '/services/T0/B0/slack-secret',
  telegram: `/bot${TELEGRAM_TOKEN}/sendMessage`,
} as const;
