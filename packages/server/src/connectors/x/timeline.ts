/** Reads the account's own posts, newest first (`GET /2/users/:id/tweets`). */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { ask, isId, isSuccess } from './api.ts';
import { failureOf } from './classify.ts';
import type { Upload } from './upload.ts';

const PAGE = 100;
const MAX_PAGES = 5;
/** Tolerance for clock differences among X's servers and network delay, ms. */
const SLACK_MS = 120_000;

export interface Seen {
  /** Id of the first version if the post was edited. */
  id: string;
  text: string;
  /** ms since the epoch, or null */
  createdAt: number | null;
  mediaKeys: string[];
}

export interface Listed {
  posts: Seen[];
  /** Offset of X's clock to ours in ms (positive: ahead); null if not stated. */
  aheadMs: number | null;
  /** False if there are more than `MAX_PAGES` pages or X could not show all posts. */
  complete: boolean;
}

/**
 * Lists posts created after `since`. Replies can be numerous, so they are excluded. Exception: our text begins with a
 * mention and could count as a reply.
 * @param since X's clock, ms since the epoch @param text our text
 * @throws PlatformError if X returns no list
 */
export async function postsSince(session: Session, since: number, text: string): Promise<Listed> {
  const query = new URLSearchParams({
    max_results: String(PAGE),
    exclude: /^\s*[@＠]/.test(text) ? 'retweets' : 'replies,retweets',
    start_time: `${new Date(Math.max(0, since - SLACK_MS)).toISOString().slice(0, 19)}Z`,
    'tweet.fields': 'created_at,attachments,text,edit_history_tweet_ids',
    expansions: 'attachments.media_keys',
  });
  const posts: Seen[] = [];
  let whole = true;
  let aheadMs: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await ask(session, 'GET', `/2/users/${session.remoteId}/tweets?${query}`);
    const body = response.tryJson();
    const said = saidAt(response);
    aheadMs ??= said === null ? null : said - session.now();
    posts.push(...itemsOf(response, session.now()));
    whole &&= at(body, 'errors') === undefined;
    const next = textAt(body, 'meta', 'next_token');
    if (!next) return { posts, aheadMs, complete: whole };
    query.set('pagination_token', next);
  }
  return { posts, aheadMs, complete: false };
}

/** Finds a post with any upload that was sent. The timeline shows the same media key as the upload. */
export async function findByMedia(
  session: Session,
  { offered, mediaKey, mediaId, since }: Upload,
  text: string,
): Promise<Listed & { found: Seen | undefined }> {
  const wanted = new Set([...offered, mediaKey, mediaId].filter(Boolean).map(idIn));
  const listed = await postsSince(session, since, text);
  const found = listed.posts.find(({ mediaKeys }) => mediaKeys.some((key) => wanted.has(idIn(key))));
  return { ...listed, found };
}

/** A media key is a media type and an id (`7_1901…`); X has several types for video. */
function idIn(key: string): string {
  return key.slice(key.lastIndexOf('_') + 1);
}

/** An empty list has no `data`, but `result_count` is 0. @throws PlatformError */
function itemsOf(response: HttpResponse, now: number): Seen[] {
  const body = response.tryJson();
  const data = at(body, 'data');
  const isEmpty = data === undefined && numberAt(body, 'meta', 'result_count') === 0;
  if (!isSuccess(response) || !(isEmpty || Array.isArray(data)))
    throw new PlatformError(failureOf(response, now, 'other'));
  return (Array.isArray(data) ? data : []).flatMap(readPost);
}

function readPost(item: unknown): Seen[] {
  const first = textAt(item, 'edit_history_tweet_ids', 0) || textAt(item, 'edit_history_post_ids', 0);
  const id = isId(first) ? first : textAt(item, 'id');
  if (!isId(id)) return [];
  const created = Date.parse(textAt(item, 'created_at'));
  const keys = at(item, 'attachments', 'media_keys');
  return [
    {
      id,
      text: textAt(item, 'text'),
      createdAt: Number.isNaN(created) ? null : created,
      mediaKeys: Array.isArray(keys) ? keys.map(String) : [],
    },
  ];
}

/**
 * Whether a post has our text. X appends a link to the media and escapes three characters. A text without letters or
 * digits never matches.
 */
export function isSameText({ text }: Pick<Seen, 'text'>, ours: string): boolean {
  const shown = text
    .replace(/https:\/\/t\.co\/\w{1,40}$/, '')
    .trimEnd()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return /[\p{L}\p{N}]/u.test(ours) && collapsedText(shown, 'NFC') === collapsedText(ours, 'NFC');
}

type Posted = Extract<ConfirmResult, { then: 'posted' }>;

/** The result for a published post, with its URL. @param publishedAt ms since the epoch, or null */
export function posted(session: Session, id: string, publishedAt: number | null, note: string): Posted {
  // X ignores the username in a post URL; `i/web` works without one.
  const who = session.username ? `${encodeURIComponent(session.username)}/status` : 'i/web/status';
  const url = `${session.endpoints.www}/${who}/${id}`;
  const detail = 'The account is protected: only its followers see the post.';
  const published = { remoteId: id, url, publishedAt };
  const isProtected = at(session.extra, 'protected') === true;
  return { then: 'posted', published: isProtected ? { ...published, detail } : published, note };
}
