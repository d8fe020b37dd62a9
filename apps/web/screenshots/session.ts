/** The SDK in Node, with the cookies of a signed-in user. */
import { createClient, type ReelayClient } from '@reelay/sdk';

export interface Session {
  client: ReelayClient;
  /** Name and value of each cookie. */
  cookies(): { name: string; value: string }[];
}

/** Returns a client that keeps the cookies that the service sets. @param url of the service */
export function createSession(url: string): Session {
  const jar = new Map<string, string>();
  const send: typeof fetch = async (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', url);
    headers.set('cookie', [...jar].map((each) => each.join('=')).join('; '));
    const response = await fetch(address, { ...init, headers });
    for (const each of response.headers.getSetCookie()) {
      const [name = '', ...value] = (each.split(';', 1)[0] ?? '').split('=');
      jar.set(name, value.join('='));
    }
    return response;
  };
  return {
    client: createClient({ baseUrl: url, fetch: send }),
    cookies: () => [...jar].map(([name, value]) => ({ name, value })),
  };
}
