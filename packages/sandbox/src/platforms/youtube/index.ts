/** YouTube simulator: Google's OAuth, the resumable upload, and the lists of the Data API v3. */
import type { Simulator, SimulatorModule, SimulatorOptions } from '../../contract.ts';
import { exhausted, refuse, unauthenticated } from './answers.ts';
import { listChannels } from './channels.ts';
import { showConsent, takeConsent } from './consent.ts';
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

const UPLOADS = '/upload/youtube/v3/videos';

function createYouTube(options: SimulatorOptions): Simulator {
  return {
    platform: 'youtube',
    routes: [
      { method: 'GET', path: '/o/oauth2/v2/auth', handle: (request) => showConsent(options, request) },
      { method: 'POST', path: '/o/oauth2/v2/auth', handle: (request) => takeConsent(options, request) },
      { method: 'POST', path: '/token', handle: (request) => exchange(options, request) },
      { method: 'POST', path: '/revoke', handle: (request) => revoke(options, request) },
      { method: 'GET', path: '/youtube/v3/channels', handle: (request) => listChannels(options, request) },
      { method: 'GET', path: '/youtube/v3/videos', handle: (request) => listVideos(options, request) },
      { method: 'GET', path: '/youtube/v3/playlistItems', handle: (request) => listPlaylistItems(options, request) },
      { method: 'POST', path: UPLOADS, handle: (request) => startUpload(options, request) },
      { method: 'PUT', path: UPLOADS, handle: (request) => receive(options, request) },
      {
        method: 'POST',
        path: '/upload/youtube/v3/thumbnails/set',
        handle: (request) => setThumbnail(options, request),
      },
      { method: 'GET', path: '/avatar/:id', handle: (request) => avatar(options, request) },
      { method: 'GET', path: '/watch', handle: ({ query }) => videoPage(options, query.get('v') ?? '') },
      { method: 'GET', path: '/shorts/:id', handle: ({ params }) => videoPage(options, params.id ?? '') },
    ],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return refuse('userRateLimitExceeded', 'The request cannot be completed: too many requests at once.');
        case 'rate-limited-with-wait':
          // Google sends no header that states a wait.
          return exhausted();
        case 'server-error':
          return refuse('backendError', 'Backend Error');
        case 'token-expired':
        case 'token-revoked':
          return unauthenticated();
      }
    },
    unknownRoute: () => refuse('notFound', 'Not Found'),
    async enrol(username) {
      const account = await enrolAccount(options, username);
      return {
        remoteId: account.channelId,
        username: account.username,
        tokenAnswer: await grantTokens(options, account.channelId, [UPLOAD, READ]),
        credentials: null,
      };
    },
  };
}
