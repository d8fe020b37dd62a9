/** Parses server addresses, handles, and post URIs from users and servers. */
import { PlatformError } from '../../outbound/platform-error.ts';
import { withoutFinalSlashes } from '../../text.ts';
import { setup } from '../kit/failures.ts';

export const POST = 'app.bsky.feed.post';

/**
 * Returns a server's URL without a trailing slash. Accepts `bsky.social`, `https://pds.example/`, and similar forms.
 * @throws PlatformError
 */
export function serviceFrom(text: string): string {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname)
    throw new PlatformError(setup('The address of the server is not one.'));
  return withoutFinalSlashes(`${url.origin}${url.pathname}`);
}

/**
 * Returns a handle (lowercase, without "@") or a DID from user input. Accepts profile URLs and removes invisible
 * characters. @throws PlatformError
 */
export function identifierFrom(text: string): string {
  const bare = text.replace(/[\p{Cf}\p{Z}\p{Cc}]/gu, '').replace(/^https:\/\/bsky\.app\/profile\//, '');
  if (/^did:(plc|web):[\w.:%-]+$/.test(bare)) return bare;
  const handle = bare.replace(/^(at:\/\/|@)/, '').toLowerCase();
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(handle)) return handle;
  throw new PlatformError(setup('Give the handle, for instance nora.bsky.social, or the DID.'));
}

/** Returns the public URL of a post. */
export function postUrl(web: string | undefined, did: string, rkey: string): string {
  return `${web || 'https://bsky.app'}/profile/${did}/post/${rkey}`;
}

/** Returns the canonical id of a post, `at://DID/app.bsky.feed.post/KEY`. Also accepts the post's URL. */
export function canonicalId(id: string): string {
  const parts = /(?:at:\/\/|\/profile\/)([^/]+)\/(?:app\.bsky\.feed\.post|post)\/([^/?#]+)/.exec(id.trim());
  return parts ? `at://${parts[1]}/${POST}/${parts[2]}` : id.trim();
}
