/** X simulator: OAuth 2.0, segmented uploads, posts and timelines of API v2, written from docs.x.com. */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { routesWith } from '../../http/routes.ts';
import { type CallerHandler, callerRoute } from './caller.ts';
import { consentRoutes } from './consent.ts';
import { append, finalize, initialize, status } from './media.ts';
import { avatar, postPage } from './pages.ts';
import { createPost } from './posts.ts';
import { blank, problem } from './problems.ts';
import { type Endpoint, rateHeaders } from './rates.ts';
import { enrolAccount, SCOPES, variant } from './records.ts';
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

function createX(options: SimulatorOptions): Simulator {
  const route = routesWith(options);
  const api = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    endpoint: Endpoint,
    scopes: readonly string[],
    handler: CallerHandler,
  ) => callerRoute(options, method, path, { endpoint, scopes, writes: method !== 'GET' }, handler);
  const media = ['media.write'];
  const write = ['tweet.read', 'tweet.write', 'users.read'];
  const read = ['tweet.read', 'users.read'];
  return {
    platform: 'x',
    routes: [
      ...consentRoutes(options),
      route('POST', '/2/oauth2/token', exchange),
      route('POST', '/2/oauth2/revoke', revoke),
      api('GET', '/2/users/me', 'me', read, showMe),
      api('POST', '/2/media/upload/initialize', 'initialize', media, initialize),
      api('POST', '/2/media/upload/:id/append', 'append', media, append),
      api('POST', '/2/media/upload/:id/finalize', 'finalize', media, finalize),
      api('GET', '/2/media/upload', 'status', media, status),
      api('POST', '/2/tweets', 'createPost', write, createPost),
      api('GET', '/2/users/:id/tweets', 'timeline', read, listPosts),
      api('GET', '/2/tweets/:id', 'post', read, showPost),
      api('DELETE', '/2/tweets/:id', 'deletePost', write, deletePost),
      route('GET', '/profile_images/:id', avatar),
      route('GET', '/i/web/status/:id', postPage),
      route('GET', '/:username/status/:id', postPage),
    ],
    refusal: (kind) => refusals(options)[kind],
    unknownRoute: ({ path }) => problem(404, 'resource-not-found', 'Not Found', `There is nothing at ${path}.`),
    async enrol(given) {
      const { id: remoteId, username } = await enrolAccount(options, given);
      return { remoteId, username, tokenAnswer: await issueTokens(options, remoteId, SCOPES), credentials: null };
    },
  };
}

function refusals({ now }: SimulatorOptions): Record<PlatformRefusal, SimulatorResponse> {
  return {
    'rate-limited': blank(429),
    'rate-limited-with-wait': { ...blank(429), headers: rateHeaders(100, 0, now() + REFUSED_WAIT_MS) },
    'server-error': blank(503),
    'token-expired': blank(401),
    'token-revoked': blank(401),
  };
}
