/**
 * Finds the account's posts in its timeline, and their videos. X charges for each post that it returns, so a check asks
 * only for what is newer than the mark; a timeline without news costs nothing.
 */
import { HOUR, MINUTE } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, Session, WatchedPost, WatchFlow } from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { transient } from '../kit/failures.ts';
import { at, listAt, numberAt, positiveInteger, textAt } from '../kit/json.ts';
import { isId, isSuccess } from './api.ts';
import { codeOf, failureOf } from './classify.ts';
import { say } from './messages.ts';
import { stream } from './stream.ts';
import { askFor, postsIn, readPost, unescaped, urlOf } from './verify.ts';

/**
 * Posts may appear in a list late and out of order, so those of this period are read again by each check. Delays of up to
 * 15 minutes were reported, and posts that are never returned after a `since_id` of a newer one. X charges a post once a
 * day (UTC).
 */
const LATE_MS = 30 * MINUTE;
/** Tolerance for our clock. X rejects a `start_time` in the future, and an hour of old posts costs little, once. */
const CLOCK_SLACK_MS = HOUR;
/** The time that X's ids count from, in November 2010, ms since the epoch. X accepts no earlier `start_time`. */
const EPOCH_MS = 1_288_834_974_657;
const EXPANSIONS = 'expansions=attachments.media_keys,author_id&user.fields=protected';
const MEDIA = 'media.fields=media_key,type,duration_ms,width,height';
const FIELDS = ['created_at', 'attachments', 'entities', 'note_post'];
const GONE = ['resource-not-found', 'not-authorized-for-resource'];

/** Stored as the mark. Everything up to the post `sinceId` is known. `charged`: posts after it that were read on `day`. */
type Mark = { sinceId: string; day: string; charged: string[] };

export const watch: WatchFlow = {
  charge: { setting: 'readsPerDay', defaultLimit: 1_000, usd: 0.005 },
  async list(session, { cursor, since, mark: stored }) {
    const mark = markOf(stored);
    const query = new URLSearchParams({ max_results: '100', exclude: 'replies,retweets' });
    // `since_id` takes precedence at X, so an outdated one is not sent.
    if (timeOf(mark.sinceId) > Math.max(since, EPOCH_MS)) query.set('since_id', mark.sinceId);
    else if (since - CLOCK_SLACK_MS > EPOCH_MS)
      query.set('start_time', `${new Date(since - CLOCK_SLACK_MS).toISOString().slice(0, 19)}Z`);
    if (cursor) query.set('pagination_token', cursor);
    const path = `/2/users/${session.remoteId}/tweets?${query}&${EXPANSIONS}&${MEDIA}`;
    const response = await askFor(session, path, FIELDS);
    const items = postsIn(response, session.now());
    const body = response.tryJson();
    const now = platformNow(response, session.now());
    const day = new Date(now).toISOString().slice(0, 10);
    const ids = items.map((item) => textAt(item, 'id'));
    const known = mark.day === day ? mark.charged : [];
    await session.countReads(ids.filter((id) => !known.includes(id)).length);
    return {
      posts: items.flatMap((item) => readItem(session, body, item)),
      next: textAt(body, 'meta', 'next_token'),
      // The first page has the latest posts.
      ...(cursor ? {} : { mark: nextMark(mark, ids, day, now) }),
    };
  },
  /** Reads the post again: X promises no lifetime of URLs, and the post or the account may be private by now. */
  async file(session, { remoteId, file }) {
    const id = textAt(file, 'id') || remoteId;
    const path = `/2/tweets/${id}?${EXPANSIONS}&media.fields=media_key,type,variants`;
    const response = await askFor(session, path, ['attachments']);
    const body = response.tryJson();
    await session.countReads(at(body, 'data') === undefined ? 0 : 1);
    if (at(body, 'data') === undefined && GONE.includes(codeOf(response))) return { found: 'gone' };
    if (!isSuccess(response) || at(body, 'data') === undefined)
      throw new PlatformError(failureOf(response, session.now(), 'other'));
    if (!isPublic(session, body)) return { found: 'gone' };
    const key = textAt(file, 'key');
    const media = listAt(body, 'includes', 'media').find((each) => textAt(each, 'media_key') === key);
    if (!media && at(body, 'errors') !== undefined) throw new PlatformError(transient(say('response_incomplete')));
    const url = bestUrl(media);
    return url ? { found: 'file', url } : { found: 'none', why: say('file_not_given') };
  },
  stream,
};

function markOf(stored: JsonObject | null): Mark {
  const sinceId = textAt(stored, 'sinceId');
  const charged = listAt(stored, 'charged').map(String);
  return { sinceId: isId(sinceId) ? sinceId : '0', day: textAt(stored, 'day'), charged };
}

