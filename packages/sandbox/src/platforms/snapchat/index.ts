/** Simulator of Snapchat: consent, a public profile, encrypted media in parts, and Spotlight. */

import { defineSimulator } from '../../define-simulator.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { MINUTE } from '../../time.ts';
import { consentRoutes } from './consent.ts';
import { createMedium, receivePart } from './media.ts';
import { phone } from './phone.ts';
import { listProfiles, showProfile } from './profile.ts';
import { enrolProfile, type Profile, SCOPE, variant } from './records.ts';
import { refusal, serverError, tooMany, unauthorized } from './responses.ts';
import { createSpotlight, listSpotlights, showSpotlight, spotlightPage } from './spotlights.ts';
import { exchange, grantTokens } from './tokens.ts';

export const simulator = defineSimulator({
  platform: 'snapchat',
  endpoints: (baseUrl) => ({ api: baseUrl, accounts: baseUrl, www: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: MINUTE }),
    variant('errors with status 200, and profiles in a list', { errorStatus: 200, profileShape: 'list' }),
  ],
  routes(options) {
    const route = routesWith(options);
    return [
      ...asConsent(consentRoutes(options)),
      route('POST', '/login/oauth2/access_token', exchange),
      route('GET', '/v1/public_profiles/my_profile', showProfile),
      route('GET', '/v1/organizations/:org/public_profiles', listProfiles),
      route('POST', '/v1/public_profiles/:pid/media', createMedium),
      route('POST', '/us/v1/public_profiles/:pid/media/:mid/multipart-upload', receivePart),
      route('POST', '/v1/public_profiles/:pid/spotlights', createSpotlight),
      route('GET', '/v1/public_profiles/:pid/spotlights', listSpotlights),
      route('GET', '/v1/public_profiles/:pid/spotlights/:id', showSpotlight),
      route('GET', '/spotlight/:id', spotlightPage),
      pictureRoute<Profile>(options, '/avatar/:id', 'profile', ({ id, username: name }) => ({ place: 6, name, id })),
    ];
  },
  refusals: () => ({
    'rate-limited': tooMany(),
    'rate-limited-with-wait': tooMany(2),
    'server-error': serverError(500),
    'token-expired': unauthorized(),
    'token-revoked': unauthorized(),
  }),
  unknownRoute: () => refusal(404, 'NOT_FOUND', 'There is no such path.'),
  phone,
  async enrol(options, given) {
    const { id: remoteId, username } = await enrolProfile(options, given);
    return { remoteId, username, tokenAnswer: await grantTokens(options, remoteId, [SCOPE]) };
  },
});
