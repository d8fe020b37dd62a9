/** A user's devices and chats: adding, listing, testing and removing them. */
import { createHash } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { uuidv7 } from '../lib/ids.ts';
import { HOUR } from '../lib/time.ts';
import { sayChannel } from '../messages/channels.ts';
import { fieldProblem } from '../messages/fields.ts';
import type { Languages } from '../messages/languages.ts';
import { testText } from '../messages/notification-chat.ts';
import type { AddressGuard } from '../outbound/address-guard.ts';
import { lockPlan } from '../plans/plan-store.ts';
import { take } from '../queue/rate-counter.ts';
import {
  deleteChannel,
  deleteDevices,
  findChannel,
  findReader,
  hasChannels,
  insertChannel,
  listChannels,
  type OwnChannel,
  recordFailure,
  recordTest,
  stopChannel,
} from './channel-store.ts';
import type { AddedChannel } from './given-channel.ts';
import { serviceOf } from './kinds.ts';
import { channelPurpose, type Sender } from './sender.ts';

/** Channels of one user. */
export const MAX_CHANNELS = 10;
/** Tests that one user may send in an hour. */
export const MAX_TESTS = 20;

export interface Channels {
  /** Oldest first. */
  list(userId: string): Promise<OwnChannel[]>;
  /** The key with which browsers subscribe; null: it cannot be decrypted. */
  publicKey(): Promise<string | null>;
  /** @throws ReelayError `too_many_channels`; `invalid_request` if the address may not be called */
  add(userId: string, channel: AddedChannel): Promise<OwnChannel>;
  /** @throws ReelayError `unknown_channel` */
  remove(userId: string, id: string): Promise<void>;
  /**
   * Sends a message at once, and only once. A channel that was stopped works again if it arrives.
   * @returns the channel, with the failure if there was one
   * @throws ReelayError `unknown_channel`, also if the device no longer exists; `rate_limited`
   */
  test(userId: string, id: string): Promise<OwnChannel>;
}

export interface ChannelDeps {
  db: Database;
  sealer: Sealer;
  guard: AddressGuard;
  sender: Sender;
  languages: Languages;
  publicUrl: string;
  botApi: string;
  /** A channel was added: facts must be gathered from now on. */
  onAdded(): void;
}

export function createChannels(deps: ChannelDeps): Channels {
  const { db, sealer, guard, sender, botApi } = deps;
  return {
    list: (userId) => listChannels(db, userId),
    publicKey: sender.publicKey,
    async add(userId, { name, target, replaces }) {
      const address = new URL(target.kind === 'telegram' ? botApi : target.url);
      const problem = guard.refuse(address);
      if (problem && target.kind !== 'telegram') throw notPublic();
      const id = uuidv7();
      const device = target.kind === 'push' ? deviceOf(target.url) : null;
      const { kind } = target;
      const sealed = sealer.seal(target, channelPurpose(id));
      const added = await db.transaction(async (tx) => {
        await lockPlan(tx, userId);
        const former = replaces && deviceOf(replaces);
        const same = [device, former].filter((each) => each !== null);
        const known = same.length > 0 ? await deleteDevices(tx, userId, same) : [];
        // A worker that got another address does not know how its user calls the device.
        const kept = known.find((each) => each.device === former)?.name ?? name;
        const { hostname: host } = address;
        const row = { id, userId, kind, name: kept, host, service: serviceOf(host), device, sealed };
        return insertChannel(tx, row, MAX_CHANNELS);
      });
      if (!added) throw new ReelayError('too_many_channels');
      deps.onAdded();
      return added;
    },
    async remove(userId, id) {
      if (!(await deleteChannel(db, userId, id))) throw new ReelayError('unknown_channel');
    },
    test: (userId, id) => testChannel(deps, userId, id),
  };
}

async function testChannel(deps: ChannelDeps, userId: string, id: string): Promise<OwnChannel> {
  const { db, sender, languages, publicUrl } = deps;
  const [channel, reader] = await Promise.all([findChannel(db, userId, id), findReader(db, userId)]);
  if (!channel || !reader) throw new ReelayError('unknown_channel');
  const { allowed, resetSeconds } = await take(db, { key: `channel-test ${userId}`, most: MAX_TESTS, windowMs: HOUR });
  if (!allowed) throw apiError('rate_limited_for', { seconds: resetSeconds }, { extras: { retryAfter: resetSeconds } });
  const { language } = await languages.texts(reader.language ?? 'en');
  const text = testText(language, new URL(publicUrl).host);
  const url = `${publicUrl}/app/settings#notifications`;
  const outcome = await sender.send(channel, { ...text, url, tag: 'test' });
  if (outcome.kind === 'gone') {
    await deleteChannel(db, userId, id);
    throw apiError('channel_gone');
  }
  if (outcome.kind === 'sent') await recordTest(db, id);
  else if (outcome.kind === 'refused') await stopChannel(db, { key: id, fence: null }, outcome.failure);
  else await recordFailure(db, id, sayChannel('test_failed', { reason: outcome.failure }));
  const after = await findChannel(db, userId, id);
  if (!after) throw new ReelayError('unknown_channel');
  return after;
}

/** Hash of a browser's address, by which the dashboard recognizes its own channel. */
export const deviceOf = (address: string): string => createHash('sha256').update(address).digest('base64url');

function notPublic(): ReelayError {
  const problem = fieldProblem('not_public');
  return apiError('field_invalid', { name: 'url', problem }, { extras: { field: { path: 'url', problem } } });
}

/** Tells whether any channel exists, so that an idle service without channels asks once a minute. */
export interface ChannelPresence {
  /** A channel was added here. */
  added(): void;
  any(): Promise<boolean>;
}

/** Another process may have added the first channel. In ms. */
const CHECK_EVERY_MS = 60_000;

/** @param monotonic ms of a monotonic clock */
export function createPresence(db: Database, monotonic: () => number): ChannelPresence {
  let known = false;
  let checkAt = Number.NEGATIVE_INFINITY;
  return {
    added() {
      known = true;
    },
    async any() {
      if (monotonic() < checkAt) return known;
      checkAt = monotonic() + CHECK_EVERY_MS;
      known = await hasChannels(db);
      return known;
    },
  };
}
