/** YouTube simulator: Google's OAuth, the resumable upload, and the lists of the Data API v3. */

import { defineSimulator } from '../../define-simulator.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { listChannels } from './channels.ts';
import { consentRoutes } from './consent.ts';
import { subscribe } from './hub.ts';
import { phone } from './phone.ts';
import { receive } from './receive.ts';
import { type Account, enrolAccount, READ, UPLOAD } from './records.ts';
import { backendError, exhausted, rateLimited, refuse, unauthenticated } from './responses.ts';
import { startUpload } from './start.ts';
import { setThumbnail } from './thumbnails.ts';
import { exchange, grantTokens, keys, revoke, tokenInfo } from './tokens.ts';
import { deleteVideo, listPlaylistItems, listVideos, videoPage } from './videos.ts';

export const simulator = defineSimulator({
  platform: 'youtube',
  endpoints: (baseUrl) => ({ accounts: baseUrl, oauth: baseUrl, api: baseUrl, www: baseUrl }),
  routes(options) {
    const route = routesWith(options);
    return [
      ...asConsent(consentRoutes(options)),
      route('POST', '/token', exchange),
      route('POST', '/revoke', revoke),
      route('POST', '/tokeninfo', tokenInfo),
      route('GET', '/oauth2/v1/certs', keys),
      route('GET', '/oauth2/v3/certs', keys),
      route('GET', '/youtube/v3/channels', listChannels),
      route('GET', '/youtube/v3/videos', listVideos),
      route('DELETE', '/youtube/v3/videos', deleteVideo),
      route('GET', '/youtube/v3/playlistItems', listPlaylistItems),
      route('POST', '/upload/youtube/v3/videos', startUpload),
      route('PUT', '/upload/youtube/v3/videos', receive),
      route('POST', '/upload/youtube/v3/thumbnails/set', setThumbnail),
      pictureRoute<Account>(options, '/avatar/:id', 'account', ({ channelId: id, username: name }) => ({
        place: 11,
        name,
        id,
      })),
      route('POST', '/hub/subscribe', subscribe),
      route('GET', '/watch', videoPage),
      route('GET', '/shorts/:id', videoPage),
    ];
  },
  refusals: () => ({
    'rate-limited': rateLimited(),
    // Google sends no header that states a wait.
    'rate-limited-with-wait': exhausted(),
    'server-error': backendError(),
    'token-expired': unauthenticated(),
    'token-revoked': unauthenticated(),
  }),
  unknownRoute: () => refuse('notFound', 'Not Found'),
  phone,
  async enrol(options, given) {
    const { channelId: remoteId, username } = await enrolAccount(options, given);
    return { remoteId, username, tokenAnswer: await grantTokens(options, remoteId, [UPLOAD, READ]) };
  },
});
