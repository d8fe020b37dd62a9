/** Updates: what happens in a bot's chats, queued for the bot until it confirms or 24 hours pass. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { update } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import type { Call } from './caller.ts';
import { storeFor } from './files.ts';
import type { Bot, Chat, Member, StoredFile, Update, UpdateKind, UpdateQueue } from './records.ts';
import { ok, refuse } from './responses.ts';

const MAX_UPDATES = 100;
const MAX_MEMBERS = 100;
const FIRST_ID = 900_001;

/** Queues an update for the bot. It arrives after `hiddenMs`, and expires 24 hours after `at`. */
async function queue(
  { store, now }: SimulatorOptions,
  botId: string,
  given: { kind: UpdateKind; content: JsonObject; at: number; hiddenMs?: number },
): Promise<void> {
  const { kind, content, at, hiddenMs = 0 } = given;
  const added: Update = { id: null, kind, content, visibleAt: now() + hiddenMs, expiresAt: at + DAY };
  await store.change<UpdateQueue>('updates', botId, (known = { nextId: FIRST_ID, allowed: [], updates: [] }) => ({
    ...known,
    updates: [...known.updates, added],
  }));
}

/**
 * Queues a message for each bot in its chat, with the bot's own id of the file.
 * @param given.sender the bot that sent the message, which gets no update about it; "" for a person
 */
export async function announce(
  options: SimulatorOptions,
  chat: Chat,
  given: {
    kind: 'channel_post' | 'edited_channel_post';
    file: StoredFile;
    sender: string;
    at: number;
    hiddenMs?: number;
    content(file: StoredFile): JsonObject;
  },
): Promise<void> {
  const { kind, file, sender, at, hiddenMs = 0 } = given;
  const members = await options.store.list<Member>('member', { owner: chat.id, limit: MAX_MEMBERS });
  for (const { key, value } of members) {
    const botId = key.split(' ')[1] ?? '';
    if (value.status !== 'administrator' || botId === sender) continue;
    const own = await storeFor(options, botId, file);
    await queue(options, botId, { kind, content: given.content(own), at, hiddenMs });
  }
}

/** `getUpdates`: returns the unconfirmed updates. An offset confirms those before it. */
export async function getUpdates(options: SimulatorOptions, { bot, given }: Call): Promise<SimulatorResponse> {
  if (bot.webhook)
    refuse(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  const offset = given.number('offset');
  const limit = Math.min(given.number('limit') || MAX_UPDATES, MAX_UPDATES);
  const wanted = allowedFrom(given.text('allowed_updates'));
  const queued = await options.store.change<UpdateQueue>(
    'updates',
    bot.id,
    (known = { nextId: FIRST_ID, allowed: [], updates: [] }) => confirm(deliver(known, options.now()), offset, wanted),
  );
  const due = (queued?.updates ?? []).filter(({ id }) => id !== null).slice(0, limit);
  return ok(due.map(({ id, kind, content }) => ({ update_id: id, [kind]: content })));
}

/** Gives ids to the updates that have arrived. Omits what expired, and kinds that the bot did not ask for. */
function deliver(known: UpdateQueue, now: number): UpdateQueue {
  const { allowed } = known;
  const kept = known.updates.filter(({ expiresAt }) => expiresAt > now);
  const isPending = ({ id, visibleAt }: Update) => id === null && visibleAt > now;
  let { nextId } = known;
  const arrived = kept
    .filter((each) => !isPending(each))
    .filter(({ id, kind }) => id !== null || allowed.length === 0 || allowed.includes(kind))
    .map((each) => (each.id === null ? { ...each, id: nextId++ } : each));
  return { ...known, nextId, updates: [...arrived, ...kept.filter(isPending)] };
}

function confirm(known: UpdateQueue, offset: number, wanted: readonly string[] | null): UpdateQueue {
  const { updates } = known;
  const ids = updates.flatMap(({ id }) => (id === null ? [] : [id]));
  // A negative offset counts from the end.
  const first = offset < 0 ? (ids.at(offset) ?? 0) : offset;
  return {
    ...known,
    allowed: [...(wanted ?? known.allowed)],
    updates: updates.filter(({ id }) => id === null || id >= first),
  };
}

/** Returns null if the list is absent; the previous one then applies. @throws Refused */
function allowedFrom(text: string): readonly string[] | null {
  if (text === '') return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed.map(String);
  } catch {}
  return refuse(400, "Bad Request: can't parse allowed updates");
}

/** `setWebhook`: an empty URL removes it. Updates are not sent; they stay in the queue. */
export async function setWebhook({ store }: SimulatorOptions, { token, given }: Call): Promise<SimulatorResponse> {
  await update<Bot>(store, ['bot', token], { webhook: given.text('url') });
  return ok(true);
}
