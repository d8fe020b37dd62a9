/**
 * Finds the posts of a page and their videos. The posts of a member cannot be read. Requests are few (100 a day for a new
 * application), so a check takes one request, and checks are rare.
 */
import { MINUTE } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, Session, WatchedPost, WatchFlow } from '../contract.ts';
import { rejected, transient } from '../kit/failures.ts';
import { at, listAt, numberAt, textAt } from '../kit/json.ts';
import { call, isHidden, isOrganization, isWebAddress } from './api.ts';
import { plainText } from './limits.ts';
import { say } from './messages.ts';
import { canonicalId, publishedAs, readPage, videoOf } from './post.ts';

const PAGE = 100;

export const watch: WatchFlow = {
  minIntervalMs: 20 * MINUTE,
  /**
   * Sorted by the last change, so that a scheduled post that is published now is not behind newer ones. A deletion
   * between pages shifts the others; the next check finds what it hides.
   */
  async list(session, { cursor, since }) {
    if (!isOrganization(session.remoteId)) throw new PlatformError(rejected('permission', say('member_posts_hidden')));
    if (!session.sandbox) await session.spend('lists');
    const start = Number(cursor);
    const { posts, isPast, isLast } = await readPage(session, {
      ...{ start, count: PAGE, since },
      sortBy: 'LAST_MODIFIED',
    }).catch(throwForList);
    return {
      posts: posts.flatMap((post) => postFrom(session, post)),
      next: isPast || isLast ? '' : String(start + PAGE),
    };
  },
  /**
   * Reads the post again, which may be deleted or no longer public, and the current URL of its video. A deleted post may
   * be 403; then the video tells whether the role on the page was lost.
   */
  async file(session, { file }) {
    const post = await read(session, `/rest/posts/${encodeURIComponent(textAt(file, 'post'))}`);
    const video = await read(session, `/rest/videos/${encodeURIComponent(textAt(file, 'video'))}`);
    if (video instanceof PlatformError && video.failure.status === 403)
      throw post instanceof PlatformError && post.failure.status === 403 ? post : video;
    if (post instanceof PlatformError || video instanceof PlatformError) return { found: 'gone' };
    if (!isPublished(post) || !isPublic(post)) return { found: 'gone' };
    const url = textAt(video, 'downloadUrl');
    if (isWebAddress(url)) return { found: 'file', url };
    if (textAt(video, 'status') === 'PROCESSING') throw new PlatformError(transient(say('processing')));
    return { found: 'none', why: say('file_not_given') };
  },
};

/** LinkedIn's limits hold for one type of request. A used-up list must not delay posts, as a limit of the account would. */
function throwForList(error: unknown): never {
  if (!(error instanceof PlatformError) || error.failure.kind !== 'rateLimited') throw error;
  const { detail, waitMs, status } = error.failure;
  throw new PlatformError({ ...transient(detail, waitMs), ...(status === undefined ? {} : { status }) });
}

/** Returns the error if LinkedIn does not show something (403, 404). @throws PlatformError */
async function read(session: Session, path: string): Promise<Json | PlatformError> {
  try {
    return (await call(session, 'GET', path)).json();
  } catch (error) {
    if (isHidden(error)) return error;
    throw error;
  }
}

/** Returns nothing for a post without a video or id, a draft, and a share of another post. */
export function postFrom(session: Pick<Session, 'endpoints'>, post: unknown): WatchedPost[] {
  const urn = textAt(post, 'id');
  const video = videoOf(post);
  const isShare = (at(post, 'reshareContext') ?? null) !== null;
  if (!/^urn:li:(?:share|ugcPost):\d{6,}$/.test(urn) || !/^urn:li:video:[\w-]+$/.test(video)) return [];
  if (isShare || !isPublished(post)) return [];
  return [
    {
      remoteId: canonicalId(urn),
      publishedAt: timeAt(post, 'publishedAt') ?? timeAt(post, 'createdAt'),
      text: plainText(textAt(post, 'commentary')),
      url: publishedAs(session, urn).url,
      durationMs: null,
      width: null,
      height: null,
      isPublic: isPublic(post),
      file: { post: urn, video },
    },
  ];
}

/** The end of the year 9999, ms since the epoch. */
const MAX_TIME = Date.UTC(10_000, 0) - 1;

function timeAt(post: unknown, field: string): number | null {
  const time = numberAt(post, field);
  return time !== null && time > 0 && time <= MAX_TIME ? time : null;
}

const isPublished = (post: unknown) => ['', 'PUBLISHED'].includes(textAt(post, 'lifecycleState'));

/** Whether everybody may see a post: it is not limited to members or an audience, and it is no advertisement only. */
function isPublic(post: unknown): boolean {
  const isInFeed = textAt(post, 'distribution', 'feedDistribution') !== 'NONE';
  const isForAll = listAt(post, 'distribution', 'targetEntities').length === 0;
  return textAt(post, 'visibility') === 'PUBLIC' && isInFeed && isForAll;
}
