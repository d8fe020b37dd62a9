/**
 * Instagram simulator: the Instagram Platform with both logins, containers, the upload host and lists. Each of the
 * platform's hosts is a path prefix below the base URL.
 */

import type { Route } from '../../contract.ts';
import { defineSimulator } from '../../define-simulator.ts';
import { fileRoute } from '../../graph/files.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { MINUTE } from '../../time.ts';
import type { HostHandler } from './caller.ts';
import { consentRoutes } from './consent.ts';
import { mediumOf, reelPage } from './media.ts';
import { edge, node } from './nodes.ts';
import { businesses, me, pagesOfUser, permissions, removeApplication } from './people.ts';
import { phoneOf } from './phone.ts';
import { type Account, enrolAccount, type Login, personOf, SCOPES, settingsOf, variant } from './records.ts';
import { limited, refuse, removedApplication } from './responses.ts';
import { exchangeFacebook, exchangeInstagram, grantTokens, lengthen, renew } from './tokens.ts';
import { receive } from './upload.ts';

export const simulator = defineSimulator({
  platform: 'instagram',
  endpoints: (baseUrl) => ({
    instagram: `${baseUrl}/www-instagram`,
    instagramApi: `${baseUrl}/api-instagram`,
    instagramGraph: `${baseUrl}/graph-instagram`,
    facebook: `${baseUrl}/www-facebook`,
    facebookGraph: `${baseUrl}/graph-facebook`,
    facebookUpload: `${baseUrl}/rupload`,
  }),
  variants: [
    variant('Facebook login and uploads', { login: 'facebook' }),
    variant('Facebook login whose Page tokens see no containers', { login: 'facebook', hiddenFromPages: true }),
    variant('lists that lag a minute', { listLagMs: MINUTE }),
    variant('a container that says late that it is published', { statusLagMs: 10 * MINUTE }),
  ],
  routes(options) {
    const route = routesWith(options);
    /** Calls of a host with versions. */
    const graph = (host: Login, method: Route['method'], path: string, handler: HostHandler) =>
      route(method, `/graph-${host}/:version${path}`, (given, request) => handler(given, request, host));
    return [
      ...asConsent(consentRoutes(options, 'instagram')),
      ...asConsent(consentRoutes(options, 'facebook')),
      route('POST', '/api-instagram/oauth/access_token', exchangeInstagram),
      route('GET', '/graph-instagram/access_token', lengthen),
      route('GET', '/graph-instagram/refresh_access_token', renew),
      graph('facebook', 'GET', '/oauth/access_token', exchangeFacebook),
      graph('facebook', 'POST', '/oauth/access_token', exchangeFacebook),
      graph('facebook', 'GET', '/me/accounts', pagesOfUser),
      graph('facebook', 'GET', '//me/accounts', pagesOfUser),
      graph('facebook', 'GET', '//oauth/access_token', exchangeFacebook),
      graph('facebook', 'GET', '/me/businesses', businesses),
      graph('facebook', 'GET', '/me/permissions', permissions),
      graph('facebook', 'DELETE', '/me/permissions', removeApplication),
      ...(['instagram', 'facebook'] as const).flatMap((host) => [
        graph(host, 'GET', '/me', me),
        // The Graph API accepts a doubled slash, which the library instagram-graph-api sends.
        ...['', '/'].flatMap((slash) => [
          graph(host, 'GET', `${slash}/:id`, node),
          graph(host, 'GET', `${slash}/:id/:edge`, edge),
          graph(host, 'POST', `${slash}/:id/:edge`, edge),
        ]),
      ]),
      route('POST', '/rupload/ig-api-upload/:version/:id', receive),
      route('GET', '/www-instagram/reel/:shortcode/', reelPage),
      fileRoute(options, mediumOf),
      pictureRoute<Account>(options, '/picture/:id', 'account', ({ igId: id, username: name }) => ({
        place: 2,
        name,
        id,
      })),
    ];
  },
  refusals: () => ({
    'rate-limited': limited('17841400000000001', null),
    'rate-limited-with-wait': limited('17841400000000001', 7),
    'server-error': refuse('2', 'Service temporarily unavailable', { status: 500, transient: true }),
    'token-expired': refuse('190/463', 'The session has expired.'),
    'token-revoked': removedApplication(),
  }),
  unknownRoute: (_options, { path }) => refuse('2500', `Unknown path components: ${path.slice(0, 80)}`),
  async enrol(options, given) {
    const { igId: remoteId, username } = await enrolAccount(options, given);
    const { login } = await settingsOf(options);
    const tokenAnswer = await grantTokens(options, {
      login,
      person: personOf(username),
      igIds: [remoteId],
      scopes: login === 'facebook' ? [...SCOPES.facebook, 'business_management'] : [...SCOPES.instagram],
      declined: [],
    });
    return { remoteId, username, tokenAnswer };
  },
  phone: phoneOf,
});
