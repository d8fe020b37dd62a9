/**
 * The request that creates the post, what its response proves, and the verification of a send of unknown outcome. A
 * page's list names the video of each post, which is an exact match. No available permission allows reading a member's
 * posts, and sending again as a probe proves nothing and may post twice. For members, the owner has to check.
 */
import { DAY, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type {
  CommitPlan,
  ConfirmResult,
  Fingerprint,
  JsonObject,
  Published,
  Session,
  VerifyResult,
  Work,
} from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { LIST_BYTES, type PagedList, readPages } from '../kit/pages.ts';
import { postJson } from '../kit/requests.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { call, hasNextPage, headersFor, isOrganization } from './api.ts';
import { codeOf, failureOf, isOwnError } from './classify.ts';
import { escapeText, plainText } from './limits.ts';
import { say } from './messages.ts';
import { type Upload, uploadOf } from './upload.ts';

/** Any other error of LinkedIn than those of {@link NOT_REFUSED}. */
const REFUSED = 'refused';
/**
 * A "duplicate" error has been seen to reference posts that do not exist, and a conflict may be with our own post. The
 * others are temporary.
 */
const NOT_REFUSED = [
  'DUPLICATE_POST',
  'CONFLICT',
  'MEDIA_ASSET_WAITING_UPLOAD',
  'UPDATING_ASSET_FAILED',
  'FORBIDDEN_RESOURCE',
];

export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const { title, visibility = 'PUBLIC' } = post.options;
    return postJson(`${session.endpoints.api}/rest/posts`, headersFor(session), {
      author: session.remoteId,
      commentary: escapeText(post.text),
      visibility,
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      content: { media: { ...(title === undefined ? {} : { title }), id: uploadOf(checkpoint).video } },
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    });
  },
  // LinkedIn checks token, limit, and permission before it creates the post, and a 4xx in its own format says that it
  // created none. Without that format the response may be a gateway's, which proves nothing.
  responses: [
    { status: 201, proves: 'done' },
    { status: 401, proves: 'retryable' },
    { status: 429, proves: 'retryable' },
    { status: 400, code: 'MEDIA_ASSET_WAITING_UPLOAD', proves: 'retryable' },
    { status: 400, code: 'UPDATING_ASSET_FAILED', proves: 'retryable' },
    { status: 403, code: 'FORBIDDEN_RESOURCE', proves: 'retryable' },
    { status: [400, 499], code: REFUSED, proves: 'refused' },
  ],
  codeOf(response) {
    const code = codeOf(response);
    const { status } = response;
    const isRefusal = status >= 400 && status < 500 && status !== 408 && isOwnError(response);
    return isRefusal && !NOT_REFUSED.includes(code) ? REFUSED : code;
  },
  failureOf,
  /** Reads the id from a header; the body is empty. A page's list supplies an id that is missing. */
  done({ session }, checkpoint, { headers }) {
    const ids = [headers['x-restli-id'], headers['x-linkedin-id']].map((each) => each?.replaceAll(/%3a/gi, ':') ?? '');
    const id = ids.find((each) => /^urn:li:\w+:\w+$/.test(each));
    if (id) return { then: 'posted', published: publishedAs(session, id), note: say('posted') };
    const note = say('posted_without_url');
    if (isOrganization(session.remoteId))
      return { then: 'confirming', checkpoint, afterMs: SECOND, complete: true, note };
    return { then: 'posted', published: { remoteId: null, url: null, publishedAt: null, detail: note.text }, note };
  },
};

/** Finds the id of a page's post in the page's list when the response had none. @throws PlatformError */
export async function confirm({ session }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { post } = await findByVideo(session, uploadOf(checkpoint));
  const id = textAt(post, 'id');
  if (id) return { then: 'posted', published: publishedAs(session, id), note: say('post_found') };
  const note = say('post_not_shown_yet');
  return { then: 'confirming', checkpoint, afterMs: 30 * SECOND, complete: true, note };
}

const PAGE = 50;
const MAX_PAGES = 10;
/** Tolerance for comparing clocks, in ms: timestamps have whole seconds, and requests take time. */
const CLOCK_SLACK_MS = 10 * SECOND;
/** Delay that exceeds every verification period, in ms: another attempt cannot help. */
const NEVER_MS = 7 * DAY;

/** @throws PlatformError if the list cannot be read */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  if (!isOrganization(session.remoteId)) return stillUnknown(say('verification_impossible'), NEVER_MS);
  const upload = uploadOf(checkpoint);
  if (!upload.video) return verifyByText(session, fingerprint);
  const { post, complete } = await findByVideo(session, upload);
  if (post) return posted(session, post);
  if (!complete) return stillUnknown(say('list_too_long'));
  return notPosted({ ...upload, voids: upload.voids + 1 }, say('post_not_shown'));
}

