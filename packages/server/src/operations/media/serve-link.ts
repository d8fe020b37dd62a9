/**
 * Serves video links over HTTP. Anyone with a link is treated as the platform; all invalid links get the same response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { sendPlainError } from '../../http/error-responses.ts';
import { FOR_OTHER_SITES, type Mount } from '../../http/page.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { openLink } from '../../media/links/open.ts';
import { LINKS_PATH } from '../../media/links/token.ts';
import { StorageMissing } from '../../storage/contract.ts';

export const videoLinks: Mount<Context> = {
  prefix: LINKS_PATH,
  handle(context, request, response) {
    send(context, request, response).catch((error) => {
      if (response.headersSent) return void response.destroy();
      const refusal = error instanceof StorageMissing ? new ReelayError('not_found') : error;
      if (refusal instanceof ReelayError) return sendPlainError(response, refusal, uuidv7());
      context.log.error({ err: error }, 'A video could not be served to a platform');
      sendPlainError(response, new ReelayError('internal_error'), uuidv7());
    });
  },
};

async function send(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    throw new ReelayError('method_not_allowed');
  }
  const needs = { ...context, key: context.secrets.links };
  const found = await openLink(needs, request.url?.split('?')[0] ?? '', request.headers, method);
  if (!found) throw new ReelayError('not_found');
  response.writeHead(found.status, { ...found.headers, ...SAFE });
  if (!found.body) return void response.end();
  // A platform that disconnects requests the rest later.
  await pipeline(found.body, response).catch(() => {});
}

const SAFE = {
  ...FOR_OTHER_SITES,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'private, no-store',
} as const;
