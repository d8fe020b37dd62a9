/**
 * Whether a send without proof has worked. The list of a page names the video of each post, which is exact. What a
 * member posts cannot be read by any permission that is given out, and posting again as a probe proves nothing and may
 * post: there the owner has to look.
 */
import type { Fingerprint, Json, JsonObject, Published, Session, VerifyResult, Work } from '../contract.ts';
import { theirNow } from '../kit/clock.ts';
import { PlatformError } from '../kit/failure.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { call, isOrganization } from './api.ts';
import { stored, type Upload, uploadOf } from './checkpoint.ts';
import { plainText } from './text.ts';

const PAGE = 50;
const MAX_PAGES = 10;
/** Clocks are compared by whole seconds, and the way takes time, ms. */
const CLOCK_SLACK_MS = 10_000;
/** Looking again will never help: longer than anybody looks, ms. */
const NEVER_MS = 7 * 86_400_000;

/** @throws PlatformError where the look fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const { session } = work;
  if (!isOrganization(session.remoteId))
    return {
      then: 'stillUnknown',
      note: 'LinkedIn lets nobody read what a member has posted: please look there.',
      afterMs: NEVER_MS,
    };
  const upload = uploadOf(checkpoint);
  if (!upload.video) return byText(session, fingerprint);
  const { post, complete } = await findByVideo(session, upload);
  if (post) return posted(session, post);
  if (!complete) return TOO_MANY;
  return {
    then: 'notPosted',
    checkpoint: stored({ ...upload, voids: upload.voids + 1 }),
    note: 'The page does not show the post.',
  };
}

/** The post with our video, and whether the list was read as far back as it can be. @throws PlatformError */
export async function findByVideo(
  session: Session,
  upload: Pick<Upload, 'video' | 'openedAt'>,
): Promise<{ post: Json | undefined; complete: boolean }> {
  const { posts, complete } = await postsSince(session, upload.openedAt);
  return { post: posts.find((each) => textAt(each, 'content', 'media', 'id') === upload.video), complete };
}

/** Without an upload to go by: what the page has posted since, with our words and a video. */
async function byText(session: Session, { text, committedAt }: Fingerprint): Promise<VerifyResult> {
  const { fresh, complete } = await postsSince(session, committedAt);
  if (!complete) return TOO_MANY;
  const [first, ...more] = fresh.filter(
    (post) =>
      textAt(post, 'content', 'media', 'id').startsWith('urn:li:video:') &&
      saysTheSame(textAt(post, 'commentary'), text),
  );
  if (first && more.length === 0 && text.trim() !== '') return posted(session, first);
  if (first) return { then: 'stillUnknown', note: 'The page shows a post that could be this one.' };
  return { then: 'notPosted', checkpoint: null, note: 'The page does not show the post.' };
}

/** Whether a text of the list is ours, escaped as it was sent or not. */
function saysTheSame(commentary: string, text: string): boolean {
  const bare = (words: string) => words.normalize('NFC').replace(/\s+/g, ' ').trim();
  return bare(commentary) === bare(text) || bare(plainText(commentary)) === bare(text);
}

const TOO_MANY: VerifyResult = { then: 'stillUnknown', note: 'The page has posted too much to look through.' };

function posted(session: Session, post: Json): VerifyResult {
  const id = textAt(post, 'id');
  if (!id) return { then: 'stillUnknown', note: 'The page shows the post without its id.' };
  const publishedAt = numberAt(post, 'publishedAt') ?? numberAt(post, 'createdAt');
  return {
    then: 'posted',
    published: { ...publishedAs(session, id), publishedAt },
    note: 'The page shows the post.',
  };
}

/** A post by its URN. */
export function publishedAs({ endpoints }: Pick<Session, 'endpoints'>, urn: string): Published {
  return { remoteId: urn, url: `${endpoints.www}/feed/update/${urn}/`, publishedAt: null };
}

/**
 * The page's own posts, read until all of those are there that were made after a moment of our clock (`fresh`).
 * `complete` is false where there are more than we look through. @throws PlatformError
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
    const answer = await call(session, 'GET', `/rest/posts?${query}`, { headers: { 'X-RestLi-Method': 'FINDER' } });
    const body = answer.json();
    const listed = at(body, 'elements');
    // An answer without a list would look like a page without posts.
    if (!Array.isArray(listed))
      throw new PlatformError({ kind: 'transient', detail: 'LinkedIn gave no list of posts.' });
    const elements: Json[] = listed;
    const now = session.now();
    const theirSince = since + theirNow(answer, now) - now - CLOCK_SLACK_MS;
    const madeAt = (post: Json | undefined) => numberAt(post, 'createdAt') ?? theirSince;
    posts.push(...elements);
    fresh.push(...elements.filter((post) => madeAt(post) >= theirSince));
    const links = at(body, 'paging', 'links');
    const more = Array.isArray(links) && links.some((link) => textAt(link, 'rel') === 'next');
    // Which way the list goes is not documented: an older post is an end only where it goes back in time.
    const last = madeAt(elements.at(-1));
    if (madeAt(elements[0]) >= last && last < theirSince) return { posts, fresh, complete: true };
    if (!more && elements.length < PAGE) return { posts, fresh, complete: true };
  }
  return { posts, fresh, complete: false };
}
