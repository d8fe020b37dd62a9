/** YouTube simulator: Google's OAuth, the resumable upload, and the lists of the Data API v3. */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { routesWith } from '../../http/routes.ts';
import { exhausted, refuse, unauthenticated } from './answers.ts';
import { listChannels } from './channels.ts';
import { consentRoutes } from './consent.ts';
import { avatar, videoPage } from './pages.ts';
import { receive } from './receive.ts';
import { enrolAccount, READ, UPLOAD } from './records.ts';
import { startUpload } from './start.ts';
import { setThumbnail } from './thumbnails.ts';
import { exchange, grantTokens, revoke } from './tokens.ts';
import { listPlaylistItems, listVideos } from './videos.ts';

export const simulator: SimulatorModule = {
  platform: 'youtube',
  create: createYouTube,
  endpoints: (baseUrl) => ({ accounts: baseUrl, oauth: baseUrl, api: baseUrl, www: baseUrl }),
};

function createYouTube(options: SimulatorOptions): Simulator {
  const route = routesWith(options);
  return {
    platform: 'youtube',
    routes: [
      ...consentRoutes(options),
      route('POST', '/token', exchange),
      route('POST', '/revoke', revoke),
      route('GET', '/youtube/v3/channels', listChannels),
      route('GET', '/youtube/v3/videos', listVideos),
      route('GET', '/youtube/v3/playlistItems', listPlaylistItems),
      route('POST', '/upload/youtube/v3/videos', startUpload),
      route('PUT', '/upload/youtube/v3/videos', receive),
      route('POST', '/upload/youtube/v3/thumbnails/set', setThumbnail),
      route('GET', '/avatar/:id', avatar),
      { method: 'GET', path: '/watch', handle: ({ query }) => videoPage(options, query.get('v') ?? '') },
      { method: 'GET', path: '/shorts/:id', handle: ({ params }) => videoPage(options, params.id ?? '') },
    ],
    refusal: (kind) => REFUSALS[kind],
    unknownRoute: () => refuse('notFound', 'Not Found'),
    async enrol(given) {
      const { channelId: remoteId, username } = await enrolAccount(options, given);
      return {
        remoteId,
        username,
        tokenAnswer: await grantTokens(options, remoteId, [UPLOAD, READ]),
        credentials: null,
      };
    },
  };
}

const REFUSALS: Readonly<Record<PlatformRefusal, SimulatorResponse>> = {
  'rate-limited': refuse('userRateLimitExceeded', 'The request cannot be completed: too many requests at once.'),
  // Google sends no header that states a wait.
  'rate-limited-with-wait': exhausted(),
  'server-error': refuse('backendError', 'Backend Error'),
  'token-expired': unauthenticated(),
  'token-revoked': unauthenticated(),
};
