/**
 * Verifies a send without proof by the account's own posts (`GET /2/users/:id/tweets`, newest first). They show the media
 * key of our upload, so the match is exact. Lists lag by seconds and a send may take effect late; the settling time and
 * the second poll cover both.
 */
import { DAY, MINUTE } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Connector, Fingerprint, Session, VerifyResult } from '../contract.ts';
import { respondedAt } from '../kit/clock.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { at, listAt, numberAt, textAt } from '../kit/json.ts';
import { LIST_BYTES, readPages } from '../kit/pages.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { ask, isId, isSuccess } from './api.ts';
import { failureOf } from './classify.ts';
import { say } from './messages.ts';
import { type Upload, uploadOf } from './upload.ts';

const MAX_PAGES = 5;
const PAGE = { maxResponseBytes: LIST_BYTES };
/** Tolerance for whole-second timestamps, clock differences among X's servers, and network delay, ms. */
const CLOCK_SLACK_MS = 2 * MINUTE;
const INCOMPLETE = stillUnknown(say('list_incomplete'));

/** @throws PlatformError if a request fails */
export const verify: Connector['verify'] = async ({ session }, checkpoint, wanted) => {
  const upload = uploadOf(checkpoint);
  if (upload.since === 0) return verifyByText(session, wanted);
  const { found, complete } = await findByMedia(session, upload, wanted.text);
  if (found) return found;
  if (!complete) return INCOMPLETE;
  return notPosted({ ...upload, voids: upload.voids + 1, rest: true }, say('post_not_shown'));
};

/** Without an upload, compares posts with media by text. Another text proves nothing, because X rewrites links. */
async function verifyByText(session: Session, { committedAt, text }: Fingerprint): Promise<VerifyResult> {
  // A day more, because the clock difference is known only from the response.
  const { posts, aheadMs, complete } = await postsSince(session, committedAt - DAY, text);
  const since = aheadMs === null ? Number.NEGATIVE_INFINITY : committedAt + aheadMs - CLOCK_SLACK_MS;
  const withMedia = posts.filter(({ mediaKeys, createdAt }) => mediaKeys.length > 0 && (createdAt ?? since) >= since);
  const [first, ...more] = withMedia.filter((post) => isSameText(post, text));
  if (first && more.length === 0 && aheadMs !== null) return posted(session, first, say('post_found'));
  if (!complete) return INCOMPLETE;
  return withMedia.length > 0 ? stillUnknown(say('match_unclear')) : notPosted(null, say('post_not_shown'));
}

/** A response to the send is conclusive. If confirmation is needed anyway, the timeline decides. */
export const confirm: Connector['confirm'] = async ({ session, post }, checkpoint) => {
  const { found } = await findByMedia(session, uploadOf(checkpoint), post.text);
  return found ?? { then: 'confirming', checkpoint, afterMs: MINUTE, note: say('post_not_shown_yet') };
};

type Found = Pick<ReturnType<typeof readPost>, 'id' | 'createdAt'>;

/** The result for a published post, with its URL. */
export function posted(session: Session, { id, createdAt }: Found, note: Message) {
  const detail = at(session.extra, 'protected') === true ? { detail: say('account_protected').text } : {};
  const published = { remoteId: id, url: urlOf(session, id), publishedAt: createdAt, ...detail };
  return { then: 'posted', published, note } as const;
}

/** X ignores the username in a post's URL; `i/web` works without one. */
export function urlOf({ endpoints, username }: Pick<Session, 'endpoints' | 'username'>, id: string): string {
  return `${endpoints.www}/${username ? `${encodeURIComponent(username)}/status` : 'i/web/status'}/${id}`;
}

/** Finds a post with any upload that was sent. */
async function findByMedia(session: Session, { offered, mediaKey, mediaId, since }: Upload, text: string) {
  const wanted = new Set([...offered, mediaKey, mediaId].filter(Boolean).map(idIn));
  const { posts, complete } = await postsSince(session, since, text);
  const found = posts.find(({ mediaKeys }) => mediaKeys.some((key) => wanted.has(idIn(key))));
  return { found: found && posted(session, found, say('post_found')), complete };
}

