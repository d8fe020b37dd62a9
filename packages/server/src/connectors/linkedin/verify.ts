/**
 * Verifies whether a send of unknown outcome created a post. A page's list names the video of each post, which is an
 * exact match. No available permission allows reading a member's posts, and sending again as a probe proves nothing and
 * may post twice. For members, the owner has to check.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Fingerprint, Json, JsonObject, Published, Session, VerifyResult, Work } from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { call, isOrganization } from './api.ts';
import { plainText } from './text.ts';
import { type Upload, uploadOf } from './upload.ts';

const PAGE = 50;
const MAX_PAGES = 10;
/** Tolerance for comparing clocks, in ms: timestamps have whole seconds, and requests take time. */
const CLOCK_SLACK_MS = 10_000;
/** Delay that exceeds every verification period, in ms: another attempt cannot help. */
const NEVER_MS = 7 * 86_400_000;

/** @throws PlatformError if the list cannot be read */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const { session } = work;
  if (!isOrganization(session.remoteId))
    return stillUnknown('LinkedIn lets nobody read what a member has posted: please look there.', NEVER_MS);
  const upload = uploadOf(checkpoint);
  if (!upload.video) return byText(session, fingerprint);
  const { post, complete } = await findByVideo(session, upload);
  if (post) return posted(session, post);
  if (!complete) return TOO_MANY;
  return notPosted({ ...upload, voids: upload.voids + 1 }, 'The page does not show the post.');
}

/** Finds the post with our video. `complete` tells whether the list was read far enough back. @throws PlatformError */
export async function findByVideo(
  session: Session,
  upload: Pick<Upload, 'video' | 'openedAt'>,
): Promise<{ post: Json | undefined; complete: boolean }> {
  const { posts, complete } = await postsSince(session, upload.openedAt);
  return { post: posts.find((each) => textAt(each, 'content', 'media', 'id') === upload.video), complete };
}

/** Verifies without an upload: finds a video post with our text that the page has published since the send. */
async function byText(session: Session, { text, committedAt }: Fingerprint): Promise<VerifyResult> {
  const { fresh, complete } = await postsSince(session, committedAt);
  if (!complete) return TOO_MANY;
  const [first, ...more] = fresh.filter(
    (post) =>
      textAt(post, 'content', 'media', 'id').startsWith('urn:li:video:') &&
      isSameText(textAt(post, 'commentary'), text),
  );
  if (first && more.length === 0 && text.trim() !== '') return posted(session, first);
  if (first) return stillUnknown('The page shows a post that could be this one.');
  return notPosted(null, 'The page does not show the post.');
}

/** Compares a listed text with ours. LinkedIn may return it escaped or unescaped. */
function isSameText(commentary: string, text: string): boolean {
  const bare = (words: string) => collapsedText(words, 'NFC');
  return bare(commentary) === bare(text) || bare(plainText(commentary)) === bare(text);
}

const TOO_MANY: VerifyResult = stillUnknown('The page has posted too much to look through.');

function posted(session: Session, post: Json): VerifyResult {
  const id = textAt(post, 'id');
  if (!id) return stillUnknown('The page shows the post without its id.');
  const publishedAt = numberAt(post, 'publishedAt') ?? numberAt(post, 'createdAt');
  return {
    then: 'posted',
    published: { ...publishedAs(session, id), publishedAt },
    note: 'The page shows the post.',
  };
}

/** Returns the published post for a URN. */
export function publishedAs({ endpoints }: Pick<Session, 'endpoints'>, urn: string): Published {
  return { remoteId: urn, url: `${endpoints.www}/feed/update/${urn}/`, publishedAt: null };
}

/**
 * Lists the page's own posts back to a moment of our clock. `fresh` holds the posts created since then. `complete` is
 * false if the page has more posts than `MAX_PAGES` pages. @throws PlatformError
 */
async function postsSince(
  session: Session,
  since: number,
): Promise<{ posts: Json[]; fresh: Json[]; complete: boolean }> {
  const posts: Json[] = [];
  const fresh: Json[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({
      q: 'author',
      author: session.remoteId,
      count: String(PAGE),
      start: String(page * PAGE),
      sortBy: 'CREATED',
    });
    const response = await call(session, 'GET', `/rest/posts?${query}`, { headers: { 'X-RestLi-Method': 'FINDER' } });
    const body = response.json();
    const listed = at(body, 'elements');
    // A response without a list must not be treated as an empty page.
    if (!Array.isArray(listed)) throw new PlatformError(transient('LinkedIn gave no list of posts.'));
    const elements: Json[] = listed;
    const now = session.now();
    const theirSince = since + platformNow(response, now) - now - CLOCK_SLACK_MS;
    const madeAt = (post: Json | undefined) => numberAt(post, 'createdAt') ?? theirSince;
    posts.push(...elements);
    fresh.push(...elements.filter((post) => madeAt(post) >= theirSince));
    const links = at(body, 'paging', 'links');
    const more = Array.isArray(links) && links.some((link) => textAt(link, 'rel') === 'next');
    // The sort order is not documented. An older post ends the list only if the order is newest first.
    const last = madeAt(elements.at(-1));
    if (madeAt(elements[0]) >= last && last < theirSince) return { posts, fresh, complete: true };
    if (!more && elements.length < PAGE) return { posts, fresh, complete: true };
  }
  return { posts, fresh, complete: false };
}
