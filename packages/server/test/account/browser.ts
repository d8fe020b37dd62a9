/** A browser without scripts: keeps cookies per host, follows redirects, submits forms. */

export interface Browser {
  /** Opens a URL and follows redirects. */
  open(url: string): Promise<Page>;
  /**
   * Sets a session cookie, as after signing in.
   * @param cookie value of the Cookie header
   */
  signIn(url: string, cookie: string): void;
}

export interface Page {
  url: string;
  status: number;
  headers: Headers;
  html: string;
  /** Submits the page's form with its own values and these; names mapped to null are omitted. */
  submit(values: Record<string, string | string[] | null>): Promise<Page>;
}

const MAX_REDIRECTS = 10;

/** @param stopAt prefix of URLs that are not opened; the page of such a URL is the redirect to it */
export function createBrowser({ stopAt }: { stopAt?: string } = {}): Browser {
  const jars = new Map<string, Map<string, string>>();
  const keep = (hostname: string, pair: string) => {
    const jar = jars.get(hostname) ?? new Map<string, string>();
    const [name = '', ...value] = pair.split('=');
    jars.set(hostname, jar.set(name.trim(), value.join('=')));
  };
  const sent = (hostname: string) => [...(jars.get(hostname) ?? [])].map((pair) => pair.join('=')).join('; ');
  const request = async (address: string, init: RequestInit): Promise<Page> => {
    let url = address;
    let current = init;
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      const { hostname } = new URL(url);
      const cookie = sent(hostname);
      const headers = { ...(current.headers as Record<string, string>), ...(cookie ? { cookie } : {}) };
      const response = await fetch(url, { ...current, headers, redirect: 'manual' });
      for (const set of response.headers.getSetCookie()) keep(hostname, set.split(';')[0] ?? '');
      const location = response.headers.get('location');
      if (!location || response.status < 300 || response.status > 399)
        return pageOf(url, response, await response.text());
      url = new URL(location, url).href;
      if (stopAt && location.startsWith(stopAt)) return pageOf(url, response, '');
      current = { method: 'GET' };
    }
    throw new Error(`Too many redirects: ${url}`);
  };
  const pageOf = (url: string, response: Response, html: string): Page => ({
    url,
    status: response.status,
    headers: response.headers,
    html,
    submit(values) {
      const body = new URLSearchParams();
      for (const [, tag = ''] of html.matchAll(/<input([^>]*)>/g)) {
        const name = attribute(tag, 'name');
        const box = /^(?:checkbox|radio)$/.test(attribute(tag, 'type') ?? '');
        if (!name || name in values || (box && (!/ checked/.test(tag) || / disabled/.test(tag)))) continue;
        body.append(name, attribute(tag, 'value') ?? '');
      }
      for (const [name, value] of Object.entries(values))
        for (const each of value === null ? [] : [value].flat()) body.append(name, each);
      const form = /<form([^>]*)>/.exec(html)?.[1] ?? '';
      const address = new URL(attribute(form, 'action') ?? '', url);
      if (attribute(form, 'method') !== 'get') return request(address.href, { method: 'POST', body });
      address.search = body.toString();
      return request(address.href, { method: 'GET' });
    },
  });
  return {
    signIn(url, cookie) {
      for (const pair of cookie.split(';')) keep(new URL(url).hostname, pair);
    },
    open: (url) => request(url, { method: 'GET' }),
  };
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(` ${name}="([^"]*)"`).exec(` ${tag}`)?.[1];
  if (found === undefined) return null;
  return found.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&');
}
