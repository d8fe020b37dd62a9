/** Google's consent page, where the user can deselect scopes. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, page } from '../../http/pages.ts';
import { type AuthCode, enrolAccount, type Grant, KNOWN_SCOPES, newSecret } from './records.ts';

const CODE_LIFE_MS = 10 * 60_000;
const KNOWN_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'access_type',
  'prompt',
  'include_granted_scopes',
  'login_hint',
  'code_challenge',
  'code_challenge_method',
];

interface ConsentRequest {
  scopes: string[];
  redirectUri: string;
  state: string | null;
  challenge: string | null;
  offline: boolean;
  /** Issues a refresh token even after an earlier consent. */
  anew: boolean;
}

export async function showConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return errorPage(wanted);
  return page('Sign in with Google (sandbox)', consentForm(request.query, wanted));
}

/** The form's action contains the query of the page. */
export async function takeConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return errorPage(wanted);
  const form = await request.form();
  const scopes = wanted.scopes.filter((scope) => form.getAll('granted').includes(scope));
  if (form.get('decision') !== 'allow' || scopes.length === 0) return redirect(wanted, { error: 'access_denied' });
  let channelId: string;
  try {
    channelId = (await enrolAccount(options, form.get('username') ?? '')).channelId;
  } catch {
    return errorPage('invalid_request', 'The user name is missing or cannot be one.');
  }
  const grants = await options.books.list<Grant>('grant', { owner: channelId, limit: 1000 });
  const isFirst = !grants.some(({ value }) => !value.dead);
  const code = `4/0A${newSecret(36)}`;
  const record: AuthCode = {
    channelId,
    scopes,
    redirectUri: wanted.redirectUri,
    challenge: wanted.challenge,
    lasting: wanted.offline && (wanted.anew || isFirst),
    expiresAt: options.now() + CODE_LIFE_MS,
    used: false,
  };
  await options.books.put('code', code, record, channelId);
  return redirect(wanted, { code, scope: scopes.join(' ') });
}

/** Parses the authorization request, or returns the error message for the page. */
function readConsentRequest(query: URLSearchParams, clientId: string): ConsentRequest | string {
  const stray = [...query.keys()].find((name) => !KNOWN_PARAMETERS.includes(name));
  if (stray !== undefined) return `invalid_request: ${stray} is not known.`;
  if (query.get('client_id') !== clientId) return 'invalid_client: there is no such client_id.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'redirect_uri_mismatch: redirect_uri is missing or not registered.';
  if (query.get('response_type') !== 'code') return 'unsupported_response_type: response_type must be "code".';
  const scopes = (query.get('scope') ?? '').split(' ');
  if (!scopes.every((scope) => KNOWN_SCOPES.includes(scope)))
    return 'invalid_scope: scope must name known scopes, parted by spaces.';
  if (!['online', 'offline', null].includes(query.get('access_type')))
    return 'invalid_request: access_type must be "online" or "offline".';
  const prompts = (query.get('prompt') ?? '').split(' ').filter(Boolean);
  if (!prompts.every((prompt) => prompt === 'consent' || prompt === 'select_account'))
    return 'invalid_request: prompt must be "consent" or "select_account".';
  const challenge = query.get('code_challenge');
  if (challenge !== null && query.get('code_challenge_method') !== 'S256')
    return 'invalid_request: code_challenge_method must be "S256".';
  if (challenge !== null && !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return 'invalid_request: code_challenge must be a SHA-256 in base64url.';
  return {
    scopes: [...new Set(scopes)],
    redirectUri,
    state: query.get('state'),
    challenge,
    offline: query.get('access_type') === 'offline',
    anew: prompts.includes('consent'),
  };
}

/** https, or http to a loopback host; no fragment. */
function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.includes('#')) return false;
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  return url.protocol === 'https:' || (url.protocol === 'http:' && local);
}

function redirect(wanted: ConsentRequest, answer: Record<string, string>): SimulatorAnswer {
  const url = new URL(wanted.redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (wanted.state !== null) url.searchParams.set('state', wanted.state);
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } };
}

function errorPage(...sentences: string[]): SimulatorAnswer {
  return page('Access blocked', `<p role="alert">${escapeHtml(sentences.join(': '))}</p>`, 400);
}

function consentForm(query: URLSearchParams, wanted: ConsentRequest): string {
  const boxes = wanted.scopes.map((scope) => {
    const name = escapeHtml(scope);
    return `<label><input type="checkbox" name="granted" value="${name}" checked> ${name}</label>`;
  });
  return `<p>A simulated Google. Nothing leaves this machine. Sign in as any channel you like.</p>
<form method="post" action="?${escapeHtml(query.toString())}">
<label>Channel <input name="username" required maxlength="64" autocomplete="off" autofocus></label>
<fieldset><legend>Select what the application can access</legend>${boxes.join('')}</fieldset>
<p><button name="decision" value="allow">Continue</button> <button name="decision" value="deny" formnovalidate>Cancel</button></p>
</form>`;
}
