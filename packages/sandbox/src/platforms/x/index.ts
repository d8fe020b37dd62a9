/** X simulator: OAuth 2.0, segmented uploads, posts and timelines of API v2, written from docs.x.com. */

import { defineSimulator } from '../../define-simulator.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { MINUTE } from '../../time.ts';
import { createActivity } from './activity.ts';
import { asCaller } from './caller.ts';
import { consentRoutes } from './consent.ts';
import { videoFile } from './fields.ts';
import { append, describeMedia, finalize, initialize, status, upload } from './media.ts';
import { createPhone } from './phone.ts';
import { createPost } from './posts.ts';
import { blank, problem, tooMany } from './problems.ts';
import { type Account, enrolAccount, SCOPES, variant } from './records.ts';
import { deletePost, listPosts, postPage, showPost } from './timeline.ts';
import { exchange, issueTokens, revoke } from './tokens.ts';
import { showMe } from './users.ts';

const MEDIA = ['media.write'];
const WRITE = ['tweet.read', 'tweet.write', 'users.read'];
const READ = ['tweet.read', 'users.read'];

export const simulator = defineSimulator({
  platform: 'x',
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
  variants: [
    variant('timelines that lag a minute', { listLagMs: MINUTE }),
    variant('uploads that can be finalized once', { finalizeOnce: true, olderGateway: true }),
  ],
  live: createActivity,
  routes(options, activity) {
    const route = routesWith(options);
    return [
      ...asConsent(consentRoutes(options)),
      ...activity.routes(options),
      route('POST', '/2/oauth2/token', exchange),
      route('POST', '/2/oauth2/revoke', revoke),
      route('GET', '/2/users/me', asCaller('me', READ, showMe)),
      route('POST', '/2/media/upload/initialize', asCaller('initialize', MEDIA, initialize)),
      route('POST', '/2/media/upload/:id/append', asCaller('append', MEDIA, append)),
      route('POST', '/2/media/upload/:id/finalize', asCaller('finalize', MEDIA, finalize)),
      route('GET', '/2/media/upload', asCaller('status', MEDIA, status)),
      route('POST', '/2/media/upload', asCaller('upload', MEDIA, upload)),
      route('POST', '/2/media/metadata', asCaller('metadata', MEDIA, describeMedia)),
      route('POST', '/2/tweets', asCaller('createPost', WRITE, createPost(activity))),
      route('GET', '/2/users/:id/tweets', asCaller('timeline', READ, listPosts)),
      route('GET', '/2/tweets/:id', asCaller('post', READ, showPost)),
      route('DELETE', '/2/tweets/:id', asCaller('deletePost', WRITE, deletePost)),
      pictureRoute<Account>(options, '/profile_images/:id', 'account', ({ id, username: name }) => ({
        place: 10,
        name,
        id,
      })),
      route('GET', '/videos/:id', videoFile),
      route('GET', '/videos/:id/:size', videoFile),
      route('GET', '/i/web/status/:id', postPage),
      route('GET', '/:username/status/:id', postPage),
    ];
  },
  refusals: ({ now }) => ({
    'rate-limited': blank(429),
    'rate-limited-with-wait': tooMany(now()),
    'server-error': blank(503),
    'token-expired': blank(401),
    'token-revoked': blank(401),
  }),
  unknownRoute: (_options, { path }) => problem(404, 'resource-not-found', 'Not Found', `There is nothing at ${path}.`),
  phone: createPhone,
  async enrol(options, given) {
    const { id: remoteId, username } = await enrolAccount(options, given);
    return { remoteId, username, tokenAnswer: await issueTokens(options, remoteId, SCOPES) };
  },
});
