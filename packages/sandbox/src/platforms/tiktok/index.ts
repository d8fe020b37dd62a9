/** TikTok simulator: Login Kit, Direct Post by file upload, and the Display API's lists. */
import type { Simulator, SimulatorModule, SimulatorOptions } from '../../contract.ts';
import { failed, refuse } from './answers.ts';
import { showConsent, takeConsent } from './consent.ts';
import { initUpload } from './init.ts';
import { avatar, videoPage } from './pages.ts';
import { creatorInfo, userInfo } from './profile.ts';
import { enrolAccount, SCOPES } from './records.ts';
import { cancel, fetchStatus } from './status.ts';
import { exchange, grantTokens, revoke } from './tokens.ts';
import { receiveChunk } from './upload.ts';
import { listVideos, queryVideos } from './videos.ts';

export const simulator: SimulatorModule = {
  platform: 'tiktok',
  create: createTikTok,
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
};

function createTikTok(options: SimulatorOptions): Simulator {
  return {
    platform: 'tiktok',
    routes: [
      { method: 'GET', path: '/v2/auth/authorize/', handle: (request) => showConsent(options, request) },
      { method: 'POST', path: '/v2/auth/authorize/', handle: (request) => takeConsent(options, request) },
      { method: 'POST', path: '/v2/oauth/token/', handle: (request) => exchange(options, request) },
      { method: 'POST', path: '/v2/oauth/revoke/', handle: (request) => revoke(options, request) },
      { method: 'GET', path: '/v2/user/info/', handle: (request) => userInfo(options, request) },
      {
        method: 'POST',
        path: '/v2/post/publish/creator_info/query/',
        handle: (request) => creatorInfo(options, request),
      },
      { method: 'POST', path: '/v2/post/publish/video/init/', handle: (request) => initUpload(options, request) },
      { method: 'POST', path: '/v2/post/publish/status/fetch/', handle: (request) => fetchStatus(options, request) },
      { method: 'POST', path: '/v2/post/publish/cancel/', handle: (request) => cancel(options, request) },
      { method: 'POST', path: '/v2/video/list/', handle: (request) => listVideos(options, request) },
      { method: 'POST', path: '/v2/video/query/', handle: (request) => queryVideos(options, request) },
      { method: 'PUT', path: '/video/', handle: (request) => receiveChunk(options, request) },
      { method: 'GET', path: '/avatar/:openId', handle: (request) => avatar(options, request) },
      { method: 'GET', path: '/:handle/video/:id', handle: (request) => videoPage(options, request) },
    ],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
        case 'rate-limited-with-wait':
          // TikTok sends no header that states a wait.
          return refuse(options, 'rate_limit_exceeded', 'The API rate limit was exceeded.');
        case 'server-error':
          return failed(options, 500);
        case 'token-expired':
        case 'token-revoked':
          return refuse(options, 'access_token_invalid', 'The access token is invalid or not found in the request.');
      }
    },
    unknownRoute: () => refuse(options, 'unsupported_path', 'There is no such path.'),
    async enrol(username) {
      const account = await enrolAccount(options, username);
      return {
        remoteId: account.openId,
        username: account.username,
        tokenAnswer: await grantTokens(options, account.openId, SCOPES),
        credentials: null,
      };
    },
  };
}
