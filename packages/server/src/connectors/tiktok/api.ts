import type { Json, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { PlatformError } from '../kit/failure.ts';
import type { HttpRequest } from '../kit/http.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

/** An answer that said "ok". */
export interface Said {
  data: Json;
  /** ms since the epoch by TikTok's own clock, or null where it did not say */
  saidAt: number | null;
}

/** A body that is empty, and is JSON all the same: the content type belongs to the request. */
const EMPTY = { kind: 'bytes', bytes: '', type: 'application/json; charset=UTF-8' } as const;

/**
 * One call of the v2 API: success is `error.code === "ok"`, whatever the HTTP status says.
 * @param json null: a body that is empty @throws PlatformError
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

/** What an account may post at present, and how. */
export interface Creator {
  username: string;
  nickname: string;
  /** null where the answer names none */
  privacies: readonly string[] | null;
  /** Seconds; null where the answer names no limit. */
  maxSeconds: number | null;
  /** What the creator has switched off for all videos. */
  disabled: { comment: boolean; duet: boolean; stitch: boolean };
}

/** `creator_info`, which must be asked before each post. @throws PlatformError */
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
