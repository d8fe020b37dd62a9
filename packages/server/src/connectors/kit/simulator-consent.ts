/** What simulated consent pages have in common: the form, the no of the page, the way back. Nothing of any platform. */
import type { SimulatorAnswer } from './simulator.ts';
import { escapeHtml, page } from './simulator-pages.ts';

export interface ConsentForm {
  /** HTML above the form. */
  intro?: string;
  /** HTML of further fields, below the user name. */
  fields?: string;
  scopes: readonly string[];
  /** Scopes that cannot be unticked; the form does not send them. */
  fixed?: readonly string[];
}

/**
 * The form of a consent page: user name, the scopes as boxes `granted`, and `decision` (allow or deny). It sends the
 * query of the page along in its own address.
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

/** A page that says why there is no consent to give; the browser is not sent back. */
export function refusalPage(sentence: string, title = 'Something went wrong'): SimulatorAnswer {
  return page(title, `<p role="alert">${escapeHtml(sentence)}</p>`, 400);
}

/** Whether it can be an application's redirect address: https, or plain HTTP on this machine, without a fragment. */
export function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname));
}

/** Sends the browser back to the application. @param state null: none was given @param hash without "#" */
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
