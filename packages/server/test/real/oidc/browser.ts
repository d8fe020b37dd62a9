/** Simulates a user's browser at the test authorization server. */

export interface Decision {
  username?: string;
  decision?: 'allow' | 'deny';
  /** The scopes left checked; default: all requested. */
  granted?: readonly string[];
}

/** Where the browser ends up: at the application's callback, or on an error page of the server. */
export interface Arrival {
  back: URL | null;
  status: number;
  says: string;
}

const MAX_REDIRECTS = 10;

/** Opens an authorization URL, signs in, decides, and follows redirects until it leaves the server. */
export async function visit(
  address: string,
  { username = 'nora', decision = 'allow', granted }: Decision = {},
): Promise<Arrival> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let url = address;
  let body: URLSearchParams | null = null;
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { method: body ? 'POST' : 'GET', body, headers: { cookie }, redirect: 'manual' });
    const says = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const asks = response.status === 200 && url.includes('/interaction/');
    if (!location && !asks) return { back: null, status: response.status, says };
    body = null;
    if (location) {
      const next = new URL(location, url);
      if (next.origin !== origin) return { back: next, status: response.status, says };
      url = next.href;
      continue;
    }
    const { asked } = JSON.parse(says) as { asked: string[] };
    body = new URLSearchParams({ username, decision });
    for (const scope of granted ?? asked) body.append('granted', scope);
  }
  throw new Error(`Too many redirects: ${url}`);
}

/**
 * Like {@link visit}, but requires a callback.
 * @returns the callback's query
 */
export async function consentAt(address: string, decision: Decision = {}): Promise<URLSearchParams> {
  const arrival = await visit(address, decision);
  if (arrival.back) return arrival.back.searchParams;
  throw new Error(`The server answered ${arrival.status}: ${arrival.says}`);
}
