/** Serves the built dashboard. The files are read and listed on the first visit. */
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Mount } from './page.ts';

/** Path of the dashboard. */
export const DASHBOARD_PATH = '/app';

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

/**
 * @param folder of the built files; their names contain a hash below `assets/`
 * @param notBuilt responds if the folder has no page
 */
export function createDashboard(folder: string, notBuilt: Handler): Mount {
  let loading: Promise<Handler> | null = null;
  return {
    prefix: DASHBOARD_PATH,
    handle(_context, request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
      // It may be built while the service runs.
      if (!loading && !existsSync(join(folder, 'index.html'))) return notBuilt(request, response);
      loading ??= load(folder);
      loading.then(
        (serve) => serve(request, response),
        () => {
          loading = null;
          response.destroy();
        },
      );
    },
  };
}

async function load(folder: string): Promise<Handler> {
  const { default: sirv } = await import('sirv');
  const serve = sirv(folder, {
    etag: true,
    brotli: true,
    gzip: true,
    // Every path of the dashboard's router is the same page.
    single: true,
    setHeaders(response, path) {
      const isHashed = path.startsWith('/assets/');
      response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    },
  });
  return (request, response) => {
    const below = Object.assign(request, { url: (request.url ?? '').slice(DASHBOARD_PATH.length) || '/' });
    serve(below, response, () => void response.writeHead(404).end());
  };
}
