/** TikTok simulator: Login Kit, Direct Post by file upload, and the Display API's lists. */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { colorOf, letterPicture, pictureRoute } from '../../http/pages.ts';
import { routesWith } from '../../http/routes.ts';
import { failed, refuse } from './answers.ts';
import { consentRoutes } from './consent.ts';
import { initUpload } from './init.ts';
import { videoPage } from './pages.ts';
import { creatorInfo, userInfo } from './profile.ts';
import { type Account, enrolAccount, SCOPES } from './records.ts';
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
  const route = routesWith(options);
  return {
    platform: 'tiktok',
    routes: [
      ...consentRoutes(options),
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
      pictureRoute<Account>(options, '/avatar/:id', 'account', ({ openId, username }) =>
        letterPicture(username, colorOf(Number.parseInt(openId.slice(0, 4), 16))),
      ),
      route('GET', '/:handle/video/:id', videoPage),
    ],
    refusal: (kind) => refusals(options)[kind],
    unknownRoute: () => refuse(options, 'unsupported_path', 'There is no such path.'),
    async enrol(given) {
      const { openId: remoteId, username } = await enrolAccount(options, given);
      return { remoteId, username, tokenAnswer: await grantTokens(options, remoteId, SCOPES), credentials: null };
    },
  };
}

function refusals(options: SimulatorOptions): Record<PlatformRefusal, SimulatorResponse> {
  // TikTok sends no header that states a wait.
  const limited = refuse(options, 'rate_limit_exceeded', 'The API rate limit was exceeded.');
  const invalid = refuse(options, 'access_token_invalid', 'The access token is invalid or not found in the request.');
  return {
    'rate-limited': limited,
    'rate-limited-with-wait': limited,
    'server-error': failed(options, 500),
    'token-expired': invalid,
    'token-revoked': invalid,
  };
}
