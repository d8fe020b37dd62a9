/** Sends the requests of unmodified client libraries to simulators. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

type Callback = (response: IncomingMessage) => void;

/**
 * Redirects requests of `fetch`, `node:http` and `node:https`. All other hosts but 127.0.0.1 are refused, so that no
 * test calls a platform.
 * @param targets base URL of a simulator by host name
 * @returns a function that restores the modules
 */
export function redirectHosts(targets: ReadonlyMap<string, string>): () => void {
  const saved = { fetch: globalThis.fetch, http: pick(http), https: pick(https) };

  function targetOf(url: URL): URL {
    const target = targets.get(url.hostname);
    if (target !== undefined) return new URL(target + url.pathname + url.search);
    if (url.hostname === '127.0.0.1') return url;
    throw new Error(`A client called ${url.origin}, which is not redirected.`);
  }

  async function redirectedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    if (!(input instanceof Request)) return saved.fetch(targetOf(new URL(input)), init);
    const target = targetOf(new URL(input.url));
    // A copy sends its body as a stream, without a Content-Length.
    return target.href === input.url ? saved.fetch(input, init) : saved.fetch(new Request(target, input), init);
  }

  function redirectedRequest(protocol: 'http:' | 'https:') {
    return (first: string | URL | RequestOptions, second?: RequestOptions | Callback, third?: Callback) => {
      const options = { ...(isUrl(first) ? {} : first), ...(typeof second === 'object' ? second : {}) };
      const callback = typeof second === 'function' ? second : third;
      const target = targetOf(isUrl(first) ? new URL(first) : urlOf(options, protocol));
      const { hostname, port } = target;
      const headers = withoutHost(options.headers);
      const path = target.pathname + target.search;
      const { method, timeout, signal } = options;
      return saved.http.request({ method, timeout, signal, headers, hostname, port, path }, callback);
    };
  }

  for (const [module, protocol] of [
    [http, 'http:'],
    [https, 'https:'],
  ] as const) {
    const request = redirectedRequest(protocol);
    const get = (...given: Parameters<typeof request>): ClientRequest => {
      const made = request(...given);
      made.end();
      return made;
    };
    Object.assign(module, { request, get });
  }
  globalThis.fetch = redirectedFetch;
  syncBuiltinESMExports();
  return () => {
    globalThis.fetch = saved.fetch;
    Object.assign(http, saved.http);
    Object.assign(https, saved.https);
    syncBuiltinESMExports();
  };
}

const pick = ({ request, get }: Pick<typeof http, 'request' | 'get'>) => ({ request, get });
const isUrl = (value: string | URL | RequestOptions): value is string | URL =>
  typeof value === 'string' || value instanceof URL;

function urlOf({ hostname, host, port, path }: RequestOptions, protocol: string): URL {
  const authority = (hostname ?? host ?? 'localhost').replace(/:\d+$/, '');
  return new URL(`${protocol}//${authority}${port ? `:${port}` : ''}${path ?? '/'}`);
}

/** The simulator is addressed by its own host. */
function withoutHost(headers: RequestOptions['headers']): RequestOptions['headers'] {
  if (Array.isArray(headers)) return headers;
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== 'host'));
}
