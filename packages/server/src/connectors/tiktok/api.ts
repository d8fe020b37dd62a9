/** A minimal client for TikTok's v2 API, and what it says about the account. */
import type { HttpRequest } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ChoiceValue, ConnectContext, Json, Session, Tokens } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilities, choices } from './limits.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

/** The content of a successful response (`error.code` is "ok"). */
export interface Said {
  data: Json;
  /** Time of the response by TikTok's clock, ms since the epoch; null without a `Date` header. */
  saidAt: number | null;
}

/** TikTok requires the JSON content type even on an empty body. */
const EMPTY = { kind: 'bytes', bytes: '', type: 'application/json; charset=UTF-8' } as const;

/**
 * Calls the v2 API. Success means `error.code === "ok"`; the HTTP status does not matter.
 * @param json null sends an empty body with a JSON content type
 * @throws PlatformError
 */
export async function call(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  json?: Record<string, unknown> | null,
): Promise<Said> {
  const response = await caller.http({
    method,
    url: `${caller.endpoints.api}${path}`,
    headers: bearer(caller.secret),
    ...(json ? { json } : {}),
    ...(json === null ? { body: EMPTY } : {}),
  });
  const body = response.tryJson();
  if (textAt(body, 'error', 'code') !== 'ok') throw new PlatformError(failureOf(response));
  return { data: (at(body, 'data') ?? null) as Json, saidAt: saidAt(response) };
}

/** What an account may currently post, and how. */
export interface Creator {
  username: string;
  nickname: string;
  /** null if the response lists none. */
  privacies: readonly string[] | null;
  /** Seconds; null if the response states no limit. */
  maxSeconds: number | null;
  /** Interactions that the creator has disabled for all videos. */
  disabled: { comment: boolean; duet: boolean; stitch: boolean };
}

/** Queries `creator_info`, which TikTok requires before each post. @throws PlatformError */
export async function readCreator(caller: Caller): Promise<Creator> {
  const { data } = await call(caller, 'POST', '/v2/post/publish/creator_info/query/', null);
  const options = at(data, 'privacy_level_options');
  return {
    username: textAt(data, 'creator_username'),
    nickname: textAt(data, 'creator_nickname'),
    privacies: Array.isArray(options) && options.length > 0 ? options.map(String) : null,
    maxSeconds: numberAt(data, 'max_video_post_duration_sec') || null,
    disabled: {
      comment: at(data, 'comment_disabled') === true,
      duet: at(data, 'duet_disabled') === true,
      stitch: at(data, 'stitch_disabled') === true,
    },
  };
}

const FIELDS = 'open_id,avatar_url,display_name,username';

/** Reads the account's profile and its posting limits (`creator_info`). @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = { ...context, secret: tokens.secret };
  const { data } = await call(caller, 'GET', `/v2/user/info/?fields=${FIELDS}`);
  const creator = await creatorIfAny(caller);
  const username = textAt(data, 'user', 'username') || (creator?.username ?? '');
  const { video } = capabilities;
  return {
    remoteId: textAt(data, 'user', 'open_id'),
    username,
    displayName: textAt(data, 'user', 'display_name') || creator?.nickname || username,
    avatarUrl: textAt(data, 'user', 'avatar_url'),
    capabilities: creator?.maxSeconds
      ? { ...capabilities, video: { ...video, maxSeconds: creator.maxSeconds } }
      : capabilities,
    ...(creator?.privacies ? { choices: { privacy: creator.privacies.map(labelled) } } : {}),
  };
}

function labelled(value: string): ChoiceValue {
  const known = choices.flatMap(({ values }) => values).find((each) => each.value === value);
  return known ?? { value, label: value };
}

/**
 * Returns null for an account that currently may not post (daily cap, ban). It can still be connected, because
 * `creator_info` is queried again before each post.
 */
async function creatorIfAny(caller: Caller): Promise<Creator | null> {
  try {
    return await readCreator(caller);
  } catch (error) {
    const kind = error instanceof PlatformError ? error.failure.kind : null;
    if (kind === 'rateLimited' || kind === 'rejected' || kind === 'setup') return null;
    throw error;
  }
}