/** Moves on to the latest post that is older than {@link LATE_MS}. @param ids newest first @param now X's clock */
function nextMark(mark: Mark, ids: readonly string[], day: string, now: number): Mark {
  const settled = ids.filter((id) => timeOf(id) < now - LATE_MS);
  const sinceId = [mark.sinceId, ...settled].reduce((latest, id) => (BigInt(id) > BigInt(latest) ? id : latest));
  return { sinceId, day, charged: ids.filter((id) => BigInt(id) > BigInt(sinceId)) };
}

/** The time in an id, which is exact to the millisecond; that of an unknown id is long ago. */
function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + EPOCH_MS;
}

/** Returns nothing for a post without a video. An animated GIF is none. */
function readItem(session: Session, body: unknown, item: unknown): WatchedPost[] {
  const { id, createdAt, mediaKeys } = readPost(item);
  const included = listAt(body, 'includes', 'media');
  const videos = mediaKeys
    .map((key) => ({ key, media: included.find((each) => textAt(each, 'media_key') === key) }))
    // X leaves out media that it cannot show at the moment; the key begins with the type: 7 and 13 are videos.
    .filter(({ key, media }) => (media ? textAt(media, 'type') === 'video' : /^(?:7|13)_/.test(key)));
  const [video] = videos;
  if (!video) return [];
  const problem = problemOf(item, videos.length);
  const versionId = textAt(item, 'id');
  return [
    {
      remoteId: id,
      // An edit has a time of its own.
      publishedAt: id === versionId ? createdAt : timeOf(id),
      text: fullText(item),
      url: urlOf(session, id),
      durationMs: positiveInteger(numberAt(video.media, 'duration_ms')),
      width: positiveInteger(numberAt(video.media, 'width')),
      height: positiveInteger(numberAt(video.media, 'height')),
      isPublic: isPublic(session, body),
      file: problem ? null : { id: versionId, key: video.key },
      ...(problem && { problem }),
    },
  ];
}

function problemOf(item: unknown, videos: number) {
  if (videos > 1) return say('post_has_several_videos');
  const history = ['edit_history_tweet_ids', 'edit_history_post_ids'].flatMap((name) => listAt(item, name)).map(String);
  const isForeign = mediaLinks(item).some(({ statusId }) => ![textAt(item, 'id'), ...history].includes(statusId));
  return isForeign ? say('video_of_another_post') : undefined;
}

/** X says it of the author, of whom there is one. Otherwise, it is what the account said last. */
function isPublic({ remoteId, extra }: Session, body: unknown): boolean {
  const author = listAt(body, 'includes', 'users').find((each) => textAt(each, 'id') === remoteId);
  return (at(author, 'protected') ?? at(extra, 'protected')) === false;
}

/** The links to media in a text. They name the post that the media belong to. */
function mediaLinks(item: unknown): { url: string; statusId: string }[] {
  return listAt(item, 'entities', 'urls').flatMap((link) => {
    const [, statusId] = /\/status\/(\d{1,19})\/(?:video|photo)\/\d$/.exec(textAt(link, 'expanded_url')) ?? [];
    return statusId === undefined || !textAt(link, 'media_key') ? [] : [{ url: textAt(link, 'url'), statusId }];
  });
}

/** The text without the link to the video, with shortened links in full. That of a long post is in another field. */
function fullText(item: unknown): string {
  const long = ['note_post', 'note_tweet'].map((name) => at(item, name)).find((note) => textAt(note, 'text') !== '');
  let text = textAt(long ?? item, 'text');
  for (const { url } of mediaLinks(item)) if (text.endsWith(url)) text = text.slice(0, -url.length).trimEnd();
  text = unescaped(text);
  for (const link of listAt(long ?? item, 'entities', 'urls')) {
    const [url, expanded] = [textAt(link, 'url'), textAt(link, 'expanded_url')];
    if (/^https?:\/\//.test(url) && /^https?:\/\//.test(expanded)) text = text.replaceAll(url, () => expanded);
  }
  return text;
}

/** The MP4 with the highest bit rate. X does not give the original. */
function bestUrl(media: unknown): string {
  const [best] = listAt(media, 'variants')
    .filter((variant) => textAt(variant, 'content_type') === 'video/mp4')
    .map((variant) => ({ url: textAt(variant, 'url'), bitRate: numberAt(variant, 'bit_rate') ?? 0 }))
    .filter(({ url }) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    .sort((a, b) => b.bitRate - a.bitRate);
  return best?.url ?? '';
}
