/** What only the standalone sandbox has: accounts, faults and base addresses over HTTP, for tests in any language. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkFaultRule, type FaultRule } from '../faults/rules.ts';
import { readBody } from '../http/request.ts';
import type { JsonObject } from '../json.ts';

export interface Controls {
  /** By name; what `GET /sandbox/platforms` lists. */
  platforms(): Record<string, { url: string; endpoints: Record<string, string> }>;
  app: { clientId: string; clientSecret: string };
  /** @throws Error that says what is wrong */
  createAccount(platform: string, username: string): Promise<unknown>;
  /** @throws Error that says what is wrong */
  injectFault(rule: FaultRule): void;
  clearFaults(): void;
}

const MAX_BODY_BYTES = 64 * 1024;

/** Answers the requests of this interface; false for any other. */
export function answerControl(controls: Controls, request: IncomingMessage, response: ServerResponse): boolean {
  const path = request.url?.split('?')[0] ?? '';
  const run = ROUTES[`${request.method} ${path}`];
  if (!run) return false;
  run(controls, request).then(
    (body) => send(response, body === undefined ? 204 : 200, body),
    (error: Error) => send(response, 400, { error: error.message }),
  );
  return true;
}

type Run = (controls: Controls, request: IncomingMessage) => Promise<unknown>;

const ROUTES: Readonly<Record<string, Run>> = {
  'GET /sandbox/platforms': async ({ platforms, app }) => ({ app, platforms: platforms() }),
  'POST /sandbox/accounts': async ({ createAccount }, request) => {
    const { platform, username } = await jsonBody(request);
    if (typeof platform !== 'string' || typeof username !== 'string' || !username)
      throw new Error('Send {"platform": "…", "username": "…"}.');
    return createAccount(platform, username);
  },
  'POST /sandbox/faults': async ({ injectFault }, request) => injectFault(checkFaultRule(await jsonBody(request))),
  'DELETE /sandbox/faults': async ({ clearFaults }) => clearFaults(),
};

/** Any page on the web can make a browser post text or a form here. It cannot send JSON, which needs a preflight. */
async function jsonBody(request: IncomingMessage): Promise<JsonObject> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Error('The content type must be application/json.');
  const body: unknown = JSON.parse((await readBody(request, MAX_BODY_BYTES)).toString('utf8'));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('Send a JSON object.');
  return body as JsonObject;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  if (body === undefined) response.writeHead(status).end();
  else response.writeHead(status, headers).end(JSON.stringify(body));
}
