/** Requests that a page sends before its scripts are loaded, and their responses. */
import type { PageName } from './pages.ts';

/** By path and query. Each response is used once. */
type Early = Map<string, Promise<Response>>;

declare global {
  interface Window {
    early?: Early;
  }
}

/** What every page reads. */
const ALWAYS = [
  '/api/auth/get-session',
  '/api/v1/user',
  '/api/v1/sign-in/options',
  '/api/v1/dashboard/notifications/unread',
];
const ACCOUNTS = '/api/v1/platform/platforms';

/** What single pages read besides, without a query in their address. */
const OF_PAGE: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  compose: [ACCOUNTS, '/api/v1/drafts', '/api/v1/account-groups'],
  posts: [ACCOUNTS, '/api/v1/dashboard/posts?limit=30'],
  accounts: [ACCOUNTS, '/api/v1/platform/catalog'],
  reposts: [ACCOUNTS, '/api/v1/reposts'],
};

/** Pure. @param query of the page's address */
export function requestsOf(page: PageName | 'other', isBelow: boolean, query: string): readonly string[] {
  return page === 'other' || isBelow || query !== '' ? ALWAYS : [...ALWAYS, ...(OF_PAGE[page] ?? [])];
}

/** Sends requests as the SDK would. */
export function sendEarly(paths: readonly string[], language: string): Early {
  const headers = { 'x-reelay-csrf': '1', 'accept-language': language };
  return new Map(
    paths.map((path) => {
      const response = fetch(path, { headers, redirect: 'manual', credentials: 'include' }).then(whole);
      // `withEarly` sends it again.
      response.catch(() => {});
      return [path, response];
    }),
  );
}

/** Reads the body. A page may not need it, and a body that is not read keeps its connection. */
async function whole(response: Response): Promise<Response> {
  return response.status === 200 ? new Response(await response.arrayBuffer(), response) : response;
}

/**
 * A `fetch` that uses the early responses.
 * @param send for everything else, and for requests that failed
 */
export function withEarly(early: Early | undefined, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const path = pathname + search;
    const response = init?.method === 'GET' ? early?.get(path) : undefined;
    early?.delete(path);
    return response?.catch(() => send(input, init)) ?? send(input, init);
  };
}
