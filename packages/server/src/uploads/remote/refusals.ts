/** Errors for a video's URL. They contain no query, no body and no text of the host. */
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import { sourceText } from '../../messages/error-parts.ts';
import type { Problem } from '../../outbound/open-address.ts';

const MESSAGES = {
  address: 'source_malformed',
  user_info: 'source_with_user',
  port: 'source_port',
  not_https: 'source_not_https',
  private_address: 'source_private',
  own_address: 'source_own',
  name: 'source_host_unknown',
  refused: 'source_connection_refused',
  reset: 'source_connection_reset',
  tls: 'source_tls',
  garbage: 'source_not_http',
  connection: 'source_unreachable',
  redirects: 'source_too_many_redirects',
  redirect_loop: 'source_redirect_loop',
  redirect_nowhere: 'source_redirect_nowhere',
} as const;

/** The error for a URL without a response. Its cause, for the log, contains only the origin. */
export function refusalOf({ reason, hops, origin, code }: Problem): ReelayError {
  const cause = origin === null ? undefined : new Error(`${origin}: ${code ?? reason}`);
  if (reason === 'timeout') return tooSlow(cause);
  const redirects =
    hops === 0
      ? sourceText('no_redirect')
      : hops === 1
        ? sourceText('after_redirect')
        : sourceText('after_redirects', { hops });
  return apiError(isKnown(reason) ? MESSAGES[reason] : MESSAGES.connection, { redirects }, { cause });
}

function isKnown(reason: string): reason is keyof typeof MESSAGES {
  return Object.hasOwn(MESSAGES, reason);
}

/** Adds the origin to the error for an unusable response, for the log. */
export function failed({ code, message, said }: ReelayError, origin: string): ReelayError {
  return new ReelayError(code, said, { cause: new Error(`${origin}: ${message}`) });
}

/** The video, or the headers of a response, did not arrive in time. */
export function tooSlow(cause?: unknown): ReelayError {
  return new ReelayError('video_source_slow', undefined, { cause });
}
