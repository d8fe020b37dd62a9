/** The consent page: authorization code with PKCE, which X always requires. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, page } from '../../http/pages.ts';
import { type AuthCode, enrolAccount, KNOWN_SCOPES, newSecret } from './records.ts';

const CODE_LIFE_MS = 30_000;
const MAX_STATE = 500;

interface ConsentRequest {
  scopes: string[];
  redirectUri: string;
  state: string;
  challenge: string;
  method: 'S256' | 'plain';
}

export async function showConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return errorPage(wanted);
  return page('Sign in with X (sandbox)', consentForm(request.query, wanted));
}

/** The form's action contains the query of the page. */
export async function takeConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return errorPage(wanted);
  const form = await request.form();
  if (form.get('decision') !== 'allow') return redirect(wanted, { error: 'access_denied' });
  let accountId: string;
  try {
    accountId = (await enrolAccount(options, form.get('username') ?? '')).id;
  } catch {
    return errorPage('The user name is missing or cannot be one.');
  }
  const code = newSecret();
  const record: AuthCode = {
    accountId,
    scopes: wanted.scopes.filter((scope) => form.getAll('granted').includes(scope)),
    redirectUri: wanted.redirectUri,
    challenge: wanted.challenge,
    method: wanted.method,
    expiresAt: options.now() + CODE_LIFE_MS,
    used: false,
  };
  await options.books.put('code', code, record, accountId);
  return redirect(wanted, { code });
}

/** Parses the authorization request, or returns the error message for the page. */
function readConsentRequest(query: URLSearchParams, clientId: string): ConsentRequest | string {
  if (query.get('client_id') !== clientId) return 'client_id: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!/^https?:$/.test(URL.parse(redirectUri)?.protocol ?? '') || redirectUri.includes('#'))
    return 'redirect_uri: it is missing or not allowed.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const state = query.get('state') ?? '';
  if (state === '' || state.length > MAX_STATE) return 'state: it is missing or longer than 500 characters.';
  const scopes = (query.get('scope') ?? '').split(' ');
  if (!scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'scope: separate known scopes by spaces.';
  const challenge = query.get('code_challenge') ?? '';
  const method = query.get('code_challenge_method') ?? '';
  if (method !== 'S256' && method !== 'plain') return 'code_challenge_method: it must be "S256" or "plain".';
  const form = method === 'S256' ? /^[A-Za-z0-9_-]{43}$/ : /^[A-Za-z0-9\-._~]{43,128}$/;
  if (!form.test(challenge)) return 'code_challenge: it is missing or not well formed.';
  return { scopes: [...new Set(scopes)], redirectUri, state, challenge, method };
}

function redirect(wanted: ConsentRequest, answer: Record<string, string>): SimulatorAnswer {
  const url = new URL(wanted.redirectUri);
  for (const [name, value] of Object.entries({ state: wanted.state, ...answer })) url.searchParams.set(name, value);
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } };
}

function errorPage(sentence: string): SimulatorAnswer {
  return page('Something went wrong', `<p role="alert">${escapeHtml(sentence)}</p>`, 400);
}

function consentForm(query: URLSearchParams, wanted: ConsentRequest): string {
  const boxes = wanted.scopes.map((scope) => {
    const name = escapeHtml(scope);
    return `<label><input type="checkbox" name="granted" value="${name}" checked> ${name}</label>`;
  });
  return `<p>A simulated X. Nothing leaves this machine. Sign in under any name you like.</p>
<form method="post" action="?${escapeHtml(query.toString())}">
<label>User name <input name="username" required maxlength="64" autocomplete="off" autofocus></label>
<fieldset><legend>The application wants to use</legend>${boxes.join('')}</fieldset>
<p><button name="decision" value="allow">Authorize app</button> <button name="decision" value="deny" formnovalidate>Cancel</button></p>
</form>`;
}
