/** Finds the account's statuses with a video, and their files. Costs one request per page of 40. */
import { lastPathPart, webUrl } from '../../lib/text.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, Session, WatchedFile, WatchedPost, WatchFlow, WatchPage, WatchPosition } from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { transient } from '../kit/failures.ts';
import { at, listAt, numberAt, positiveInteger, textAt } from '../kit/json.ts';
import { ask } from './api.ts';
import { PUBLIC } from './audience.ts';
import { codeOf, failureOf } from './classify.ts';
import { say } from './messages.ts';
import { stream } from './stream.ts';
import { DROPPED_AFTER_MS, madeAt, publishedFrom, statusesBefore, textOf, videosOf } from './verify.ts';

export const watch: WatchFlow = { list, file, stream };

async function list(session: Session, { cursor, since }: WatchPosition): Promise<WatchPage> {
  const { statuses, next, theirs } = await statusesBefore(session, cursor, { exclude_replies: 'true' });
  const theirSince = theirs(since);
  // Some servers include the status of `max_id` again.
  const others = statuses.filter((status) => cursor === '' || textAt(status, 'id') !== cursor);
  const isOver = others.every((status) => (madeAt(status) ?? theirSince) < theirSince);
  return { posts: others.flatMap((status) => postFrom(status) ?? []), next: isOver ? '' : next };
}

/** Returns null for a status without a video or id, a reply, and a share. */
export function postFrom(status: unknown): WatchedPost | null {
  const id = lastPathPart(textAt(status, 'id').trim());
  const [video, ...more] = videosOf(status);
  const isReply = textAt(status, 'in_reply_to_id') !== '';
  if (id === '' || !video || isReply || (at(status, 'reblog') ?? null) !== null) return null;
  const several = more.length > 0;
  const { url, publishedAt } = publishedFrom(status as Json);
  return {
    remoteId: id,
    publishedAt,
    text: captionOf(status),
    url: webUrl(url),
    durationMs: positiveInteger((numberAt(video, 'meta', 'original', 'duration') ?? 0) * 1000),
    width: positiveInteger(numberAt(video, 'meta', 'original', 'width')),
    height: positiveInteger(numberAt(video, 'meta', 'original', 'height')),
    isPublic: isPublic(status),
    file: several ? null : { publishedAt },
    ...(several && { problem: say('post_has_several_videos') }),
  };
}

const MENTION = /<a\s([^<>]*)>@(?:<span>)?[^<>]*(?:<\/span>)?<\/a>/gi;

/** Returns the content warning and the text, with the full handles of mentioned accounts on other servers. */
function captionOf(status: unknown): string {
  const handles = new Map(listAt(status, 'mentions').map((each) => [textAt(each, 'url'), textAt(each, 'acct')]));
  const html = textAt(status, 'content').replace(MENTION, (link, attributes) => {
    const handle = handles.get(textOf(/\bhref="([^"]*)"/i.exec(attributes)?.[1] ?? ''));
    return handle ? `@${handle}` : link;
  });
  return [textAt(status, 'spoiler_text'), textOf(html)].filter((text) => text.trim() !== '').join('\n\n');
}

/** Some forks have public statuses that never leave the server. */
function isPublic(status: unknown): boolean {
  return PUBLIC.includes(textAt(status, 'visibility')) && at(status, 'local_only') !== true;
}

/** Reads the status again: it may have been edited, deleted, or restricted since, and it names the current URL. */
async function file(session: Session, post: Pick<WatchedPost, 'remoteId' | 'file'>): Promise<WatchedFile> {
  const response = await ask(session, `/api/v1/statuses/${encodeURIComponent(post.remoteId)}`);
  if ([404, 410].includes(response.status) && codeOf(response) !== '') {
    // A replica may lag behind the list.
    const age = platformNow(response, session.now()) - (numberAt(post.file, 'publishedAt') ?? 0);
    if (age > DROPPED_AFTER_MS) return { found: 'gone' };
    throw new PlatformError({ ...transient(say('post_not_shown_yet')), status: response.status });
  }
  const status = response.status === 200 ? response.tryJson() : null;
  if (textAt(status, 'id') === '') throw new PlatformError(failureOf(response, session.now(), 'other'));
  if (!isPublic(status)) return { found: 'gone' };
  const [video, ...more] = videosOf(status);
  if (more.length > 0) return { found: 'none', why: say('post_has_several_videos') };
  // A server that lost the file, or has not fetched it, gives no URL.
  const url = webUrl(textAt(video, 'url'));
  return url ? { found: 'file', url } : { found: 'none', why: say('file_not_given') };
}
