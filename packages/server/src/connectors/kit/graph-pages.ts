/**
 * The Pages of a person. Pages of a business portfolio are missing from `me/accounts` unless the application has
 * `business_management`, and some are listed by the portfolio alone.
 */
import { isFailure } from './failures.ts';
import type { GraphApi } from './graph-api.ts';
import { textAt } from './json.ts';
import { readPages } from './pages.ts';

/** Reading portfolios needs this permission. A person may decline it, and an application may not have it. */
export const BUSINESS_SCOPE = 'business_management';

const MAX_LISTS = 20;
/** Maximum portfolios of a person. Each takes at least two calls. */
const MAX_BUSINESSES = 25;

/**
 * Lists each Page once, with its token.
 * @param fields besides `id`, `access_token` and `tasks`; the lists of a portfolio have no `tasks`
 * @param scopes what the person granted; empty if unknown
 * @throws PlatformError
 */
export async function listPages(api: GraphApi, fields: string, scopes: readonly string[]): Promise<unknown[]> {
  const wanted = `id,access_token,${fields}`;
  const found = new Map<string, unknown>();
  for (const page of await listAll(api, 'me/accounts', `${wanted},tasks`)) found.set(textAt(page, 'id'), page);
  if (scopes.length === 0 || scopes.includes(BUSINESS_SCOPE))
    for (const page of await portfolioPages(api, wanted)) {
      const id = textAt(page, 'id');
      // Without a token, the person has no role on the Page.
      if (!found.has(id) && textAt(page, 'access_token')) found.set(id, page);
    }
  found.delete('');
  return [...found.values()];
}

async function portfolioPages(api: GraphApi, fields: string): Promise<unknown[]> {
  const businesses = await ifAllowed(listAll(api, 'me/businesses', 'id'));
  const pages: unknown[] = [];
  for (const id of businesses.slice(0, MAX_BUSINESSES).map((business) => textAt(business, 'id')))
    for (const edge of /^\d+$/.test(id) ? ['owned_pages', 'client_pages'] : [])
      pages.push(...(await ifAllowed(listAll(api, `${id}/${edge}`, fields))));
  return pages;
}

async function listAll(api: GraphApi, path: string, fields: string): Promise<unknown[]> {
  return (await readPages(MAX_LISTS, (cursor) => api.list(path, { fields, limit: '100' }, cursor))).items;
}

/** A portfolio that the person or the application may not read must not hide the Pages of others. */
async function ifAllowed(list: Promise<unknown[]>): Promise<unknown[]> {
  try {
    return await list;
  } catch (error) {
    if (isFailure(error, 'reconnect', 'rejected', 'setup')) return [];
    throw error;
  }
}