/** Finds the post with our video. `complete` tells whether the list was read far enough back. @throws PlatformError */
export async function findByVideo(
  session: Session,
  upload: Pick<Upload, 'video' | 'openedAt'>,
): Promise<{ post: unknown; complete: boolean }> {
  const { items, complete } = await postsSince(session, upload.openedAt);
  return { post: items.find(({ post }) => videoOf(post) === upload.video)?.post, complete };
}

export const videoOf = (post: unknown) => textAt(post, 'content', 'media', 'id');

/** Verifies without an upload: finds a video post with our text that the page has published since the send. */
async function verifyByText(session: Session, { text, committedAt }: Fingerprint): Promise<VerifyResult> {
  const { items, complete } = await postsSince(session, committedAt);
  if (!complete) return stillUnknown(say('list_too_long'));
  const [first, ...more] = items.filter(
    ({ post, isFresh }) =>
      isFresh && videoOf(post).startsWith('urn:li:video:') && isSameText(textAt(post, 'commentary'), text),
  );
  if (!first) return notPosted(null, say('post_not_shown'));
  return more.length === 0 && text.trim() !== '' ? posted(session, first.post) : stillUnknown(say('match_unclear'));
}

/** Compares a listed text with ours. LinkedIn may return it escaped or unescaped. */
function isSameText(commentary: string, text: string): boolean {
  return [commentary, plainText(commentary)].some((each) => collapsedText(each, 'NFC') === collapsedText(text, 'NFC'));
}

function posted(session: Session, post: unknown): VerifyResult {
  const id = textAt(post, 'id');
  if (!id) return stillUnknown(say('match_without_id'));
  const publishedAt = numberAt(post, 'publishedAt') ?? numberAt(post, 'createdAt');
  return { then: 'posted', published: { ...publishedAs(session, id), publishedAt }, note: say('post_found') };
}

/** Returns the published post for a URN. */
export function publishedAs({ endpoints }: Pick<Session, 'endpoints'>, urn: string): Published {
  return { remoteId: urn, url: `${endpoints.www}/feed/update/${urn}/`, publishedAt: null };
}

/** Lists the page's own posts back to a moment of our clock. `isFresh`: created since then. @throws PlatformError */
function postsSince(session: Session, since: number): Promise<PagedList<{ post: unknown; isFresh: boolean }>> {
  return readPages(MAX_PAGES, async (cursor) => {
    const start = Number(cursor);
    const { posts, isFresh, isPast, isLast } = await readPage(session, {
      start,
      count: PAGE,
      since,
      sortBy: 'CREATED',
    });
    const items = posts.map((post) => ({ post, isFresh: isFresh(post) }));
    return { items, next: isPast || isLast ? '' : String(start + PAGE) };
  });
}

const TIMES = { CREATED: 'createdAt', LAST_MODIFIED: 'lastModifiedAt' } as const;

/**
 * Reads one page of the page's own posts, sorted by creation or by the last change.
 * @param wanted.since our clock, ms since the epoch
 * @returns `isFresh`: whether a post is not older than `since`; `isPast`: all following posts are older
 * @throws PlatformError
 */
export async function readPage(
  session: Session,
  wanted: { start: number; count: number; since: number; sortBy: keyof typeof TIMES },
) {
  const { start, count, since, sortBy } = wanted;
  const query = new URLSearchParams({ q: 'author', author: session.remoteId, count: String(count) });
  query.set('start', String(start));
  query.set('sortBy', sortBy);
  const response = await call(session, 'GET', `/rest/posts?${query}`, {
    headers: { 'X-RestLi-Method': 'FINDER' },
    maxResponseBytes: LIST_BYTES,
  });
  const body = response.json();
  const posts: unknown = at(body, 'elements');
  // A response without a list must not be treated as an empty page.
  if (!Array.isArray(posts)) throw new PlatformError(transient(say('list_unreadable')));
  const now = session.now();
  const theirSince = since + platformNow(response, now) - now - CLOCK_SLACK_MS;
  const timeOf = (post: unknown) => numberAt(post, TIMES[sortBy]) ?? theirSince;
  const last = timeOf(posts.at(-1));
  return {
    posts: posts as unknown[],
    isFresh: (post: unknown) => timeOf(post) >= theirSince,
    // The sort order is not documented. An older post ends the list only if the order is newest first.
    isPast: timeOf(posts[0]) >= last && last < theirSince,
    isLast: posts.length < count && !hasNextPage(body),
  };
}

/**
 * Reduces an id to its number. The id may be a bare `share` or `ugcPost` URN, part of a URL, or a slug suffix
 * (`…_sea-activity-7300…-ab1c`).
 */
export function canonicalId(id: string): string {
  const text = id.trim().replaceAll(/%3a/gi, ':');
  return /(?:urn:li:\w+:|-(?:activity|share|ugcPost)-)(\d{6,})/.exec(text)?.[1] ?? text;
}
