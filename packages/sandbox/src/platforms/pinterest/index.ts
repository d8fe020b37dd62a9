/** Simulator of Pinterest: OAuth, boards, video upload by an S3 form, and pins (API v5). */

import { defineSimulator } from '../../define-simulator.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { MINUTE } from '../../time.ts';
import { consentRoutes } from './consent.ts';
import { listMedia, registerMedium, showMedium } from './media.ts';
import { phone } from './phone.ts';
import { createPin, deletePin, listBoardPins, listPins, pinPage, showPin } from './pins.ts';
import { createBoard, listBoards, listSections, showAccount } from './profile.ts';
import { type Account, enrolAccount, SCOPES, variant } from './records.ts';
import { authenticationFailed, refusal, serverError, tooMany } from './responses.ts';
import { receiveForm } from './s3.ts';
import { exchange, grantTokens } from './tokens.ts';

export const simulator = defineSimulator({
  platform: 'pinterest',
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: MINUTE }),
    variant('lists that begin with the oldest, and times of another zone', { oldestFirst: true, zoneMs: -28_800_000 }),
  ],
  routes(options) {
    const route = routesWith(options);
    return [
      ...asConsent(consentRoutes(options)),
      route('POST', '/v5/oauth/token', exchange),
      route('GET', '/v5/user_account', showAccount),
      route('GET', '/v5/boards', listBoards),
      route('POST', '/v5/boards', createBoard),
      route('GET', '/v5/boards/:id/sections', listSections),
      route('GET', '/v5/boards/:id/pins', listBoardPins),
      route('POST', '/v5/media', registerMedium),
      route('GET', '/v5/media/:id', showMedium),
      route('GET', '/v5/media', listMedia),
      route('POST', '/v5/pins', createPin),
      route('GET', '/v5/pins', listPins),
      route('GET', '/v5/pins/:id', showPin),
      route('DELETE', '/v5/pins/:id', deletePin),
      route('POST', '/s3/', receiveForm),
      route('GET', '/pin/:id/', pinPage),
      pictureRoute<Account>(options, '/avatar/:id', 'account', ({ id, username: name }) => ({ place: 5, name, id })),
    ];
  },
  refusals: () => ({
    'rate-limited': refusal(429, 8, 'You have exceeded your rate limit. Try again later.'),
    'rate-limited-with-wait': tooMany(2),
    'server-error': serverError(500),
    'token-expired': authenticationFailed(),
    'token-revoked': authenticationFailed(),
  }),
  unknownRoute: () => refusal(404, 40, 'The requested resource was not found.'),
  phone,
  async enrol(options, given) {
    const { id: remoteId, username } = await enrolAccount(options, given);
    return { remoteId, username, tokenAnswer: await grantTokens(options, remoteId, SCOPES) };
  },
});
