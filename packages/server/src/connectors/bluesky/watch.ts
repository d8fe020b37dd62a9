/**
 * Finds the account's video posts in its repository, which its server lists without a token, and their files.
 * Repositories are public, so there are no private posts.
 */
import { MINUTE } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Session, WatchedPost, WatchFlow } from '../contract.ts';
import { at, listAt, textAt } from '../kit/json.ts';
import { codeOf, failureOf } from './classify.ts';
import { type Pds, pdsOf, xrpcUrl } from './pds.ts';
import { POST, postUrl, timeOfTid } from './record.ts';
import { stream } from './stream.ts';
import { keyOf, listPosts } from './verify.ts';

/** Tolerance for clocks that are ahead; the window that Bluesky recommends ("Timestamps"). */
const CLOCK_SKEW_MS = 2 * MINUTE;
/** A link that is shown longer is not shortened. */
const MAX_LINK_BYTES = 300;

export const watch: WatchFlow = {
  stream,
  async list(session, { cursor, since }) {
    const { response, records, next } = await listPosts(session, cursor);
    if (!records) throw new PlatformError(failureOf(response, session.now()));
    const oldest = timeOfTid(keyOf(records.at(-1)));
    const isPast = oldest !== null && oldest < since;
    return {
      posts: records.flatMap((record) => readPost(session, record)),
      next: isPast || records.length === 0 ? '' : next,
    };
  },
  /** Reads the record again, because it may be deleted, or edited to have another video. */
  async file(session, { remoteId }) {
    const query = { repo: session.remoteId, collection: POST, rkey: remoteId.slice(remoteId.lastIndexOf('/') + 1) };
    const pds = pdsOf(session);
    const response = await pds.read('com.atproto.repo.getRecord', query);
    if (response.status === 400 && (await isGone(pds, session.remoteId, codeOf(response)))) return { found: 'gone' };
    if (response.status !== 200) throw new PlatformError(failureOf(response, session.now()));
    const cid = textAt(videoOf(at(response.tryJson(), 'value')), 'ref', '$link');
    if (!cid) return { found: 'gone' };
    return { found: 'file', url: xrpcUrl(session.service, 'com.atproto.sync.getBlob', { did: session.remoteId, cid }) };
  },
};

/** Whether the account's server says that the post or the account is gone. A server that lost the account does not know. */
async function isGone(pds: Pds, did: string, code: string): Promise<boolean> {
  const repo = await pds.read('com.atproto.sync.getRepoStatus', { did });
  const active = repo.status === 200 ? at(repo.tryJson(), 'active') : undefined;
  return active === false || (active === true && code === 'RecordNotFound');
}

/** Returns nothing for a record that is no post, has no video, or is a reply. */
function readPost({ remoteId: did, endpoints, now }: Session, record: unknown): WatchedPost[] {
  const rkey = keyOf(record);
  const value = at(record, 'value');
  const cid = textAt(videoOf(value), 'ref', '$link');
  if (!rkey || !cid || textAt(value, '$type') !== POST || at(value, 'reply') !== undefined) return [];
  return [
    {
      remoteId: `at://${did}/${POST}/${rkey}`,
      publishedAt: publishedAt(timeOfTid(rkey), Date.parse(textAt(value, 'createdAt')), now() + CLOCK_SKEW_MS),
      text: fullText(textAt(value, 'text'), listAt(value, 'facets')),
      url: postUrl(endpoints.web, did, rkey),
      durationMs: null,
      // `aspectRatio` is a ratio; it does not have to be the size in pixels.
      width: null,
      height: null,
      isPublic: true,
      file: { cid },
    },
  ];
}

/** The video's blob: of the post itself, or beside a quoted post. */
function videoOf(value: unknown): unknown {
  const embed = at(value, 'embed');
  const media = textAt(embed, '$type') === 'app.bsky.embed.recordWithMedia' ? at(embed, 'media') : embed;
  return textAt(media, '$type') === 'app.bsky.embed.video' ? at(media, 'video') : undefined;
}

/**
 * Returns the earlier of the key's time and `createdAt`. Clients choose both. Bluesky sorts by the earlier of `createdAt`
 * and its own time of indexing ("Timestamps"), for which the key's time stands here. So old posts that a tool imports
 * today count as old. Times in the future are ignored.
 */
function publishedAt(keyTime: number | null, createdAt: number, latest: number): number | null {
  const times = [keyTime ?? Number.NaN, createdAt].filter((time) => time > 0 && time <= latest);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Restores links that a client has shortened (`example.com/some-long…`); the facet has the whole URL. */
function fullText(text: string, facets: readonly unknown[]): string {
  const bytes = Buffer.from(text);
  const shortened = facets
    .map((facet) => {
      const [start, end] = [Number(at(facet, 'index', 'byteStart')), Number(at(facet, 'index', 'byteEnd'))];
      const link = listAt(facet, 'features').find((each) => textAt(each, '$type') === 'app.bsky.richtext.facet#link');
      return { start, end, uri: textAt(link, 'uri') };
    })
    .filter(({ start, end, uri }) => {
      const shown =
        start >= 0 && end > start && end - start <= MAX_LINK_BYTES ? bytes.toString('utf8', start, end) : '';
      const [, beginning] = /^(?:https?:\/\/)?(.+?)(?:\.\.\.|…)$/.exec(shown) ?? [];
      return beginning !== undefined && uri.replace(/^https?:\/\//, '').startsWith(beginning);
    })
    .sort((a, b) => b.start - a.start);
  let full = bytes;
  let next = bytes.length;
  for (const { start, end, uri } of shortened) {
    if (end > next) continue;
    full = Buffer.concat([full.subarray(0, start), Buffer.from(uri), full.subarray(end)]);
    next = start;
  }
  return full.toString();
}
