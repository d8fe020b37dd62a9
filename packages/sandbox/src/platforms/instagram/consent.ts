/** The consent pages of both logins. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, page } from '../../http/pages.ts';
import { type AuthCode, enrolAccount, KNOWN_SCOPES, type Login, newSecret, SCOPES, VERSIONS } from './records.ts';

const CODE_LIFE_MS: Record<Login, number> = { instagram: 3_600_000, facebook: 600_000 };
/** Fragment that is appended to the redirect URL. */
const TAIL: Record<Login, string> = { instagram: '#_', facebook: '#_=_' };
const NAMES: Record<Login, string> = { instagram: 'Instagram', facebook: 'Facebook' };

interface ConsentRequest {
  scopes: string[];
  redirectUri: string;
  state: string | null;
}

export async function showConsent(
  options: SimulatorOptions,
  request: SimulatorRequest,
  login: Login,
): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request, options.app.clientId, login);
  if (typeof wanted === 'string') return page('Something went wrong', sentence(wanted), 400);
  return page(`Log in with ${NAMES[login]} (sandbox)`, consentForm(request.query, wanted, login));
}

/** The form's action contains the query of the page. */
export async function takeConsent(
  options: SimulatorOptions,
  request: SimulatorRequest,
  login: Login,
): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request, options.app.clientId, login);
  if (typeof wanted === 'string') return page('Something went wrong', sentence(wanted), 400);
  const form = await request.form();
  if (form.get('decision') !== 'allow')
    return redirect(wanted, login, {
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'The user denied your request.',
    });
  const names = (form.get('username') ?? '').split(',').filter((name) => name.trim() !== '');
  const igIds: string[] = [];
  try {
    for (const name of login === 'facebook' ? names : [form.get('username') ?? ''])
      igIds.push((await enrolAccount(options, name)).igId);
  } catch {
    return page('Something went wrong', sentence('The user name is missing or cannot be one.'), 400);
  }
  const [always] = SCOPES[login];
  const granted = wanted.scopes.filter((scope) => scope === always || form.getAll('granted').includes(scope));
  const code = `AQ${newSecret(48)}`;
  const record: AuthCode = {
    login,
    igIds,
    scopes: granted,
    redirectUri: wanted.redirectUri,
    expiresAt: options.now() + CODE_LIFE_MS[login],
    used: false,
  };
  await options.books.put('code', code, record);
  return redirect(wanted, login, { code });
}

/** Parses the authorization request, or returns the error message for the page. */
function readConsentRequest(request: SimulatorRequest, clientId: string, login: Login): ConsentRequest | string {
  const { query, params } = request;
  if (params.version !== undefined && !VERSIONS.includes(params.version)) return 'This version is not available.';
  if (query.get('client_id') !== clientId) return 'Invalid platform app: client_id is unknown.';
  const redirectUri = query.get('redirect_uri') ?? '';
  const url = URL.parse(redirectUri);
  const local = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  if (!url || redirectUri.includes('#') || (url.protocol !== 'https:' && !local)) return 'Invalid redirect_uri.';
  if (query.get('response_type') !== 'code') return 'response_type must be "code".';
  const scopes = (query.get('scope') ?? '').split(/[\s,]+/);
  if (!scopes.every((scope) => KNOWN_SCOPES[login].includes(scope))) return 'Invalid Scopes.';
  return { scopes: [...new Set(scopes)], redirectUri, state: query.get('state') };
}

function redirect({ redirectUri, state }: ConsentRequest, login: Login, answer: Record<string, string>) {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  const headers = { location: `${url.href}${TAIL[login]}`, 'cache-control': 'no-store' };
  return { status: 302, headers };
}

function sentence(text: string): string {
  return `<p role="alert">${escapeHtml(text)}</p>`;
}

function consentForm(query: URLSearchParams, wanted: ConsentRequest, login: Login): string {
  const [always] = SCOPES[login];
  const boxes = wanted.scopes.map((scope) => {
    const fixed = scope === always ? ' disabled' : '';
    const name = escapeHtml(scope);
    return `<label><input type="checkbox" name="granted" value="${name}" checked${fixed}> ${name}</label>`;
  });
  const label = login === 'facebook' ? 'Instagram accounts of your Pages, parted by commas' : 'User name';
  return `<p>A simulated ${NAMES[login]}. Nothing leaves this machine. Sign in under any name you like.</p>
<form method="post" action="?${escapeHtml(query.toString())}">
<label>${label} <input name="username" required maxlength="200" autocomplete="off" autofocus></label>
<fieldset><legend>The application asks for</legend>${boxes.join('')}</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Deny</button></p>
</form>`;
}
