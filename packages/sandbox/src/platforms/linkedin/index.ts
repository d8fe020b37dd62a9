/** Simulator of LinkedIn: OAuth, roles on pages, the versioned Videos and Posts APIs. */

import { defineSimulator } from '../../define-simulator.ts';
import { routesWith } from '../../http/routes.ts';
import { asConsent } from '../../oauth/consent.ts';
import { MINUTE } from '../../time.ts';
import { throttled, unversioned, versioned } from './caller.ts';
import { consentRoutes } from './consent.ts';
import { discovery, keys } from './identity-token.ts';
import { createPhone } from './phone.ts';
import { createPost, deletePost, listPosts, postPage, showPost } from './posts.ts';
import { me, organization, picture, roles, userInfo } from './profile.ts';
import { accountNamed, MEMBER_SCOPES, PAGE_SCOPES, variant } from './records.ts';
import { failed, refusal, revokedToken } from './responses.ts';
import { exchange, grantTokens, introspect, revoke } from './tokens.ts';
import { act, download, receivePart, show } from './videos.ts';

export const simulator = defineSimulator({
  platform: 'linkedin',
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: MINUTE }),
    variant('a member, whose posts nobody can read', { enrolMembers: true }),
  ],
  routes(options) {
    const route = routesWith(options);
    return [
      ...asConsent(consentRoutes(options)),
      route('POST', '/oauth/v2/accessToken', exchange),
      route('POST', '/oauth/v2/introspectToken', introspect),
      route('POST', '/oauth/v2/revoke', revoke),
      route('GET', '/oauth/.well-known/openid-configuration', discovery),
      route('GET', '/oauth/openid/jwks', keys),
      route('GET', '/v2/userinfo', unversioned('userinfo', userInfo)),
      route('GET', '/v2/me', unversioned('me', me)),
      route('GET', '/rest/organizationAcls', versioned('organizationAcls', roles)),
      route('GET', '/rest/organizations/:id', versioned('organizations', organization)),
      route('POST', '/rest/videos', versioned('videos action', act)),
      route('GET', '/rest/videos/:urn', versioned('videos', show)),
      route('POST', '/rest/posts', versioned('posts create', createPost)),
      route('GET', '/rest/posts', versioned('posts finder', listPosts)),
      route('GET', '/rest/posts/:urn', versioned('posts', showPost)),
      route('DELETE', '/rest/posts/:urn', versioned('posts delete', deletePost)),
      route('PUT', '/dms-uploads/sp/v2/:key/:part', receivePart),
      route('GET', '/dms/playback/:key', download),
      route('GET', '/media/:file', picture),
      route('GET', '/feed/update/:urn/', postPage),
    ];
  },
  refusals: () => ({
    'rate-limited': throttled('burst').response,
    // No header gives the wait; the message names the exhausted daily limit.
    'rate-limited-with-wait': throttled('MEMBER DAY').response,
    'server-error': failed(500),
    'token-expired': refusal('EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired'),
    'token-revoked': revokedToken().response,
  }),
  unknownRoute: () => refusal('NOT_FOUND', 'No virtual resource found'),
  phone: createPhone,
  /** Creates one account each: `nora` is the page of that name, `in/nora` the member who manages it. */
  async enrol(options, username) {
    const { person, isMember, urn } = await accountNamed(options, username);
    const tokenAnswer = await grantTokens(options, person.id, isMember ? MEMBER_SCOPES : PAGE_SCOPES);
    return { remoteId: urn, username: person.username, tokenAnswer };
  },
});
