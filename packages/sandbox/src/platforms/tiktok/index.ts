/** TikTok simulator: Login Kit, Direct Post by file upload, and the Display API's lists. */

import { defineSimulator } from '../../define-simulator.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { consentRoutes } from './consent.ts';
import { initUpload } from './init.ts';
import { phone } from './phone.ts';
import { creatorInfo, userInfo } from './profile.ts';
import { type Account, enrolAccount, SCOPES, variant } from './records.ts';
import { failed, invalidToken, rateLimited, refuse } from './responses.ts';
import { cancel, fetchStatus } from './status.ts';
import { exchange, grantTokens, revoke } from './tokens.ts';
import { receiveChunk } from './upload.ts';
import { listVideos, queryVideos, videoPage } from './videos.ts';

export const simulator = defineSimulator({
  platform: 'tiktok',
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
  variants: [variant('public posts without an id', { hidesPostIds: true })],
  routes(options) {
    const route = routesWith(options);
    return [
      ...asConsent(consentRoutes(options)),
      route('POST', '/v2/oauth/token/', exchange),
      route('POST', '/v2/oauth/revoke/', revoke),
      route('GET', '/v2/user/info/', userInfo),
      route('POST', '/v2/post/publish/creator_info/query/', creatorInfo),
      route('POST', '/v2/post/publish/video/init/', initUpload),
      route('POST', '/v2/post/publish/status/fetch/', fetchStatus),
      route('POST', '/v2/post/publish/cancel/', cancel),
      route('POST', '/v2/video/list/', listVideos),
      route('POST', '/v2/video/query/', queryVideos),
      route('PUT', '/video/', receiveChunk),
      pictureRoute<Account>(options, '/avatar/:id', 'account', ({ openId: id, username: name }) => ({
        place: 9,
        name,
        id,
      })),
      route('GET', '/:handle/video/:id', videoPage),
    ];
  },
  refusals: (options) => ({
    'rate-limited': rateLimited(options),
    // TikTok sends no header that states a wait.
    'rate-limited-with-wait': rateLimited(options),
    'server-error': failed(options, 500),
    'token-expired': invalidToken(options),
    'token-revoked': invalidToken(options),
  }),
  unknownRoute: (options) => refuse(options, 'unsupported_path', 'There is no such path.'),
  phone,
  async enrol(options, given) {
    const { openId: remoteId, username } = await enrolAccount(options, given);
    return { remoteId, username, tokenAnswer: await grantTokens(options, remoteId, SCOPES) };
  },
});
