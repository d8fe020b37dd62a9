/** Threads simulator: consent, tokens for an hour and for sixty days, containers fetched from URLs, publishing. */

import { defineSimulator } from '../../define-simulator.ts';
import { fileRoute } from '../../graph/files.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { MINUTE } from '../../time.ts';
import { consentRoutes } from './consent.ts';
import { createContainer } from './containers.ts';
import { listPosts, readNode } from './nodes.ts';
import { phoneOf } from './phone.ts';
import { postPage, publish, publishingLimit } from './publishing.ts';
import { enrolProfile, type Media, type Profile, SCOPES, variant } from './records.ts';
import { apiError, invalidToken, unavailable, usedUp } from './responses.ts';
import { appToken, lengthen, longToken, makeGrant, prolong, redeemCode } from './tokens.ts';

export const simulator = defineSimulator({
  platform: 'threads',
  endpoints: (baseUrl) => ({ graph: baseUrl, www: baseUrl }),
  variants: [
    variant('processing that takes two minutes', { processingMs: 2 * MINUTE }),
    variant('lists that lag a minute', { listLagMs: MINUTE }),
    variant('a container that publishes twice, and says so late', { publishTwice: true, statusLagMs: 10 * MINUTE }),
  ],
  routes(options) {
    const route = routesWith(options);
    return [
      ...asConsent(consentRoutes(options)),
      route('POST', '/oauth/access_token', redeemCode),
      route('GET', '/oauth/access_token', appToken),
      route('GET', '/access_token', lengthen),
      route('GET', '/refresh_access_token', prolong),
      pictureRoute<Profile>(options, '/picture/:id', 'profile', ({ id, username: name }) => ({ place: 8, name, id })),
      fileRoute(options, ({ store }, id) => store.get<Media>('media', id)),
      route('GET', '/:handle/post/:code', postPage),
      route('GET', '/v1.0/:id/threads_publishing_limit', publishingLimit),
      route('GET', '/v1.0/:id/threads', listPosts),
      route('POST', '/v1.0/:id/threads', createContainer),
      route('POST', '/v1.0/:id/threads_publish', publish),
      route('GET', '/v1.0/:id', readNode),
    ];
  },
  refusals: () => ({
    'rate-limited': apiError(usedUp()),
    'rate-limited-with-wait': apiError({ ...usedUp(1), code: 32 }),
    'server-error': unavailable(),
    'token-expired': invalidToken(463, 'Session has expired on Saturday, 21-Nov-26 02:00:00 PST.'),
    'token-revoked': invalidToken(458, 'The user has not authorized application.'),
  }),
  unknownRoute: () => apiError({ code: 2500, message: 'Unknown path components' }),
  async enrol(options, given) {
    const { id: remoteId, username } = await enrolProfile(options, given);
    const tokenAnswer = await longToken(options, await makeGrant(options, remoteId, SCOPES));
    return { remoteId, username, tokenAnswer };
  },
  phone: phoneOf,
});
