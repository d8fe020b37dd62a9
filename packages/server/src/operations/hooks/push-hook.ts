/**
 * Receives the notifications of platforms. A notification names an account with news, whose check is moved to now. So a
 * repeated one is harmless: it can only cause an early check, and those are limited.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PushCallback } from '../../connectors/contract.ts';
import type { Context } from '../../context.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { sendPlainError } from '../../http/error-responses.ts';
import type { Mount } from '../../http/page.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import { DAY } from '../../lib/time.ts';
import { HOOKS_PATH, hookSecret } from '../../watching/push/hook-secret.ts';
import {
  deleteSubscription,
  noteVerified,
  readSubscription,
  type Subscription,
} from '../../watching/push/subscription-store.ts';

/** Maximum body of a notification. */
const MAX_BYTES = 256 * 1024;
const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

export const hooks: Mount<Context> = {
  prefix: HOOKS_PATH,
  handle(context, request, response) {
    answer(context, request, response).catch((error) => {
      if (response.headersSent) return void response.destroy();
      if (!(error instanceof ReelayError)) context.log.error({ err: error }, 'A notification could not be handled');
      response.setHeader('connection', 'close');
      sendPlainError(response, error instanceof ReelayError ? error : new ReelayError('internal_error'), uuidv7());
    });
  },
};

async function answer(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const [platform = '', id = '', ...more] = path.slice(HOOKS_PATH.length + 1).split('/');
  const callback = Object.hasOwn(context.connectors, platform) && context.connectors[platform]?.watch?.callback;
  const known = callback && more.length === 0 && isUuid(id) ? await readSubscription(context.db, id) : undefined;
  if (!callback || known?.platform !== platform) throw new ReelayError('not_found');
  const subscription = { ...known, id, callback };
  if (request.method === 'GET') return verify(context, subscription, new URLSearchParams(query), response);
  if (request.method === 'POST') return notify(context, subscription, request, response);
  response.setHeader('allow', 'GET, POST');
  throw new ReelayError('method_not_allowed');
}

type Found = Subscription & { id: string; callback: PushCallback };

/** Confirms what we requested, and nothing else: anybody can ask a hub to send us something. */
async function verify({ db }: Context, found: Found, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const question = found.callback.readQuestion(query, found);
  if (!question || question.mode !== found.requested) throw new ReelayError('not_found');
  const { answer: body, leaseMs } = question;
  const renewMs = leaseMs - Math.min(DAY, leaseMs / 2);
  if (question.mode === 'subscribe') await noteVerified(db, found.id, { leaseMs, renewMs });
  else await deleteSubscription(db, found.id);
  response.writeHead(200, PLAIN).end(body);
}

async function notify(
  { secrets, announce }: Context,
  found: Found,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const notification = { headers: request.headers, body };
  if (!found.callback.isSigned(notification, hookSecret(secrets.hooks, found.id)))
    return void response.writeHead(403).end();
  if (found.isLive && found.callback.announces(notification, found)) announce(found.identityIds);
  response.writeHead(204).end();
}

/** @throws ReelayError for a body that is too large */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new ReelayError('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
