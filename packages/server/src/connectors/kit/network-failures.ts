/** Turns network errors while connecting into failures with a message for the user. */
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/timeline.ts';
import { type HttpClient, NetworkError } from '../../outbound/http-client.ts';
import { isClosed } from '../../outbound/no-response.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import { setup } from './failures.ts';

/** Wraps a client. Messages contain the host alone, because a URL may contain a token. */
export function withNetworkFailures(http: HttpClient): HttpClient {
  return async (request) => {
    try {
      return await http(request);
    } catch (error) {
      throw error instanceof NetworkError ? unreachable(request.url, error) : error;
    }
  };
}

/** @param url requested URL */
export function unreachable(url: string, error: NetworkError): PlatformError {
  return new PlatformError(failureFor(error.reason, URL.parse(url)?.host ?? ''), { cause: error });
}

/** Names the setting that would help, if one would. */
function failureFor(reason: string, host: string): Failure {
  if (reason === 'not_https') return setup(say('server_not_https', { host }));
  if (reason === 'private_address') return setup(say('server_private', { host }));
  if (reason === 'port') return setup(say('server_port', { host }));
  return { kind: 'transient', cause: 'connection', detail: detailFor(reason, host) };
}

function detailFor(reason: string, host: string): Message {
  if (reason === 'tls') return say('server_certificate', { host });
  return isClosed({ reason }) ? say('server_closed', { host }) : say('server_unreachable', { host, reason });
}
