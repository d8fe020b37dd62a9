/** A minimal client for the Mastodon API. */
import { type HttpClient, type HttpResponse, NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, Endpoints, Session } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { bearer } from '../kit/requests.ts';

/** Returns the base URL of the API: the simulator's if configured, else the account's server. */
export function baseOf(endpoints: Endpoints, service: string): string {
  return endpoints.instance ?? service;
}

/** Sends an authenticated GET request. @param path starts with "/" and includes the query @throws NetworkError */
export function ask(session: Session, path: string): Promise<HttpResponse> {
  return session.http({
    method: 'GET',
    url: `${baseOf(session.endpoints, session.service)}${path}`,
    headers: bearer(session.secret),
  });
}

/** Wraps the context's client so that its errors are messages for the user who is connecting. */
export function reaching(context: ConnectContext, service: string): HttpClient {
  return async (request) => {
    try {
      return await context.http(request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const detail = `The server ${URL.parse(service)?.host ?? ''} could not be reached (${error.reason}).`;
      throw new PlatformError(transient(detail), { cause: error });
    }
  };
}
