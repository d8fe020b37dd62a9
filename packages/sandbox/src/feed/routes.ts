/** Routes of the sandbox itself on node:http: page, data and media. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Blobs, SimulatedAccount } from '../contract.ts';
import { readBody } from '../http/request.ts';
import { createRouter } from '../http/router.ts';
import { InvalidUsername } from '../oauth/usernames.ts';
import { type CredentialsPage, credentialsPage, MAX_USERNAME } from './credentials.ts';
import { feedJson, feedPage } from './feed.ts';
import { sendMedia } from './media.ts';
import { type PhoneSource, phoneRoutes } from './phone.ts';
import type { PublishedSource } from './published.ts';
import { isForeignSite, JSON_HEADERS, PAGE_HEADERS, sendNotFound } from './responses.ts';

export interface SandboxRoute {
  method: 'GET' | 'POST';
  /** Segments that start with a colon match any segment. GET also handles HEAD. */
  path: string;
  handler(request: IncomingMessage, response: ServerResponse): void;
}

export interface SandboxRoutesOptions {
  source: PublishedSource;
  /** Blobs of a platform; null for a platform that is not simulated. */
  blobs(platform: string): Blobs | null;
  credentials: CredentialsSource;
  phone: PhoneSource;
  /** Authorizes the caller. If it returns false, it has already responded. */
  guard(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Called with errors; the response is an empty 500. */
  observe?: (error: unknown) => void;
}

export interface CredentialsSource extends Pick<CredentialsPage, 'app' | 'platforms'> {
  /** Creates an account, or finds it by its user name. @param platform one of `platforms` */
  enrol(platform: string, username: string): Promise<SimulatedAccount>;
}

/**
 * Creates `/sandbox`, `/sandbox/feed.json`, `/sandbox/media/:platform/:id`, `/sandbox/credentials` and `/sandbox/phone`.
 */
export function createSandboxRoutes(options: SandboxRoutesOptions): SandboxRoute[] {
  const route = (
    path: string,
    answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
    method: SandboxRoute['method'] = 'GET',
  ): SandboxRoute => ({
    method,
    path,
    handler(request, response) {
      const run = async () => {
        if (await options.guard(request, response)) await answer(request, response);
      };
      run().catch((error: unknown) => {
        options.observe?.(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      });
    },
  });
  const page = async (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, PAGE_HEADERS).end(feedPage(await options.source.all()));
  };
  return [
    route('/sandbox', page),
    route('/sandbox/', page),
    route('/sandbox/feed.json', async (_request, response) => {
      const body = JSON.stringify(feedJson(await options.source.all()));
      response.writeHead(200, JSON_HEADERS).end(body);
    }),
    route('/sandbox/media/:platform/:id', async (request, response) => {
      const [platform = '', id = ''] = pathOf(request).split('/').slice(3).map(decode);
      const entry = await options.source.find(platform, id);
      const blobs = entry && options.blobs(platform);
      if (!entry || !blobs) return sendNotFound(response);
      await sendMedia(request, response, entry, blobs);
    }),
    route('/sandbox/credentials', async (_request, response) => {
      response.writeHead(200, PAGE_HEADERS).end(credentialsPage(options.credentials));
    }),
    route('/sandbox/credentials', (request, response) => showAccount(options.credentials, request, response), 'POST'),
    ...phoneRoutes({ ...options.phone, blobs: options.blobs }).map(({ method, path, handle }) =>
      route(path, handle, method),
    ),
  ];
}

const MAX_FORM_BYTES = 4_096;

async function showAccount(source: CredentialsSource, request: IncomingMessage, response: ServerResponse) {
  if (isForeignSite(request)) return void response.writeHead(403).end();
  const form = new URLSearchParams((await readBody(request, MAX_FORM_BYTES)).toString('utf8'));
  const platform = form.get('platform') ?? '';
  const username = form.get('username')?.trim() ?? '';
  const reject = (error: string) =>
    void response.writeHead(400, PAGE_HEADERS).end(credentialsPage({ ...source, error }));
  if (!source.platforms.includes(platform) || username === '' || username.length > MAX_USERNAME)
    return reject('Choose a platform and enter a user name.');
  const account = await source.enrol(platform, username).catch((error: unknown) => {
    if (!(error instanceof InvalidUsername)) throw error;
    reject(error.message);
  });
  if (!account) return;
  response.writeHead(200, PAGE_HEADERS).end(credentialsPage({ ...source, account: { platform, ...account } }));
}

/** One listener for all routes; other paths are 404. */
export function createSandboxHandler(
  routes: readonly SandboxRoute[],
): (request: IncomingMessage, response: ServerResponse) => void {
  const find = createRouter(routes);
  return (request, response) => {
    const found = find(request.method ?? 'GET', pathOf(request));
    if (found) found.route.handler(request, response);
    else sendNotFound(response);
  };
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?')[0] ?? '/';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
