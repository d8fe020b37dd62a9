/** Client for the account's own server (PDS), authenticated by an app-password session or OAuth. */
import type { HttpBody, HttpClient, HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { codeOf, failureOf } from './classify.ts';
import { proof } from './dpop.ts';

export interface PdsCall {
  method: 'GET' | 'POST';
  /** Method name, such as `com.atproto.repo.getRecord`. */
  nsid: string;
  query?: Record<string, string>;
  json?: unknown;
  body?: HttpBody;
  /** Defaults to 30 s. */
  deadlineMs?: number;
}

export interface Pds {
  /** Makes an authenticated call. @throws NetworkError */
  call(call: PdsCall): Promise<HttpResponse>;
  /** Like `call`, but throws unless the status is 200. @throws PlatformError, NetworkError */
  ask(call: PdsCall): Promise<HttpResponse>;
  /** Makes an unauthenticated call. @param deadlineMs defaults to 30 s @throws NetworkError */
  look(nsid: string, query: Record<string, string>, deadlineMs?: number): Promise<HttpResponse>;
  /**
   * Returns headers for a call that must not be retried. If DPoP proofs need a nonce, fetches a fresh one with a
   * harmless call first. @throws PlatformError, NetworkError
   */
  headersOnce(nsid: string): Promise<Record<string, string>>;
}

/** @param account a session, or the values known while connecting */
export function pdsOf(account: { http: HttpClient; service: string; secret: JsonObject; now(): number }): Pds {
  const { http, service, secret } = account;
  const accessToken = textAt(secret, 'accessToken');
  const key = at(secret, 'dpop') as JsonObject | undefined;
  let nonce: string | undefined;
  const authorization = (method: string, nsid: string): Record<string, string> => {
    if (!key) return { authorization: `Bearer ${accessToken}` };
    const call = { method, url: xrpcUrl(service, nsid), accessToken, nonce, now: account.now() };
    return { authorization: `DPoP ${accessToken}`, dpop: proof(key, call) };
  };
  const once = async ({ method, nsid, query, ...rest }: PdsCall): Promise<HttpResponse> => {
    const headers = authorization(method, nsid);
    const response = await http({ method, url: xrpcUrl(service, nsid, query), headers, ...rest });
    nonce = response.headers['dpop-nonce'] ?? nonce;
    return response;
  };
  const pds: Pds = {
    async call(call) {
      // Fetches the nonce before a long body, which would otherwise be sent twice.
      if (key && nonce === undefined && call.body?.kind === 'stream') await fetchNonce();
      const response = await once(call);
      return key && codeOf(response) === 'use_dpop_nonce' ? once(call) : response;
    },
    async ask(call) {
      const response = await pds.call(call);
      if (response.status !== 200) throw new PlatformError(failureOf(response, account.now()));
      return response;
    },
    look: (nsid, query, deadlineMs) =>
      http({ method: 'GET', url: xrpcUrl(service, nsid, query), ...(deadlineMs === undefined ? {} : { deadlineMs }) }),
    async headersOnce(nsid) {
      if (key) await fetchNonce();
      return authorization('POST', nsid);
    },
  };
  const fetchNonce = () => pds.ask({ method: 'GET', nsid: 'com.atproto.server.getSession' });
  return pds;
}

export function xrpcUrl(service: string, nsid: string, query?: Record<string, string>): string {
  return `${service}/xrpc/${nsid}${query ? `?${new URLSearchParams(query)}` : ''}`;
}
