/** Facebook Pages simulator: login dialog, Pages with their own tokens, and the Reels Publishing API. */

import type { Route } from '../../contract.ts';
import { defineSimulator } from '../../define-simulator.ts';
import { fileRoute } from '../../graph/files.ts';
import { graphError } from '../../graph/responses.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { SECOND } from '../../time.ts';
import { dialogRoutes } from './consent.ts';
import { dropPermissions, listBusinesses, listBusinessPages, listPages, listPermissions, readNode } from './nodes.ts';
import { phoneOf } from './phone.ts';
import { enrolUser, MORE_PERMISSIONS, type Page, PERMISSIONS, variant } from './records.ts';
import { listReels, postReel, reelPage } from './reels.ts';
import { invalidToken, unavailable, usedUp } from './responses.ts';
import { addThumbnail } from './thumbnails.ts';
import { accessToken, longToken, makeGrant } from './tokens.ts';
import { receiveVideo } from './upload.ts';
import { fileOf } from './video.ts';

export const simulator = defineSimulator({
  platform: 'facebook',
  endpoints: (baseUrl) => ({ graph: baseUrl, upload: baseUrl, www: baseUrl }),
  variants: [
    variant('processing that takes a while', { processingMs: 20 * SECOND }),
    variant('processing that begins with the finish', { processAfterFinish: true, processingMs: 20 * SECOND }),
    variant('a second finish that publishes again', { finishTwice: true }),
    variant('uploads that are complete after a while', { settleMs: 10 * SECOND }),
  ],
  routes(options) {
    const route = routesWith(options);
    return [
      route('POST', '/video-upload/:id', receiveVideo),
      route('POST', '/video-upload/:version/:id', receiveVideo),
      route('GET', '/reel/:id', reelPage),
      route('GET', '/reel/:id/', reelPage),
      pictureRoute<Page>(options, '/picture/:id', 'page', ({ id, name }) => ({ place: 1, name, id })),
      fileRoute(options, fileOf),
      ...asConsent(dialogRoutes(options)).map(versioned),
      ...[
        route('GET', '/:version/oauth/access_token', accessToken),
        route('POST', '/:version/oauth/access_token', accessToken),
        route('GET', '/:version/me/accounts', listPages),
        route('GET', '/:version/me/businesses', listBusinesses),
        route('GET', '/:version/:id/owned_pages', listBusinessPages('owned_pages')),
        route('GET', '/:version/:id/client_pages', listBusinessPages('client_pages')),
        route('GET', '/:version/me/permissions', listPermissions),
        route('DELETE', '/:version/me/permissions', dropPermissions),
        route('GET', '/:version/:id/video_reels', listReels),
        route('POST', '/:version/:id/video_reels', postReel),
        route('POST', '/:version/:id/thumbnails', addThumbnail),
        route('GET', '/:version/:id', readNode),
      ].map(versioned),
    ];
  },
  refusals: () => ({
    'rate-limited': graphError({ code: 4, message: '(#4) Application request limit reached', isTransient: true }),
    'rate-limited-with-wait': usedUp('104000000000001'),
    'server-error': unavailable(),
    'token-expired': invalidToken(463, 'Session has expired on Saturday, 21-Nov-26 02:00:00 PST.'),
    'token-revoked': invalidToken(458, 'The user has not authorized the application.'),
  }),
  unknownRoute: unknownPath,
  async enrol(options, given) {
    const { userId, pages } = await enrolUser(options, given);
    const [page] = pages;
    if (!page) throw new Error('A login has at least one Page.');
    const { id: remoteId, username } = page;
    const grantId = await makeGrant(options, {
      userId,
      scopes: [...PERMISSIONS, ...MORE_PERMISSIONS],
      declined: [],
      pageIds: [remoteId],
    });
    return { remoteId, username, tokenAnswer: await longToken(options, grantId) };
  },
  phone: phoneOf,
});

/** A route below a version, as all Graph API calls are. */
function versioned(route: Route): Route {
  return {
    ...route,
    handle: async (request) =>
      /^v\d{2}\.0$/.test(request.params.version ?? '') ? route.handle(request) : unknownPath(),
  };
}

function unknownPath() {
  return graphError({ code: 2500, message: 'Unknown path components' });
}
