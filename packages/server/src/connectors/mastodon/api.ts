import type { ConnectContext, Endpoints, JsonObject, Session } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { type HttpAnswer, type HttpClient, NetworkError } from '../kit/http.ts';
import { textAt } from '../kit/json.ts';

/** Base address of the API: the simulator's where one is named, else the account's own server. */
export function baseOf(endpoints: Endpoints, service: string): string {
  return endpoints.instance ?? service;
}

export function bearer(secret: JsonObject): { authorization: string } {
  return { authorization: `Bearer ${textAt(secret, 'accessToken')}` };
}

/** Asks on behalf of the account. @param path with query, beginning with "/" @throws NetworkError */
export function ask(session: Session, path: string): Promise<HttpAnswer> {
  return session.http({
    method: 'GET',
    url: `${baseOf(session.endpoints, session.service)}${path}`,
    headers: bearer(session.secret),
  });
}

/** The context's client, whose failures are sentences for the person who is connecting. */
export function reaching(context: ConnectContext, service: string): HttpClient {
  return async (request) => {
    try {
      return await context.http(request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const detail = `The server ${URL.parse(service)?.host ?? ''} could not be reached (${error.reason}).`;
      throw new PlatformError({ kind: 'transient', detail }, { cause: error });
    }
  };
}
