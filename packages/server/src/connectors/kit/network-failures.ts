/** Turns network errors while connecting into failures with a message for the user. */
import { say } from '../../messages/timeline.ts';
import { type HttpClient, NetworkError } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import { transient } from './failures.ts';

/**
 * Wraps a client. Messages contain the host alone, because a URL may contain a token.
 * @param failureOf returns null for the usual failure
 */
export function withNetworkFailures(
  http: HttpClient,
  failureOf: (error: NetworkError, host: string) => Failure | null = () => null,
): HttpClient {
  return async (request) => {
    try {
      return await http(request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const failure = failureOf(error, hostOf(request.url));
      throw failure ? new PlatformError(failure, { cause: error }) : unreachable(request.url, error);
    }
  };
}

/** @param url requested URL */
export function unreachable(url: string, error: NetworkError): PlatformError {
  const detail = say('server_unreachable', { host: hostOf(url), reason: error.reason });
  return new PlatformError(transient(detail), { cause: error });
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
