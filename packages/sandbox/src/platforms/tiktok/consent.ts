/**
 * The consent page. Web redirect URIs use https. A loopback redirect URI selects Login Kit for Desktop, which requires
 * PKCE.
 */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, page } from '../../http/pages.ts';
import { type AuthCode, enrolAccount, KNOWN_SCOPES, newSecret } from './records.ts';

const CODE_LIFE_MS = 10 * 60_000;

interface ConsentRequest {
  scopes: string[];
  redirectUri: string;
  state: string;
  challenge: string | null;
}

export async function showConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return errorPage(wanted);
  return page('Log in with TikTok (sandbox)', consentForm(request.query, wanted));
}

/** The form's action contains the query of the page. */
export async function takeConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const wanted = readConsentRequest(request.query, options.app.clientId);
  if (typeof wanted === 'string') return errorPage(wanted);
  const form = await request.form();
  if (form.get('decision') !== 'allow')
    return redirect(wanted, { error: 'access_denied', error_description: 'The user denied access.' });
  let openId: string;
  try {
    openId = (await enrolAccount(options, form.get('username') ?? '')).openId;
  } catch {
    return errorPage('The user name is missing or cannot be one.');
  }
  const granted = wanted.scopes.filter(
    (scope) => scope === 'user.info.basic' || form.getAll('granted').includes(scope),
  );
  const code = `${newSecret(24)}*0!${6000 + Math.floor(Math.random() * 1000)}`;
  const record: AuthCode = {
    openId,
    scopes: granted,
    redirectUri: wanted.redirectUri,
    challenge: wanted.challenge,
    expiresAt: options.now() + CODE_LIFE_MS,
    used: false,
  };
  await options.books.put('code', code, record, openId);
  return redirect(wanted, { code, scopes: granted.join(',') });
}

/** Parses the authorization request, or returns the error message for the page. */
function readConsentRequest(query: URLSearchParams, clientKey: string): ConsentRequest | string {
  if (query.get('client_key') !== clientKey) return 'client_key: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  const kind = kindOfRedirect(redirectUri);
  if (!kind) return 'redirect_uri: it is missing or not allowed.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const state = query.get('state');
  if (!state) return 'state: it is missing.';
  const scopes = (query.get('scope') ?? '').split(',');
  if (!scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'scope: separate known scopes by commas.';
  const challenge = query.get('code_challenge');
  if (challenge === null && kind === 'desktop') return 'code_challenge: it is missing.';
  if (challenge !== null && query.get('code_challenge_method') !== 'S256')
    return 'code_challenge_method: it must be "S256".';
  if (challenge !== null && !/^[0-9a-f]{64}$/i.test(challenge))
    return 'code_challenge: it must be the SHA-256 of the verifier in hexadecimal.';
  return { scopes: [...new Set(scopes)], redirectUri, state, challenge: challenge?.toLowerCase() ?? null };
}

function kindOfRedirect(text: string): 'web' | 'desktop' | null {
  const url = URL.parse(text);
  if (!url || text.length >= 512 || text.includes('?') || text.includes('#')) return null;
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  if (local && url.port !== '' && /^https?:$/.test(url.protocol)) return 'desktop';
  return url.protocol === 'https:' ? 'web' : null;
}

function redirect(wanted: ConsentRequest, answer: Record<string, string>): SimulatorAnswer {
  const url = new URL(wanted.redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state: wanted.state })) url.searchParams.set(name, value);
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } };
}

function errorPage(sentence: string): SimulatorAnswer {
  return { ...page('Something went wrong', `<p role="alert">${escapeHtml(sentence)}</p>`), status: 400 };
}

function consentForm(query: URLSearchParams, wanted: ConsentRequest): string {
  const boxes = wanted.scopes.map((scope) => {
    const fixed = scope === 'user.info.basic' ? ' disabled' : '';
    const name = escapeHtml(scope);
    return `<label><input type="checkbox" name="granted" value="${name}" checked${fixed}> ${name}</label>`;
  });
  return `<p>A simulated TikTok. Nothing leaves this machine. Sign in under any name you like.</p>
<form method="post" action="?${escapeHtml(query.toString())}">
<label>User name <input name="username" required maxlength="64" autocomplete="off" autofocus></label>
<fieldset><legend>The application asks for</legend>${boxes.join('')}</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Deny</button></p>
</form>`;
}
