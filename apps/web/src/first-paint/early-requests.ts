/** Requests that a page sends before its scripts are loaded, and their responses. */
import { type EarlyStream, EVENTS, openEarlyStream } from './early-stream.ts';
import type { PageName } from './pages.ts';

export interface Early {
  /** By path and query. Each is used once. */
  responses: Map<string, Promise<Response>>;
  /** Null in a page that is opened in the background, of which there can be many. */
  stream: EarlyStream | null;
}

declare global {
  interface Window {
    early?: Early;
  }
}

/** Not announced by live updates, and read for all else. */
const SESSION = '/api/auth/get-session';
/** What every page reads. */
const ALWAYS = ['/api/v1/user', '/api/v1/sign-in/options', '/api/v1/dashboard/notifications/unread'];
const ACCOUNTS = '/api/v1/platform/platforms';
export const NEWEST_POSTS = '/api/v1/dashboard/posts?limit=30';

/** What single pages read first, without a query in their address. */
const OF_PAGE: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  compose: [ACCOUNTS, '/api/v1/drafts', '/api/v1/account-groups'],
  posts: [NEWEST_POSTS, ACCOUNTS],
  accounts: [ACCOUNTS, '/api/v1/platform/catalog'],
  reposts: [ACCOUNTS, '/api/v1/reposts'],
};

/** Pure. @param query of the page's address */
export function requestsOf(page: PageName | 'other', isBelow: boolean, query: string): readonly string[] {
  return page === 'other' || isBelow || query !== '' ? ALWAYS : [...(OF_PAGE[page] ?? []), ...ALWAYS];
}

/**
 * Sends requests as the SDK would.
 * @param paths are requested once the event stream is open
 * @param send for tests
 */
export function sendEarly(paths: readonly string[], language: string, isVisible: boolean, send = fetch): Early {
  const headers = { 'x-reelay-csrf': '1', 'accept-language': language };
  const get = (path: string, signal?: AbortSignal) =>
    send(path, { headers, redirect: 'manual', credentials: 'include', ...(signal && { signal }) });
  const responses = new Map([[SESSION, get(SESSION).then(whole)]]);
  const stream = isVisible ? openEarlyStream(get) : null;
  const read = async (path: string) => {
    await stream?.isOpen;
    // The page will ask for the session only.
    if (stream?.isSignedIn() === false) throw new Error('There is no session.');
    return whole(await get(path));
  };
  for (const path of paths) responses.set(path, read(path));
  // `withEarly` sends them again.
  for (const response of responses.values()) response.catch(() => {});
  return { responses, stream };
}

/** Reads the body. A page may not need it, and a body that is not read keeps its connection. */
async function whole(response: Response): Promise<Response> {
  return response.status === 200 ? new Response(await response.arrayBuffer(), response) : response;
}

/**
 * A `fetch` that uses the early responses. Everything but the session waits until the event stream is open.
 * @param send for everything else, and for requests that failed
 */
export function withEarly(early: Early | undefined, send: typeof fetch): typeof fetch {
  if (!early) return send;
  const { responses, stream } = early;
  const usedOf = (path: string, init: RequestInit | undefined) => {
    const response = init?.method === 'GET' ? responses.get(path) : undefined;
    responses.delete(path);
    return response;
  };
  let isStreamUsed = false;
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    if (pathname === EVENTS && !isStreamUsed) {
      isStreamUsed = true;
      return stream?.use(init?.signal)?.catch(() => send(input, init)) ?? send(input, init);
    }
    const response = usedOf(pathname + search, init);
    if (pathname !== SESSION) await stream?.isOpen;
    return response?.catch(() => send(input, init)) ?? send(input, init);
  };
}
