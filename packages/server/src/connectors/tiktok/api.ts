/** A minimal client for TikTok's v2 API, the account, and its current posting limits. */
import type { HttpRequest } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, Session, Tokens } from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { nullIf } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilities, type Interaction, OFF, PRIVACIES } from './limits.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret' | 'now'>;

/** TikTok requires the JSON content type even on an empty body. */
const EMPTY = { kind: 'bytes', bytes: '', type: 'application/json; charset=UTF-8' } as const;

/**
 * Calls the v2 API. Success means `error.code === "ok"`; the HTTP status does not matter.
 * @param json null sends an empty body with a JSON content type
 * @returns the data, and the offset of TikTok's clock to ours in ms (positive: ahead)
 * @throws PlatformError
 */
export async function call(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  json?: Record<string, unknown> | null,
): Promise<{ data: Json; aheadMs: number }> {
  const response = await caller.http({
    method,
    url: `${caller.endpoints.api}${path}`,
    headers: bearer(caller.secret),
    ...(json ? { json } : {}),
    ...(json === null ? { body: EMPTY } : {}),
  });
  const body = response.tryJson();
  if (textAt(body, 'error', 'code') !== 'ok') throw new PlatformError(failureOf(response));
  const now = caller.now();
  return { data: (at(body, 'data') ?? null) as Json, aheadMs: platformNow(response, now) - now };
}

/**
 * Queries what the account may currently post, and how (`creator_info`). TikTok requires this before each post.
 * @throws PlatformError
 */
export async function readCreator(caller: Caller) {
  const { data } = await call(caller, 'POST', '/v2/post/publish/creator_info/query/', null);
  const options = at(data, 'privacy_level_options');
  const isDisabled = (name: Interaction) => at(data, `${name}_disabled`) === true;
  return {
    username: textAt(data, 'creator_username'),
    nickname: textAt(data, 'creator_nickname'),
    avatarUrl: textAt(data, 'creator_avatar_url'),
    /** null if the response lists none. */
    privacies: Array.isArray(options) && options.length > 0 ? options.map(String) : null,
    /** null if the response states no limit. */
    maxSeconds: numberAt(data, 'max_video_post_duration_sec') || null,
    /** Interactions that the creator has disabled for all videos. */
    disabled: { comment: isDisabled('comment'), duet: isDisabled('duet'), stitch: isDisabled('stitch') },
  };
}

const MAY_NOT_POST = ['rateLimited', 'rejected', 'setup'];
const FIELDS = 'open_id,avatar_url,display_name,username';

/** Reads the account's profile and its posting limits (`creator_info`). @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = { ...context, secret: tokens.secret };
  const { data } = await call(caller, 'GET', `/v2/user/info/?fields=${FIELDS}`);
  // An account that currently may not post (daily cap, ban) can be connected. Each post queries this again.
  const creator = await readCreator(caller).catch(nullIf(({ kind }) => MAY_NOT_POST.includes(kind)));
  const username = textAt(data, 'user', 'username') || (creator?.username ?? '');
  const { video } = capabilities;
  return {
    remoteId: textAt(data, 'user', 'open_id'),
    username,
    displayName: textAt(data, 'user', 'display_name') || creator?.nickname || username,
    avatarUrl: textAt(data, 'user', 'avatar_url') || (creator?.avatarUrl ?? ''),
    capabilities: { ...capabilities, video: { ...video, maxSeconds: creator?.maxSeconds ?? video.maxSeconds } },
    ...(creator ? { choices: choicesOf(creator) } : {}),
  };
}

/** The values that the creator's own settings leave. Choices without an entry keep the platform's values. */
function choicesOf({ privacies, disabled }: Awaited<ReturnType<typeof readCreator>>): AccountFacts['choices'] {
  const closed = Object.entries(disabled).filter(([, isDisabled]) => isDisabled);
  return {
    ...(privacies && { privacy: privacies.map((value) => ({ value, label: PRIVACIES[value] ?? value })) }),
    ...Object.fromEntries(closed.map(([name]) => [name, [OFF]])),
  };
}
