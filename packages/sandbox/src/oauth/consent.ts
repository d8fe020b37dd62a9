/** Shared parts of simulated consent pages: the form, the error page, and the redirect. Not specific to a platform. */
import type { SimulatorAnswer } from '../contract.ts';
import { escapeHtml, page } from '../http/pages.ts';

export interface ConsentForm {
  /** HTML above the form. */
  intro?: string;
  /** HTML of additional fields, below the user name. */
  fields?: string;
  scopes: readonly string[];
  /** Scopes that cannot be deselected; the form does not send them. */
  fixed?: readonly string[];
}

/**
 * Returns the form of a consent page: user name, the scopes as checkboxes `granted`, and `decision` (allow or deny).
 * The form's action keeps the query of the page.
 */
export function consentForm(query: URLSearchParams, { intro = '', fields = '', scopes, fixed = [] }: ConsentForm) {
  const boxes = scopes.map((scope) => {
    const name = escapeHtml(scope);
    const disabled = fixed.includes(scope) ? ' disabled' : '';
    return `<label><input type="checkbox" name="granted" value="${name}" checked${disabled}> ${name}</label>`;
  });
  return `${intro}<form method="post" action="?${escapeHtml(query.toString())}">
<label>User name <input name="username" required maxlength="64" autocomplete="off" autofocus></label>${fields}
<fieldset><legend>The application asks for</legend>${boxes.join('')}</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Deny</button></p>
</form>`;
}

/** Returns an error page for an invalid authorization request. The browser is not redirected. */
export function refusalPage(sentence: string, title = 'Something went wrong'): SimulatorAnswer {
  return page(title, `<p role="alert">${escapeHtml(sentence)}</p>`, 400);
}

/** Whether a URL is a valid redirect URI: https, or plain HTTP on localhost, without a fragment. */
export function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname));
}

/** Redirects the browser to the application. @param state null if the request had none @param hash without "#" */
export function sendBack(
  { redirectUri, state }: { redirectUri: string; state: string | null },
  answer: Record<string, string>,
  hash = '',
): SimulatorAnswer {
  const url = new URL(redirectUri);
  const values = { ...answer, ...(state === null ? {} : { state }) };
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  url.hash = hash;
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } };
}
