/** The consent page. Redirect URIs are https; scopes are space-separated, and the user can deselect any of them. */
import type { Route, SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { page } from '../../http/pages.ts';
import { consentForm, isRedirect, refusalPage, sendBack } from '../../oauth/consent.ts';
import { route } from './caller.ts';
import { type AuthCode, enrolProfile, KNOWN_SCOPES, newSecret } from './records.ts';

const CODE_LIFE_MS = 10 * 60_000;
const PATH = '/login/oauth2/authorize';

interface ConsentRequest {
  scopes: string[];
  redirectUri: string;
  state: string | null;
}

export function consentRoutes(options: SimulatorOptions): Route[] {
  return [
    route('GET', PATH, async (request) => {
      const wanted = readRequest(request.query, options.app.clientId);
      return typeof wanted === 'string' ? refusalPage(wanted) : consentPage(request.query, wanted);
    }),
    route('POST', PATH, (request) => decide(options, request)),
  ];
}

/** Handles the form, whose action keeps the query of the page. */
async function decide(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return refusalPage(wanted);
  const given = await request.form();
  if (given.get('decision') !== 'allow')
    return sendBack(wanted, { error: 'access_denied', error_description: 'The user denied access.' });
  const profile = await enrolProfile(options, given.get('username') ?? '').catch(() => null);
  if (!profile) return refusalPage('The user name is missing or cannot be one.');
  const code = newSecret(20);
  const record: AuthCode = {
    profileId: profile.id,
    scopes: wanted.scopes.filter((scope) => given.getAll('granted').includes(scope)),
    redirectUri: wanted.redirectUri,
    expiresAt: options.now() + CODE_LIFE_MS,
    used: false,
  };
  await options.books.put('code', code, record, profile.id);
  return sendBack(wanted, { code });
}

/** Parses the authorization request. Returns an error message for the page if it is invalid. */
function readRequest(query: URLSearchParams, clientId: string): ConsentRequest | string {
  if (query.get('client_id') !== clientId) return 'client_id: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  // Localhost is also allowed, so that the simulator can be used locally.
  if (!isRedirect(redirectUri)) return 'redirect_uri: it is missing or not https.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const scopes = (query.get('scope') ?? '').split(' ');
  if (!scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'scope: separate known scopes by spaces.';
  return { scopes: [...new Set(scopes)], redirectUri, state: query.get('state') };
}

function consentPage(query: URLSearchParams, { scopes }: ConsentRequest): SimulatorAnswer {
  const intro = '<p>A simulated Snapchat. Nothing leaves this machine. Sign in under any name you like.</p>';
  return page('Snapchat (sandbox)', consentForm(query, { intro, scopes }));
}
