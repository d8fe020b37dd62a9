/** Serves the built pages: the dashboard and the API reference. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { ReelayError } from '../errors/reelay-error.ts';
import type { Log } from '../lib/log.ts';
import { sendPlainError } from './error-responses.ts';
import type { Mount } from './page.ts';
import { refuseEarly } from './receive/refuse.ts';
import { sendFile } from './static-files.ts';

/** Path of the dashboard. */
export const DASHBOARD_PATH = '/app';
/** Path of the API reference. */
export const REFERENCE_PATH = '/docs';

/** Where phones post shared videos. The dashboard's service worker takes them, so they never arrive here with it. */
const SHARE_PATH = `${DASHBOARD_PATH}/share`;
const NOT_SHARED = { status: 303, headers: { location: `${DASHBOARD_PATH}/?shared=failed` }, body: Buffer.alloc(0) };

/**
 * Only files of our own, and the scripts that the build wrote into the page. The component library writes styles into the
 * page. Videos are played from the browser's memory before they are uploaded.
 */
const POLICY = [
  "default-src 'none'",
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

const HEADERS = Object.entries({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
});

export interface WebFiles {
  /** Without a trailing slash: `/app`. */
  prefix: string;
  /** The built files; their names contain a hash below `assets/`. */
  folder: string;
  /**
   * The files that respond to every path that is not a file: the page's own router shows it. The first one that is built is
   * sent.
   */
  pages(request: IncomingMessage): readonly string[];
  /** Responds if the page is not built. */
  notBuilt(request: IncomingMessage, response: ServerResponse): void;
}

export function createWebFiles(files: WebFiles): Mount<{ log: Log }> {
  return {
    prefix: files.prefix,
    handle({ log }, request, response) {
      if (request.method === 'POST' && request.url === SHARE_PATH)
        return void refuseEarly(request, response, NOT_SHARED);
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
      send(files, request, response).catch((error) => {
        const requestId = String(response.getHeader('x-request-id'));
        log.error({ err: error, requestId }, 'A file of a page could not be sent');
        if (response.headersSent) return void response.destroy();
        sendPlainError(response, new ReelayError('internal_error'), requestId);
      });
    },
  };
}

/** A path without an extension belongs to the page's router. */
const isFile = (path: string) => /\.\w+$/.test(path);

async function send(
  { prefix, folder, pages, notBuilt }: WebFiles,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = ''] = (request.url ?? '').slice(prefix.length).split('?', 1);
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isFile(path)) {
    response.setHeader('content-security-policy', policyWith([]));
    const cacheControl = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    if (!(await sendFile({ folder, path, cacheControl }, request, response))) response.writeHead(404).end();
    return;
  }
  for (const page of pages(request)) {
    response.setHeader('content-security-policy', policyWith(await scriptsIn(join(folder, page))));
    if (await sendFile({ folder, path: `/${page}`, cacheControl: 'no-cache' }, request, response)) return;
  }
  notBuilt(request, response);
}

/** Hashes of the scripts in a page, as in a policy (CSP, section 2.3.1). Read again each time, because a build replaces it. */
async function scriptsIn(file: string): Promise<string[]> {
  const html = await readFile(file, 'utf8').catch(() => '');
  const [, ...scripts] = html.split('<script>');
  return scripts.map((each) => {
    const [script = ''] = each.split('</script>', 1);
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}

const policyWith = (scripts: readonly string[]) => `${POLICY}; ${["script-src 'self'", ...scripts].join(' ')}`;
