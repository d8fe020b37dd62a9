/** What a user's browser does at an authorization server of the tests. */

export interface Decision {
  username?: string;
  decision?: 'allow' | 'deny';
  /** The scopes that are left ticked; absent: all that are asked for. */
  granted?: readonly string[];
}

/** Where the browser ends: back at the application, or on a page of the server that says what is wrong. */
export interface Arrival {
  back: URL | null;
  status: number;
  says: string;
}

const MOST_REDIRECTS = 10;

/** Opens a consent address, signs in, decides, and follows until it leaves the server. */
export async function visit(
  address: string,
  { username = 'nora', decision = 'allow', granted }: Decision = {},
): Promise<Arrival> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let url = address;
  let body: URLSearchParams | null = null;
  for (let hop = 0; hop < MOST_REDIRECTS; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { method: body ? 'POST' : 'GET', body, headers: { cookie }, redirect: 'manual' });
    const says = await answer.text();
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    const asks = answer.status === 200 && url.includes('/interaction/');
    if (!location && !asks) return { back: null, status: answer.status, says };
    body = null;
    if (location) {
      const next = new URL(location, url);
      if (next.origin !== origin) return { back: next, status: answer.status, says };
      url = next.href;
      continue;
    }
    const { asked } = JSON.parse(says) as { asked: string[] };
    body = new URLSearchParams({ username, decision });
    for (const scope of granted ?? asked) body.append('granted', scope);
  }
  throw new Error(`Too many redirects: ${url}`);
}

/** As {@link visit}, where the browser has to come back. @returns the callback's query */
export async function consentAt(address: string, decision: Decision = {}): Promise<URLSearchParams> {
  const arrival = await visit(address, decision);
  if (arrival.back) return arrival.back.searchParams;
  throw new Error(`The server answered ${arrival.status}: ${arrival.says}`);
}