/** A media key is a media type and an id (`7_1901…`); X has several types for video. */
const idIn = (key: string) => key.slice(key.lastIndexOf('_') + 1);

/**
 * Lists posts created after `since`, without replies unless our text begins with a mention and could count as one.
 * @param since X's clock, ms since the epoch @param text our text
 * @returns the posts; by how many ms X's clock is ahead of ours, null if not stated; whether the list is complete, which
 * it is not with more than `MAX_PAGES` pages or if X could not show all posts
 * @throws PlatformError if X returns no list
 */
export async function postsSince(session: Session, since: number, text: string) {
  const query = new URLSearchParams({
    max_results: '100',
    exclude: /^\s*[@＠]/.test(text) ? 'retweets' : 'replies,retweets',
    start_time: `${new Date(Math.max(0, since - CLOCK_SLACK_MS)).toISOString().slice(0, 19)}Z`,
    expansions: 'attachments.media_keys',
  });
  let aheadMs: number | null = null as number | null;
  let hasErrors = false;
  const { items, complete } = await readPages(MAX_PAGES, async (cursor) => {
    if (cursor) query.set('pagination_token', cursor);
    const response = await askFor(session, `/2/users/${session.remoteId}/tweets?${query}`, [
      'created_at',
      'attachments',
    ]);
    const body = response.tryJson();
    const theirNow = respondedAt(response);
    aheadMs ??= theirNow === null ? null : theirNow - session.now();
    hasErrors ||= at(body, 'errors') !== undefined;
    const posts = postsIn(response, session.now());
    await session.countReads(posts.length);
    return { items: posts.map(readPost), next: textAt(body, 'meta', 'next_token') };
  });
  return { posts: items, aheadMs, complete: complete && !hasErrors };
}

/**
 * Reads posts with some of their fields. X renames the parameter: the new name is that of its OpenAPI document, the old
 * one that of the page "Fields". Ids, text and the history of edits are always returned.
 * @param path with a query; `note_post` in `fields` is the whole text of a long post
 */
export async function askFor(session: Session, path: string, fields: readonly string[]): Promise<HttpResponse> {
  const response = await ask(session, 'GET', `${path}&post.fields=${fields}`, PAGE);
  if (response.status !== 400) return response;
  const former = fields.map((field) => field.replace('note_post', 'note_tweet'));
  return ask(session, 'GET', `${path}&tweet.fields=${former}`, PAGE);
}

/** An empty list has no `data`, but `result_count` is 0. @throws PlatformError */
export function postsIn(response: HttpResponse, now: number): readonly unknown[] {
  const body = response.tryJson();
  const data = at(body, 'data');
  const isEmpty = data === undefined && numberAt(body, 'meta', 'result_count') === 0;
  if (!isSuccess(response) || !(isEmpty || Array.isArray(data)))
    throw new PlatformError(failureOf(response, now, 'other'));
  return listAt(body, 'data').filter((item) => isId(textAt(item, 'id')));
}

export function readPost(item: unknown) {
  const first = textAt(item, 'edit_history_tweet_ids', 0) || textAt(item, 'edit_history_post_ids', 0);
  const createdAt = Date.parse(textAt(item, 'created_at'));
  return {
    /** The first version's if the post was edited. */
    id: isId(first) ? first : textAt(item, 'id'),
    text: textAt(item, 'text'),
    /** ms since the epoch, or null */
    createdAt: Number.isNaN(createdAt) ? null : createdAt,
    mediaKeys: listAt(item, 'attachments', 'media_keys').map(String),
  };
}

/** Whether a post has our text, to which X adds a link and escapes. A text without letters or digits never matches. */
export function isSameText({ text }: { text: string }, ours: string): boolean {
  const shown = unescaped(text.replace(/https:\/\/t\.co\/\w{1,40}$/, '').trimEnd());
  return /[\p{L}\p{N}]/u.test(ours) && collapsedText(shown, 'NFC') === collapsedText(ours, 'NFC');
}

/** X escapes three characters in a text. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
