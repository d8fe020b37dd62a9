/** The authorization endpoint: checks the request, shows the consent page, and redirects with the decision. */
import type { Route, SimulatorRequest, SimulatorResponse } from '../contract.ts';
import { page } from '../http/pages.ts';
import { Refused } from '../refused.ts';
import { isRedirect, refusalPage, sendBack } from './consent.ts';
import { InvalidUsername } from './usernames.ts';

/** A valid authorization request. */
export interface AuthorizationRequest {
  redirectUri: string;
  scopes: string[];
  /** null if the request had none. */
  state: string | null;
}

export interface AuthorizationEndpoint<Asked extends AuthorizationRequest> {
  /** Title of the consent page. */
  title: string;
  /** Title of the error page. */
  errorTitle?: string;
  /** Appended to the redirect URI, without "#". */
  fragment?: string;
  /** Parses the authorization request, or returns the error message for the page. */
  read(request: SimulatorRequest): Asked | string;
  /** HTML of the consent form. */
  form(query: URLSearchParams, asked: Asked): string;
  /** Returns the parameters of the redirect if the user denies the request. */
  deny(asked: Asked, form: URLSearchParams): Record<string, string>;
  /** Signs the user in and creates a code. @returns the parameters of the redirect @throws InvalidUsername, Refused */
  allow(asked: Asked, form: URLSearchParams): Promise<Record<string, string>>;
}

/** Returns the routes of the page and of its form, whose action keeps the query of the page. */
export function authorizationRoutes<Asked extends AuthorizationRequest>(
  path: string,
  endpoint: AuthorizationEndpoint<Asked>,
): Route[] {
  const { title, errorTitle, fragment } = endpoint;
  const validRequest = (request: SimulatorRequest): Asked => {
    const asked = endpoint.read(request);
    if (typeof asked === 'string') throw new Refused(refusalPage(asked, errorTitle));
    return asked;
  };
  const decide = async (request: SimulatorRequest): Promise<SimulatorResponse> => {
    const asked = validRequest(request);
    const form = await request.form();
    if (form.get('decision') !== 'allow') return sendBack(asked, endpoint.deny(asked, form), fragment);
    try {
      return sendBack(asked, await endpoint.allow(asked, form), fragment);
    } catch (error) {
      if (!(error instanceof InvalidUsername)) throw error;
      return refusalPage('The user name is missing or cannot be one.', errorTitle);
    }
  };
  return [
    {
      method: 'GET',
      path,
      handle: async (request) => page(title, endpoint.form(request.query, validRequest(request))),
    },
    { method: 'POST', path, handle: decide },
  ];
}

/** Parses a usual authorization request, or returns the error message for the page. @param known all scopes */
export function readAuthorizationRequest(
  query: URLSearchParams,
  clientId: string,
  known: readonly string[],
  separator: ' ' | ',',
): AuthorizationRequest | string {
  if (query.get('client_id') !== clientId) return 'client_id: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'redirect_uri: it is missing or not allowed.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const scopes = readScopes(query, known, separator);
  return typeof scopes === 'string' ? scopes : { scopes, redirectUri, state: query.get('state') };
}

/** Parses the scopes of a request, or returns the error message for the page. */
export function readScopes(query: URLSearchParams, known: readonly string[], separator: ' ' | ','): string[] | string {
  const scopes = (query.get('scope') ?? '').split(separator);
  if (scopes.every((scope) => known.includes(scope))) return [...new Set(scopes)];
  return `scope: separate known scopes by ${separator === ' ' ? 'spaces' : 'commas'}.`;
}
