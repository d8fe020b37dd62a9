/** Creates a status: validation, idempotency key, requested fault, and storage. */
import type { SimulatorResponse } from '../../contract.ts';
import { injectRequestedFault } from '../../faults/requested.ts';
import { Refused } from '../../refused.ts';
import { update } from '../../store/records.ts';
import { SECOND } from '../../time.ts';
import { type Caller, type CallerHandler, refusal, tooManyRequests, unauthorized } from './access.ts';
import { statusLength } from './html.ts';
import { claimKey } from './idempotency.ts';
import { storeStatus } from './keep.ts';
import { isForgotten } from './media.ts';
import { type Parameters, parametersOf } from './parameters.ts';
import { storedStatusJson } from './present.ts';
import { schedule, scheduledTime } from './scheduled.ts';
import {
  MAX_CHARACTERS,
  type Medium,
  type Poll,
  type Status,
  type Token,
  type Visibility,
  type World,
} from './state.ts';
import { invalid, type Locale, type TextKey, text } from './texts.ts';

/** How long the URL of a slow status returns 404. */
const SLOW_MS = 30 * SECOND;

export const createStatus: CallerHandler = async (world, request, caller) => {
  const given = await parametersOf(request);
  const key = request.headers['idempotency-key'];
  if (!key || caller.switches.forgetIdempotencyKey) return make(world, given, caller, null);
  const claim = await claimKey(world, caller.account.id, key);
  if (claim.kind === 'busy') return refusal(503, text(caller.locale, 'temporary'));
  if (claim.kind === 'replay') return replay(world, claim.statusId, caller);
  try {
    return await make(world, given, caller, claim.done);
  } catch (error) {
    await claim.drop();
    throw error;
  }
};

/** Returns the status that this key created before; 404 if it was deleted since. */
async function replay(world: World, statusId: string, caller: Caller): Promise<SimulatorResponse> {
  const status = await world.options.store.get<Status>('status', statusId);
  return status
    ? { status: 200, body: await storedStatusJson(world, status) }
    : refusal(404, text(caller.locale, 'notFound'));
}

async function make(
  world: World,
  given: Parameters,
  caller: Caller,
  remember: ((statusId: string) => Promise<void>) | null,
): Promise<SimulatorResponse> {
  const { account, switches, token } = caller;
  if (switches.refuseEmptyText && given.one('status') === '') throw new Refused(refusal(400, 'Invalid request'));
  const statusText = given.one('status') ?? '';
  const mediaIds = given.many('media_ids');
  const fault = await injectFault(world, caller, statusText, mediaIds.join(' '));
  const media = await checkMedia(world, mediaIds, caller);
  checkText(statusText, given.one('spoiler_text') ?? '', media.length > 0, caller);
  const wanted = visibilityOf(given.one('visibility'));
  const now = world.now();
  const inReplyToId = given.one('in_reply_to_id');
  if (inReplyToId && !(await world.options.store.get<Status>('status', inReplyToId)))
    throw new Refused(refusal(404, text(caller.locale, 'replyMissing')));
  const poll = pollOf(given, caller, media.length > 0, now);
  const status: Status = {
    id: world.nextId(),
    accountId: account.id,
    clientId: token.clientId,
    text: statusText,
    spoilerText: given.one('spoiler_text') ?? '',
    visibility: switches.limited && wanted === 'public' ? 'unlisted' : wanted,
    sensitive: given.one('sensitive') === 'true',
    language: given.one('language') ?? switches.locale ?? 'en',
    mediaIds,
    createdAt: now,
    hiddenUntil: now + (fault === 'slow' ? SLOW_MS : 0),
    revealed: false,
    ...(inReplyToId ? { inReplyToId } : {}),
    ...(poll ? { poll } : {}),
  };
  const scheduledAt = given.one('scheduled_at');
  if (scheduledAt) {
    const at = scheduledTime(world, scheduledAt);
    if (at === null) throw new Refused(refusal(422, invalid(caller.locale, 'tooSoon')));
    return { status: 200, body: await schedule(world, status, at) };
  }
  if (!switches.silentDrop) {
    const taken = await storeStatus(world, status);
    if (taken !== null) throw unprocessable(caller.locale, 'taken', taken);
  }
  await remember?.(status.id);
  const body = await storedStatusJson(world, status);
  return { status: 200, body, trouble: fault === 'lost-answer' ? fault : undefined };
}

/** @throws Refused */
function pollOf(given: Parameters, { locale }: Caller, hasMedia: boolean, now: number): Poll | null {
  const options = given.many('poll.options');
  if (options.length === 0) return null;
  if (hasMedia) throw unprocessable(locale, 'mediaAndPoll');
  const seconds = Number(given.one('poll.expires_in'));
  if (options.length < 2) throw new Refused(refusal(422, invalid(locale, 'tooFewOptions')));
  if (!(seconds >= 300)) throw new Refused(refusal(422, invalid(locale, 'pollTooShort')));
  return { options, multiple: given.one('poll.multiple') === 'true', expiresAt: now + seconds * SECOND };
}

async function checkMedia(world: World, ids: readonly string[], { account, locale }: Caller): Promise<Medium[]> {
  if (ids.length > 4) throw unprocessable(locale, 'tooManyFiles');
  const found = await Promise.all(ids.map((id) => world.options.store.get<Medium>('medium', id)));
  const media = found.filter(
    (medium) => medium?.accountId === account.id && medium.statusId === null && !isForgotten(world, medium),
  ) as Medium[];
  const missing = ids.filter((id) => !media.some((medium) => medium.id === id));
  if (missing.length > 0) throw unprocessable(locale, 'taken', missing.join(', '));
  if (media.length > 1 && media.some((medium) => medium.kind === 'video'))
    throw unprocessable(locale, 'imagesAndVideo');
  if (media.some((medium) => medium.readyAt > world.now())) throw unprocessable(locale, 'notReady');
  return media;
}

function unprocessable(locale: Locale, key: TextKey, filling?: string): Refused {
  return new Refused(refusal(422, text(locale, key, filling)));
}

function checkText(statusText: string, spoilerText: string, hasMedia: boolean, { locale, switches }: Caller): void {
  if (!hasMedia && (statusText + spoilerText).trim() === '') throw new Refused(refusal(422, invalid(locale, 'blank')));
  const max = switches.maxCharacters ?? MAX_CHARACTERS;
  if (statusLength(statusText, spoilerText) > max)
    throw new Refused(refusal(422, invalid(locale, 'tooLong', String(max))));
}

function visibilityOf(value: string | undefined): Visibility {
  return value === 'unlisted' || value === 'private' || value === 'direct' ? value : 'public';
}

/** @param medium identifies the publish @throws Refused */
function injectFault({ options: { store }, now }: World, caller: Caller, caption: string, medium: string) {
  const { account, locale, tokenKey } = caller;
  return injectRequestedFault(
    store,
    { caption, publish: `${account.id} ${medium}` },
    {
      async reconnect() {
        await update<Token>(store, ['token', tokenKey], { state: 'revoked' });
        return unauthorized(locale, 'revokedToken');
      },
      reject: () => refusal(422, invalid(locale, 'fileType')),
      rateLimited: tooManyRequests(locale, now()),
      down: refusal(503, text(locale, 'temporary')),
    },
  );
}
