/** The account's own posts, newest first (`GET /2/users/:id/tweets`). */
import type { Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { PlatformError } from '../kit/failure.ts';
import type { HttpAnswer } from '../kit/http.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { ask, isId, isSuccess } from './api.ts';
import type { Upload } from './checkpoint.ts';
import { failureOf } from './classify.ts';

const PAGE = 100;
const MAX_PAGES = 5;
/** Clocks of X's own machines differ, and the way takes time, ms. */
const SLACK_MS = 120_000;

export interface Seen {
  /** Of the first version, where the post was edited. */
  id: string;
  text: string;
  /** ms since the epoch, or null */
  createdAt: number | null;
  mediaKeys: string[];
}

export interface Listed {
  posts: Seen[];
  /** By how much X's clock was ahead of ours, ms; null where it did not say. */
  aheadMs: number | null;
  /** False where there are more than we look through, or X could not show all. */
  complete: boolean;
}

/**
 * Posts made after a moment of X's clock. Replies are left out, which may be many, unless ours begins with a name and could
 * be taken for one. @param since ms since the epoch @param text ours @throws PlatformError where there is no list
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
    const answer = await ask(session, 'GET', `/2/users/${session.remoteId}/tweets?${query}`);
    const body = answer.tryJson();
    const said = saidAt(answer);
    aheadMs ??= said === null ? null : said - session.now();
    posts.push(...itemsOf(answer, session.now()));
    whole &&= at(body, 'errors') === undefined;
    const next = textAt(body, 'meta', 'next_token');
    if (!next) return { posts, aheadMs, complete: whole };
    query.set('pagination_token', next);
  }
  return { posts, aheadMs, complete: false };
}

/** Looks for a post with any of the videos that were offered; the key in the list is the one from the upload. */
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

/** A key is the kind of media and its id (`7_1901…`); X has more than one kind for a video. */
function idIn(key: string): string {
  return key.slice(key.lastIndexOf('_') + 1);
}

/** An empty list has no `data`, but says that it is empty. @throws PlatformError */
function itemsOf(answer: HttpAnswer, now: number): Seen[] {
  const body = answer.tryJson();
  const data = at(body, 'data');
  const isEmpty = data === undefined && numberAt(body, 'meta', 'result_count') === 0;
  if (!isSuccess(answer) || !(isEmpty || Array.isArray(data))) throw new PlatformError(failureOf(answer, now, 'other'));
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

/** The text as X shows it ends in a link to the media, and has three characters escaped. Nothing is known by no words. */
export function saysTheSame({ text }: Pick<Seen, 'text'>, ours: string): boolean {
  const shown = text
    .replace(/https:\/\/t\.co\/\w{1,40}$/, '')
    .trimEnd()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  const plain = (words: string) => words.normalize('NFC').replace(/\s+/g, ' ').trim();
  return /[\p{L}\p{N}]/u.test(ours) && plain(shown) === plain(ours);
}
