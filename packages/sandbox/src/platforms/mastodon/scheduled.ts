/** Statuses that the server publishes later. A due one is published when the account's statuses are next read. */
import type { JsonObject } from '../../json.ts';
import { MINUTE } from '../../time.ts';
import { type CallerHandler, refusal } from './access.ts';
import { storeStatus } from './keep.ts';
import { mediumJson } from './present.ts';
import type { Medium, ScheduledStatus, Status, World } from './state.ts';
import { text } from './texts.ts';

const MIN_AHEAD_MS = 5 * MINUTE;

/** Returns the time of `scheduled_at` in ms since the epoch; null if it is too soon or no time. */
export function scheduledTime(world: World, value: string): number | null {
  const at = Date.parse(value);
  return at >= world.now() + MIN_AHEAD_MS ? at : null;
}

export async function schedule(world: World, status: Status, at: number): Promise<JsonObject> {
  const scheduled: ScheduledStatus = { status, at };
  await world.options.store.put<ScheduledStatus>('scheduled', status.id, scheduled, status.accountId);
  return scheduledJson(world, scheduled);
}

/** Publishes the account's statuses that are due. */
export async function publishDue(world: World, accountId: string): Promise<void> {
  const { store } = world.options;
  for (const { key, value } of await store.list<ScheduledStatus>('scheduled', { owner: accountId, limit: 1000 })) {
    if (value.at > world.now()) continue;
    await storeStatus(world, { ...value.status, createdAt: value.at, hiddenUntil: value.at });
    await store.remove('scheduled', key);
  }
}

export const listScheduled: CallerHandler = async (world, _request, { account }) => {
  await publishDue(world, account.id);
  const found = await world.options.store.list<ScheduledStatus>('scheduled', { owner: account.id, limit: 1000 });
  return { status: 200, body: await Promise.all(found.map(({ value }) => scheduledJson(world, value))) };
};

export const cancelScheduled: CallerHandler = async (world, { params }, { account, locale }) => {
  await publishDue(world, account.id);
  const found = await world.options.store.get<ScheduledStatus>('scheduled', params.id ?? '');
  if (found?.status.accountId !== account.id) return refusal(404, text(locale, 'notFound'));
  await world.options.store.remove('scheduled', params.id ?? '');
  return { status: 200, body: {} };
};

async function scheduledJson(world: World, { status, at }: ScheduledStatus): Promise<JsonObject> {
  const media = await Promise.all(status.mediaIds.map((id) => world.options.store.get<Medium>('medium', id)));
  return {
    id: status.id,
    scheduled_at: new Date(at).toISOString(),
    params: {
      text: status.text,
      media_ids: status.mediaIds,
      visibility: status.visibility,
      sensitive: status.sensitive,
      spoiler_text: status.spoilerText,
      language: status.language,
      in_reply_to_id: status.inReplyToId ?? null,
      poll: null,
      idempotency: null,
      scheduled_at: null,
      with_rate_limit: false,
      application_id: null,
    },
    media_attachments: media.flatMap((medium) => (medium ? [mediumJson(world, medium)] : [])),
  };
}
