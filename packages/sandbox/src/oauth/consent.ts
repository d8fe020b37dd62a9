/** Consent pages of simulated platforms: the form, the error page, and the redirect. Not specific to a platform. */
import type { Route, SimulatorResponse } from '../contract.ts';
import { escapeHtml, page } from '../http/pages.ts';

export interface ConsentForm {
  /** HTML above the form. */
  intro?: string;
  /** Label of the field for the user name, and the maximum length of its content. */
  label?: string;
  maxLength?: number;
  /** HTML of additional fields, below the user name. */
  fields?: string;
  /** Heading of the scopes. */
  legend?: string;
  scopes: readonly string[];
  /** Scopes that cannot be deselected; the form does not send them. */
  fixed?: readonly string[];
  /** Labels of the buttons. */
  allow?: string;
  deny?: string;
}

/**
 * Returns the form of a consent page: user name, the scopes as checkboxes `granted`, and `decision` (allow or deny).
 * The form's action keeps the query of the page.
 */
export function consentForm(query: URLSearchParams, form: ConsentForm): string {
  const { intro = '', label = 'User name', maxLength = 64, fields = '', scopes, fixed = [] } = form;
  const { legend = 'The application asks for', allow = 'Allow', deny = 'Deny' } = form;
  const boxes = scopes.map((scope) => {
    const name = escapeHtml(scope);
    const disabled = fixed.includes(scope) ? ' disabled' : '';
    return `<label><input type="checkbox" name="granted" value="${name}" checked${disabled}> ${name}</label>`;
  });
  return `${intro}<form method="post" action="?${escapeHtml(query.toString())}">
<label>${label} <input name="username" required maxlength="${maxLength}" autocomplete="off" autofocus></label>${fields}
<fieldset><legend>${legend}</legend>${boxes.join('')}</fieldset>
<p><button name="decision" value="allow">${allow}</button> <button name="decision" value="deny" formnovalidate>${deny}</button></p>
</form>`;
}

/** The scopes that the user left selected, and those that cannot be deselected. */
export function grantedScopes(
  form: URLSearchParams,
  scopes: readonly string[],
  fixed: readonly string[] = [],
): string[] {
  const selected = form.getAll('granted');
  return scopes.filter((scope) => fixed.includes(scope) || selected.includes(scope));
}

/** Returns an error page for an invalid authorization request. The browser is not redirected. */
export function refusalPage(sentence: string, title = 'Something went wrong'): SimulatorResponse {
  return page(title, `<p role="alert">${escapeHtml(sentence)}</p>`, 400);
}

/** Whether a URL is a valid redirect URI: https, or plain HTTP on localhost, without a fragment. */
export function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname));
}

/** Redirects the browser to the application. @param state null if the request had none @param fragment without "#" */
export function sendBack(
  { redirectUri, state }: { redirectUri: string; state: string | null },
  response: Record<string, string>,
  fragment?: string,
): SimulatorResponse {
  const url = new URL(redirectUri);
  const values = { ...response, ...(state === null ? {} : { state }) };
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  if (fragment !== undefined) url.hash = fragment;
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } };
}

/** Declares routes as part of the consent. */
export function asConsent(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, isConsent: true }));
}
