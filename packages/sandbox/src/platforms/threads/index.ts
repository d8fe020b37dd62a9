/** Threads simulator: consent, tokens for an hour and for sixty days, containers fetched from URLs, publishing. */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { colorOf, letterPicture, pictureRoute } from '../../http/pages.ts';
import { routesWith } from '../../http/routes.ts';
import { apiError, unavailable, usedUp } from './answers.ts';
import { consentRoutes } from './consent.ts';
import { createContainer } from './containers.ts';
import { listPosts, readNode } from './nodes.ts';
import { postPage } from './pages.ts';
import { publish, publishingLimit } from './publishing.ts';
import { enrolProfile, type Profile, SCOPES, variant } from './records.ts';
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

function createThreads(options: SimulatorOptions): Simulator {
  const route = routesWith(options);
  return {
    platform: 'threads',
    routes: [
      ...consentRoutes(options),
      route('POST', '/oauth/access_token', redeemCode),
      route('GET', '/access_token', lengthen),
      route('GET', '/refresh_access_token', prolong),
      pictureRoute<Profile>(options, '/picture/:id', 'profile', ({ id, username }) =>
        letterPicture(username, colorOf(Number(id.slice(-4)))),
      ),
      route('GET', '/:handle/post/:code', postPage),
      route('GET', '/v1.0/:id/threads_publishing_limit', publishingLimit),
      route('GET', '/v1.0/:id/threads', listPosts),
      route('POST', '/v1.0/:id/threads', createContainer),
      route('POST', '/v1.0/:id/threads_publish', publish),
      route('GET', '/v1.0/:id', readNode),
    ],
    refusal: (kind) => refusals()[kind],
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

function refusals(): Record<PlatformRefusal, SimulatorResponse> {
  const invalid = (subcode: number, message: string) =>
    apiError({ code: 190, subcode, message: `Error validating access token: ${message}` });
  return {
    'rate-limited': apiError(usedUp()),
    'rate-limited-with-wait': apiError({ ...usedUp(1), code: 32 }),
    'server-error': unavailable(),
    'token-expired': invalid(463, 'Session has expired on Saturday, 21-Nov-26 02:00:00 PST.'),
    'token-revoked': invalid(458, 'The user has not authorized application.'),
  };
}
