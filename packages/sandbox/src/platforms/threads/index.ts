/** Threads simulator: consent, tokens for an hour and for sixty days, containers fetched from URLs, publishing. */
import type {
  Route,
  Simulator,
  SimulatorAnswer,
  SimulatorModule,
  SimulatorOptions,
  SimulatorRequest,
  SimulatorVariant,
} from '../../contract.ts';
import { answering, apiError, unavailable, usedUp } from './answers.ts';
import { showConsent, takeConsent } from './consent.ts';
import { createContainer } from './containers.ts';
import { listPosts, readNode } from './nodes.ts';
import { picture, postPage } from './pages.ts';
import { publish, publishingLimit } from './publishing.ts';
import { enrolProfile, SCOPES, SWITCHES, type Switches } from './records.ts';
import { lengthen, longAnswer, makeGrant, prolong, redeemCode } from './tokens.ts';

export const simulator: SimulatorModule = {
  platform: 'threads',
  create: createThreads,
  endpoints: (baseUrl) => ({ graph: baseUrl, www: baseUrl }),
  variants: [
    variant('processing that takes two minutes', { processingMs: 120_000 }),
    variant('lists that lag a minute', { listLagMs: 60_000 }),
    variant('a container that publishes twice, and says so late', { publishTwice: true, statusLagMs: 600_000 }),
  ],
};

function variant(name: string, switches: Switches): SimulatorVariant {
  return { name, prepare: (books) => books.put(...SWITCHES, switches) };
}

type Handler = (options: SimulatorOptions, request: SimulatorRequest) => Promise<SimulatorAnswer>;

function createThreads(options: SimulatorOptions): Simulator {
  const route = (method: Route['method'], path: string, handler: Handler): Route => ({
    method,
    path,
    handle: (request) => answering(() => handler(options, request)),
  });
  return {
    platform: 'threads',
    routes: [
      route('GET', '/oauth/authorize', showConsent),
      route('POST', '/oauth/authorize', takeConsent),
      route('POST', '/oauth/access_token', redeemCode),
      route('GET', '/access_token', lengthen),
      route('GET', '/refresh_access_token', prolong),
      route('GET', '/picture/:id', picture),
      route('GET', '/:handle/post/:code', postPage),
      route('GET', '/v1.0/:id/threads_publishing_limit', publishingLimit),
      route('GET', '/v1.0/:id/threads', listPosts),
      route('POST', '/v1.0/:id/threads', createContainer),
      route('POST', '/v1.0/:id/threads_publish', publish),
      route('GET', '/v1.0/:id', readNode),
    ],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return apiError(usedUp());
        case 'rate-limited-with-wait':
          return apiError({ ...usedUp(1), code: 32 });
        case 'server-error':
          return unavailable();
        case 'token-expired':
          return apiError({
            code: 190,
            subcode: 463,
            message: 'Error validating access token: Session has expired on Saturday, 21-Nov-26 02:00:00 PST.',
          });
        case 'token-revoked':
          return apiError({
            code: 190,
            subcode: 458,
            message: 'Error validating access token: The user has not authorized application.',
          });
      }
    },
    unknownRoute: () => apiError({ code: 2500, message: 'Unknown path components' }),
    async enrol(username) {
      const profile = await enrolProfile(options, username);
      const grantId = await makeGrant(options, profile.id, SCOPES);
      return {
        remoteId: profile.id,
        username: profile.username,
        tokenAnswer: await longAnswer(options, grantId),
        credentials: null,
      };
    },
  };
}
