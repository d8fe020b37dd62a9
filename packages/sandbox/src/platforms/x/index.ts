/** X simulator: OAuth 2.0, segmented uploads, posts and timelines of API v2, written from docs.x.com. */
import type {
  Simulator,
  SimulatorAnswer,
  SimulatorModule,
  SimulatorOptions,
  SimulatorRequest,
  SimulatorVariant,
} from '../../contract.ts';
import { type Caller, callerRoute } from './caller.ts';
import { showConsent, takeConsent } from './consent.ts';
import { append, finalize, initialize, status } from './media.ts';
import { avatar, postPage } from './pages.ts';
import { createPost } from './posts.ts';
import { blank, problem } from './problems.ts';
import { type Endpoint, rateHeaders } from './rates.ts';
import { enrolAccount, SCOPES, SWITCHES, type XSwitches } from './records.ts';
import { deletePost, listPosts, showPost } from './timeline.ts';
import { exchange, issueTokens, revoke } from './tokens.ts';
import { showMe } from './users.ts';

/** The wait stated by a rate limit response with a reset time, ms. */
const REFUSED_WAIT_MS = 2_000;

export const simulator: SimulatorModule = {
  platform: 'x',
  create: createX,
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
  variants: [
    variant('timelines that lag a minute', { listLagMs: 60_000 }),
    variant('uploads that can be finalized once', { finalizeOnce: true, olderGateway: true }),
  ],
};

function variant(name: string, switches: XSwitches): SimulatorVariant {
  return { name, prepare: (books) => books.put(...SWITCHES, switches) };
}

function createX(options: SimulatorOptions): Simulator {
  type Handle = (options: SimulatorOptions, request: SimulatorRequest, caller: Caller) => Promise<SimulatorAnswer>;
  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    endpoint: Endpoint,
    scopes: readonly string[],
    handle: Handle,
  ) =>
    callerRoute(options, method, path, { endpoint, scopes, writes: method !== 'GET' }, (request, caller) =>
      handle(options, request, caller),
    );
  const media = ['media.write'];
  const write = ['tweet.read', 'tweet.write', 'users.read'];
  const read = ['tweet.read', 'users.read'];
  return {
    platform: 'x',
    routes: [
      { method: 'GET', path: '/i/oauth2/authorize', handle: (request) => showConsent(options, request) },
      { method: 'POST', path: '/i/oauth2/authorize', handle: (request) => takeConsent(options, request) },
      { method: 'POST', path: '/2/oauth2/token', handle: (request) => exchange(options, request) },
      { method: 'POST', path: '/2/oauth2/revoke', handle: (request) => revoke(options, request) },
      route('GET', '/2/users/me', 'me', read, showMe),
      route('POST', '/2/media/upload/initialize', 'initialize', media, initialize),
      route('POST', '/2/media/upload/:id/append', 'append', media, append),
      route('POST', '/2/media/upload/:id/finalize', 'finalize', media, finalize),
      route('GET', '/2/media/upload', 'status', media, status),
      route('POST', '/2/tweets', 'createPost', write, createPost),
      route('GET', '/2/users/:id/tweets', 'timeline', read, listPosts),
      route('GET', '/2/tweets/:id', 'post', read, showPost),
      route('DELETE', '/2/tweets/:id', 'deletePost', write, deletePost),
      { method: 'GET', path: '/profile_images/:id', handle: (request) => avatar(options, request) },
      { method: 'GET', path: '/i/web/status/:id', handle: (request) => postPage(options, request) },
      { method: 'GET', path: '/:username/status/:id', handle: (request) => postPage(options, request) },
    ],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return blank(429);
        case 'rate-limited-with-wait':
          return { ...blank(429), headers: rateHeaders(100, 0, options.now() + REFUSED_WAIT_MS) };
        case 'server-error':
          return blank(503);
        case 'token-expired':
        case 'token-revoked':
          return blank(401);
      }
    },
    unknownRoute: ({ path }) => problem(404, 'resource-not-found', 'Not Found', `There is nothing at ${path}.`),
    async enrol(username) {
      const account = await enrolAccount(options, username);
      return {
        remoteId: account.id,
        username: account.username,
        tokenAnswer: await issueTokens(options, account.id, SCOPES),
        credentials: null,
      };
    },
  };
}
