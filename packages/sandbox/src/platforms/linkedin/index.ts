/** Simulator of LinkedIn: OAuth, roles on pages, the versioned Videos and Posts APIs. */
import type { Simulator, SimulatorModule, SimulatorOptions, SimulatorVariant } from '../../contract.ts';
import { failed, refusal } from './answers.ts';
import { answering, throttled, unversioned, versioned } from './caller.ts';
import { showConsent, takeConsent } from './consent.ts';
import { createPost, listPosts, postPage, showPost } from './posts.ts';
import { organization, picture, roles, userInfo } from './profile.ts';
import {
  MEMBER_SCOPES,
  memberNamed,
  organizationUrn,
  PAGE_SCOPES,
  personUrn,
  type Settings,
  settingsOf,
} from './records.ts';
import { exchange, grantTokens, introspect, revoke } from './tokens.ts';
import { act, receivePart, show } from './videos.ts';

/** User names with this prefix are members, as in profile URLs; all others are pages. */
const MEMBER = /^in\//;

export const simulator: SimulatorModule = {
  platform: 'linkedin',
  create: createLinkedIn,
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: 60_000 }),
    variant('a member, whose posts nobody can read', { enrolMembers: true }),
  ],
};

function variant(name: string, settings: Settings): SimulatorVariant {
  return { name, prepare: (books) => books.put('settings', 'linkedin', settings) };
}

function createLinkedIn(options: SimulatorOptions): Simulator {
  return {
    platform: 'linkedin',
    routes: [
      { method: 'GET', path: '/oauth/v2/authorization', handle: (request) => showConsent(options, request) },
      { method: 'POST', path: '/oauth/v2/authorization', handle: (request) => takeConsent(options, request) },
      { method: 'POST', path: '/oauth/v2/accessToken', handle: (request) => exchange(options, request) },
      { method: 'POST', path: '/oauth/v2/introspectToken', handle: (request) => introspect(options, request) },
      { method: 'POST', path: '/oauth/v2/revoke', handle: (request) => revoke(options, request) },
      {
        method: 'GET',
        path: '/v2/userinfo',
        handle: unversioned(options, 'userinfo', (caller) => userInfo(options, caller)),
      },
      { method: 'GET', path: '/rest/organizationAcls', handle: versioned(options, 'organizationAcls', roles) },
      {
        method: 'GET',
        path: '/rest/organizations/:id',
        handle: versioned(options, 'organizations', (caller, request) => organization(options, caller, request)),
      },
      {
        method: 'POST',
        path: '/rest/videos',
        handle: versioned(options, 'videos action', (caller, request) => act(options, caller, request)),
      },
      {
        method: 'GET',
        path: '/rest/videos/:urn',
        handle: versioned(options, 'videos', (caller, request) => show(options, caller, request)),
      },
      {
        method: 'POST',
        path: '/rest/posts',
        handle: versioned(options, 'posts create', (caller, request) => createPost(options, caller, request)),
      },
      {
        method: 'GET',
        path: '/rest/posts',
        handle: versioned(options, 'posts finder', (caller, request) => listPosts(options, caller, request)),
      },
      {
        method: 'GET',
        path: '/rest/posts/:urn',
        handle: versioned(options, 'posts', (caller, request) => showPost(options, caller, request)),
      },
      {
        method: 'PUT',
        path: '/dms-uploads/sp/v2/:key/:part',
        handle: answering((request) => receivePart(options, request)),
      },
      { method: 'GET', path: '/media/:file', handle: async ({ params }) => picture(params.file ?? '') },
      { method: 'GET', path: '/feed/update/:urn/', handle: (request) => postPage(options, request) },
    ],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return throttled('burst').answer;
        // No header gives the wait; the message names the exhausted daily limit.
        case 'rate-limited-with-wait':
          return throttled('MEMBER DAY').answer;
        case 'server-error':
          return failed(500);
        case 'token-expired':
          return refusal('EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired');
        case 'token-revoked':
          return refusal('REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user');
      }
    },
    unknownRoute: () => refusal('NOT_FOUND', 'No virtual resource found'),
    /** Creates one account each: `nora` is the page of that name, `in/nora` the member who manages it. */
    async enrol(username) {
      const isMember = MEMBER.test(username) || (await settingsOf(options)).enrolMembers === true;
      const person = await memberNamed(options, username.replace(MEMBER, ''));
      const tokenAnswer = await grantTokens(options, person.id, isMember ? MEMBER_SCOPES : PAGE_SCOPES);
      const remoteId = isMember ? personUrn(person) : organizationUrn(person.roles[0]?.organizationId ?? '');
      return { remoteId, username: person.username, tokenAnswer, credentials: null };
    },
  };
}
