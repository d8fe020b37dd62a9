/** The browser of a user who gives consent. It runs no scripts. */
import { createBrowser } from '../../packages/server/test/account/browser.ts';

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
  let page = await createBrowser({ stopAt: redirectUri }).open(String(start));
  for (let count = 0; count < MAX_PAGES; count++) {
    if (page.url.startsWith(redirectUri)) return new URL(page.url);
    const { html, status, url } = page;
    if (!html.includes('<form'))
      throw new Error(`The page at ${url} has no form: ${status} ${html.replace(/<[^>]*>/g, ' ').trim()}`);
    page = await page.submit({ decision: 'allow', username: 'nora', ...fields });
  }
  throw new Error(`The consent did not end at ${redirectUri}.`);
}
