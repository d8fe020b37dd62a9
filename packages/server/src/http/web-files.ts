/** Serves the built pages: the dashboard and the API reference. */
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Mount } from './page.ts';
import { refuseEarly } from './receive/refuse.ts';

/** Path of the dashboard. */
export const DASHBOARD_PATH = '/app';
/** Path of the API reference. */
export const REFERENCE_PATH = '/docs';

/** Where phones post shared videos. The dashboard's service worker takes them, so they never arrive here with it. */
const SHARE_PATH = `${DASHBOARD_PATH}/share`;
const NOT_SHARED = { status: 303, headers: { location: `${DASHBOARD_PATH}/?shared=failed` }, body: Buffer.alloc(0) };

/**
 * Only files of our own, no inline scripts. The component library writes styles into the page. Videos are played from
 * the browser's memory before they are uploaded.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface WebFiles {
  /** Without a trailing slash: `/app`. */
  prefix: string;
  /** The built files; their names contain a hash below `assets/`. */
  folder: string;
  /** The file that responds to every path that is not a file: the page's own router shows it. */
  page: string;
  /** Responds if the page is not built. */
  notBuilt: Handler;
}

export function createWebFiles({ prefix, folder, page, notBuilt }: WebFiles): Mount {
  let loading: Promise<Handler> | null = null;
  return {
    prefix,
    handle(_context, request, response) {
      if (request.method === 'POST' && request.url === SHARE_PATH)
        return void refuseEarly(request, response, NOT_SHARED);
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
      // It may be built while the service runs.
      if (!loading && !existsSync(join(folder, page))) return notBuilt(request, response);
      loading ??= load(folder);
      loading.then(
        (serve) => {
          const path = (request.url ?? '').slice(prefix.length).split('?')[0] ?? '';
          serve(Object.assign(request, { url: isFile(path) ? path : `/${page}` }), response);
        },
        () => {
          loading = null;
          response.destroy();
        },
      );
    },
  };
}

/** A path without an extension belongs to the page's router. */
const isFile = (path: string) => /\.\w+$/.test(path);

async function load(folder: string): Promise<Handler> {
  const { default: sirv } = await import('sirv');
  const serve = sirv(folder, {
    // Looks at the disk for each request. From a list, a file that a new build has replaced would be opened nevertheless,
    // and the error of its stream, which nobody handles, would end the process.
    dev: true,
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders(response, path) {
      const isHashed = path.startsWith('/assets/');
      response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    },
  });
  return (request, response) => serve(request, response, () => void response.writeHead(404).end());
}
