/** The consent page. All requested scopes are granted together or not at all. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, page } from '../../http/pages.ts';
import { type AuthCode, KNOWN_SCOPES, memberNamed, newSecret, type Person } from './records.ts';

const CODE_LIFE_MS = 30 * 60_000;

interface ConsentRequest {
  scopes: string[];
  redirectUri: string;
  state: string;
}

export async function showConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return errorPage(wanted);
  return page('Sign in to LinkedIn (sandbox)', consentForm(request.query, wanted));
}

/** Handles the form, whose action keeps the query of the page. */
export async function takeConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return errorPage(wanted);
  const form = await request.form();
  const decision = form.get('decision');
  if (decision === 'leave')
    return redirect(wanted, { error: 'user_cancelled_login', error_description: 'The user cancelled LinkedIn login' });
  if (decision !== 'allow')
    return redirect(wanted, {
      error: 'user_cancelled_authorize',
      error_description: 'The user cancelled the authorization',
    });
  let person: Person;
  try {
    person = await memberNamed(options, form.get('username') ?? '');
  } catch {
    return errorPage('The user name is missing or cannot be one.');
  }
  const code = `AQ${newSecret(48)}`;
  const { scopes, redirectUri } = wanted;
  const expiresAt = options.now() + CODE_LIFE_MS;
  const record: AuthCode = { personId: person.id, scopes, redirectUri, expiresAt, used: false };
  await options.books.put('code', code, record, person.id);
  return redirect(wanted, { code });
}

/** Parses the authorization request. Returns an error message for the page if it is invalid. */
function readConsentRequest(query: URLSearchParams, clientId: string): ConsentRequest | string {
  if (query.get('client_id') !== clientId) return 'The passed in client_id is invalid.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirectUri(redirectUri)) return 'The redirect_uri does not match the registered value.';
  if (query.get('response_type') !== 'code') return 'The response_type must be "code".';
  const state = query.get('state');
  if (!state) return 'The state is missing.';
  const scopes = (query.get('scope') ?? '').split(' ').filter(Boolean);
  if (scopes.length === 0 || !scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'A scope is not known.';
  return { scopes: [...new Set(scopes)], redirectUri, state };
}

function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname));
}

function redirect(wanted: ConsentRequest, answer: Record<string, string>): SimulatorAnswer {
  const url = new URL(wanted.redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state: wanted.state })) url.searchParams.set(name, value);
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } };
}

function errorPage(sentence: string): SimulatorAnswer {
  return page('Bummer, something went wrong', `<p role="alert">${escapeHtml(sentence)}</p>`, 400);
}

function consentForm(query: URLSearchParams, wanted: ConsentRequest): string {
  return `<p>A simulated LinkedIn. Nothing leaves this machine. Sign in under any name you like; you run a page of the same name.</p>
<form method="post" action="?${escapeHtml(query.toString())}">
<label>User name <input name="username" required maxlength="64" autocomplete="off" autofocus></label>
<p>The application asks for:</p><ul>${wanted.scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Cancel</button></p>
</form>`;
}
