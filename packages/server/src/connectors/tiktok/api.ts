/** A minimal client for TikTok's v2 API. */
import type { HttpRequest } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

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
  const answer = await caller.http({
    method,
    url: `${caller.endpoints.api}${path}`,
    headers: { authorization: `Bearer ${textAt(caller.secret, 'accessToken')}` },
    ...(json ? { json } : {}),
    ...(json === null ? { body: EMPTY } : {}),
  });
  const body = answer.tryJson();
  if (textAt(body, 'error', 'code') !== 'ok') throw new PlatformError(failureOf(answer));
  return { data: (at(body, 'data') ?? null) as Json, saidAt: saidAt(answer) };
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
export async function askCreator(caller: Caller): Promise<Creator> {
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
