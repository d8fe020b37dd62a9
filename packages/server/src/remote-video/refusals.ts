/** Error messages for a video's URL. They contain no query, no body and no text of the host. */
import { ReelayError } from '../errors.ts';
import type { Problem } from '../outbound/open-address.ts';

const REFUSED: Record<string, string> = {
  address: 'The address of the video is not well formed',
  user_info: 'The address of the video has a user name or a password in it, which is not sent',
  port: 'The address of the video names a port at which no video can be',
  not_https: 'The address of the video is not https',
  private_address: 'The address of the video leads into a private network',
  own_address: 'The address of the video leads to this service itself',
};

const FAILED: Record<string, string> = {
  name: 'The host of the video’s address is not known',
  refused: 'The host of the video’s address refused the connection',
  reset: 'The host of the video’s address broke off the connection',
  tls: 'No trusted TLS connection to the host of the video’s address came about',
  garbage: 'The host of the video’s address does not answer in HTTP',
  connection: 'The host of the video’s address cannot be reached',
  redirects: 'The address of the video redirects too often',
  redirect_loop: 'The address of the video redirects in a circle',
  redirect_nowhere: 'The address of the video redirects without saying where to',
};

/** The error for a URL without a response. Its cause, for the log, contains only the origin. */
export function refusalOf({ reason, hops, origin, code }: Problem): ReelayError {
  const cause = origin === null ? undefined : new Error(`${origin}: ${code ?? reason}`);
  if (reason === 'timeout') return tooSlow(cause);
  const refused = REFUSED[reason];
  const sentence = refused ?? FAILED[reason] ?? FAILED.connection;
  const after = hops === 0 ? '' : hops === 1 ? ' (after a redirect)' : ` (after ${hops} redirects)`;
  return new ReelayError(refused ? 'video_source_refused' : 'video_source_failed', `${sentence}${after}.`, { cause });
}

/** The error for an unusable response. @param what a sentence @param origin for the log */
export function failed(what: string, origin: string): ReelayError {
  return new ReelayError('video_source_failed', what, { cause: new Error(`${origin}: ${what}`) });
}

/** The video, or the headers of a response, did not arrive in time. */
export function tooSlow(cause?: unknown): ReelayError {
  return new ReelayError('video_source_slow', undefined, { cause });
}
