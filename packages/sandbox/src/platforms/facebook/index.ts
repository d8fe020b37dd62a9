/** Facebook Pages simulator: login dialog, Pages with their own tokens, and the Reels Publishing API. */
import type {
  Route,
  Simulator,
  SimulatorAnswer,
  SimulatorModule,
  SimulatorOptions,
  SimulatorRequest,
  SimulatorVariant,
} from '../../contract.ts';
import { answering, graphError, unavailable } from './answers.ts';
import { showDialog, takeDialog } from './consent.ts';
import { dropPermissions, listPages, listPermissions, readNode } from './nodes.ts';
import { picture, reelPage } from './pages.ts';
import { enrolUser, PERMISSIONS, SWITCHES, type Switches } from './records.ts';
import { listReels, postReel } from './reels.ts';
import { addThumbnail } from './thumbnails.ts';
import { accessToken, longToken, makeGrant } from './tokens.ts';
import { usedUp } from './trouble.ts';
import { receiveVideo } from './upload.ts';

export const simulator: SimulatorModule = {
  platform: 'facebook',
  create: createFacebook,
  endpoints: (baseUrl) => ({ graph: baseUrl, upload: baseUrl, www: baseUrl }),
  variants: [
    variant('processing that takes a while', { processingMs: 20_000 }),
    variant('processing that begins with the finish', { processAfterFinish: true, processingMs: 20_000 }),
    variant('a second finish that publishes again', { finishTwice: true }),
  ],
};

function variant(name: string, switches: Switches): SimulatorVariant {
  return { name, prepare: (books) => books.put(...SWITCHES, switches) };
}

type Handler = (options: SimulatorOptions, request: SimulatorRequest) => Promise<SimulatorAnswer>;

function createFacebook(options: SimulatorOptions): Simulator {
  const route = (method: Route['method'], path: string, handler: Handler): Route => ({
    method,
    path,
    handle: (request) => answering(() => handler(options, request)),
  });
  /** A route below a version, as all Graph API calls are. */
  const graph = (method: Route['method'], path: string, handler: Handler): Route =>
    route(method, `/:version${path}`, async (given, request) =>
      /^v\d{2}\.0$/.test(request.params.version ?? '') ? handler(given, request) : unknownPath(),
    );
  return {
    platform: 'facebook',
    routes: [
      route('POST', '/video-upload/:id', receiveVideo),
      route('POST', '/video-upload/:version/:id', receiveVideo),
      route('GET', '/reel/:id', reelPage),
      route('GET', '/reel/:id/', reelPage),
      route('GET', '/picture/:id', picture),
      graph('GET', '/dialog/oauth', showDialog),
      graph('POST', '/dialog/oauth', takeDialog),
      graph('GET', '/oauth/access_token', accessToken),
      graph('POST', '/oauth/access_token', accessToken),
      graph('GET', '/me/accounts', listPages),
      graph('GET', '/me/permissions', listPermissions),
      graph('DELETE', '/me/permissions', dropPermissions),
      graph('GET', '/:id/video_reels', listReels),
      graph('POST', '/:id/video_reels', postReel),
      graph('POST', '/:id/thumbnails', addThumbnail),
      graph('GET', '/:id', readNode),
    ],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return graphError({ code: 4, message: '(#4) Application request limit reached', isTransient: true });
        case 'rate-limited-with-wait':
          return graphError(usedUp('104000000000001', 1));
        case 'server-error':
          return unavailable();
        case 'token-expired':
          return graphError({
            code: 190,
            subcode: 463,
            message: 'Error validating access token: Session has expired on Saturday, 21-Nov-26 02:00:00 PST.',
          });
        case 'token-revoked':
          return graphError({
            code: 190,
            subcode: 458,
            message: 'Error validating access token: The user has not authorized the application.',
          });
      }
    },
    unknownRoute: unknownPath,
    async enrol(username) {
      const { userId, pages } = await enrolUser(options, username);
      const [page] = pages;
      if (!page) throw new Error('A login has at least one Page.');
      const grantId = await makeGrant(options, { userId, scopes: [...PERMISSIONS], declined: [], pageIds: [page.id] });
      return {
        remoteId: page.id,
        username: page.username,
        tokenAnswer: await longToken(options, grantId),
        credentials: null,
      };
    },
  };
}

function unknownPath(): SimulatorAnswer {
  return graphError({ code: 2500, message: 'Unknown path components' });
}
