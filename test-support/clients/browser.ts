/** The browser of a user who gives consent. It runs no scripts. */

const MAX_PAGES = 10;

/**
 * Opens a URL, submits every form with its defaults, and stops at the application's redirect URI.
 * @param fields values of form fields, by name
 * @returns the URL of the redirect
 * @throws Error if a page is not a form
 */
export async function consentAt(
  start: string | URL,
  redirectUri: string,
  fields: Readonly<Record<string, string>>,
): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let body: URLSearchParams | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const headers = { cookie: [...cookies.values()].join('; ') };
    const response = await fetch(url, { method: body ? 'POST' : 'GET', headers, body, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie())
      cookies.set(cookie.split('=')[0] ?? '', cookie.split(';')[0] ?? '');
    const location = response.headers.get('location');
    if (location !== null) {
      if (location.startsWith(redirectUri)) return new URL(location);
      [url, body] = [new URL(location, url), undefined];
      continue;
    }
    const html = await response.text();
    const form = /<form[^>]*action="([^"]*)"/.exec(html);
    if (!form)
      throw new Error(`The page at ${url} has no form: ${response.status} ${html.replace(/<[^>]*>/g, ' ').trim()}`);
    [url, body] = [new URL(unescaped(form[1] ?? ''), url), formOf(html, fields)];
  }
  throw new Error(`The consent did not end at ${redirectUri}.`);
}

function formOf(html: string, fields: Readonly<Record<string, string>>): URLSearchParams {
  const body = new URLSearchParams();
  for (const [, tag = ''] of html.matchAll(/<input([^>]*)>/g)) {
    const name = attribute(tag, 'name');
    const type = attribute(tag, 'type');
    const off = / disabled/.test(tag) || (/checkbox|radio/.test(type) && !/ checked/.test(tag));
    if (name && !off && !(name in fields)) body.append(name, attribute(tag, 'value'));
  }
  for (const [name, value] of Object.entries({ decision: 'allow', username: 'nora', ...fields })) body.set(name, value);
  return body;
}

function attribute(tag: string, name: string): string {
  return unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

function unescaped(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_reference, code) => String.fromCodePoint(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}
