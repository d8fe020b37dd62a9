/** The member's profile, and the pages on which the member has a role. */
import type { SimulatorRequest } from '../../contract.ts';
import type { Handler } from '../../http/routes.ts';
import type { JsonObject } from '../../json.ts';
import { PICTURE_TYPE, pictureId, pictureResponse } from '../../profile-pictures/route.ts';
import { type CallerHandler, need } from './caller.ts';
import { KNOWN_ROLES, type Organization, organizationUrn, type Person, personUrn } from './records.ts';
import { onlyParameters, refuse } from './responses.ts';

const DEFAULT_COUNT = 10;

/** `GET /v2/userinfo` (OpenID Connect). The response has no vanity name. */
export const userInfo: CallerHandler = async (options, _request, caller) => {
  need(caller, ['openid', 'profile'], 'userinfo.GET');
  const { id, username } = caller.person;
  const email = { email: `${id}@example.org`, email_verified: true };
  return {
    status: 200,
    body: {
      sub: id,
      name: username,
      given_name: username,
      family_name: '',
      picture: `${options.baseUrl}/media/${id}.png`,
      locale: { country: 'US', language: 'en' },
      ...(caller.scopes.includes('email') ? email : {}),
    },
  };
};

/**
 * `GET /v2/me` of the Profile API, for applications with `r_basicprofile`. A picture has URLs only in a projection that
 * asks for its streams.
 */
export const me: CallerHandler = async (options, request, caller) => {
  need(caller, ['r_basicprofile'], 'me.GET');
  const { id, username } = caller.person;
  const displayImage = `urn:li:digitalmediaAsset:C4D03${id}`;
  const localized = { localized: { en_US: username }, preferredLocale: { country: 'US', language: 'en' } };
  return {
    status: 200,
    body: {
      id,
      vanityName: username,
      localizedFirstName: username,
      localizedLastName: '',
      firstName: localized,
      lastName: { ...localized, localized: { en_US: '' } },
      profilePicture: { displayImage, ...streamsIn(request, 'displayImage', `${options.baseUrl}/media/${id}.png`) },
    },
  };
};

/** The URLs of a media asset, if the projection asks for them (`original~:playableStreams`). */
function streamsIn({ query }: SimulatorRequest, field: string, identifier: string): JsonObject {
  const isAsked = (query.get('projection') ?? '').includes(`${field}~:playableStreams`);
  const identifiers = [{ identifier, index: 0, mediaType: PICTURE_TYPE, identifierType: 'EXTERNAL_URL' }];
  return isAsked ? { [`${field}~`]: { elements: [{ identifiers }] } } : {};
}

/** `GET /rest/organizationAcls?q=roleAssignee`: lists the caller's roles, filtered by role and state if given. */
export const roles: CallerHandler = async (_options, request, caller) => {
  need(caller, ['rw_organization_admin'], 'organizationAcls.FINDER-roleAssignee');
  const { query } = request;
  if (query.get('q') !== 'roleAssignee') throw refuse('QUERY_PARAM_NOT_ALLOWED', 'There is no such finder.');
  onlyParameters(query, ['q', 'role', 'state', 'start', 'count']);
  const role = query.get('role');
  if (role !== null && !KNOWN_ROLES.includes(role)) throw refuse('INVALID_VALUE_FOR_FIELD', 'No such role.', '/role');
  const state = query.get('state');
  const found = caller.person.roles.filter(
    (each) => (role === null || each.role === role) && (state === null || each.state === state),
  );
  const { shown, paging } = paged(request, found);
  const elements = shown.map((each) => ({
    role: each.role,
    organization: organizationUrn(each.organizationId),
    roleAssignee: personUrn(caller.person),
    state: each.state,
  }));
  return { status: 200, body: { elements, paging } };
};

/** `GET /rest/organizations/{id}`. */
export const organization: CallerHandler = async (options, request, caller) => {
  need(caller, ['rw_organization_admin'], 'organizations.GET');
  const found = await options.store.get<Organization>('organization', request.params.id ?? '');
  if (!found) throw refuse('NOT_FOUND', 'Could not find entity');
  const { id, vanityName, name } = found;
  const streams = streamsIn(request, 'original', `${options.baseUrl}/media/${id}.png`);
  const logoV2 = { original: `urn:li:digitalmediaAsset:C4D0B${id}`, ...streams };
  return { status: 200, body: { id: Number(id), localizedName: name, vanityName, logoV2 } };
};

/** Returns the picture of a member or a page. */
export const picture: Handler = async ({ store }, { params }) => {
  const id = pictureId(params.file);
  const [person, page] = [await store.get<Person>('person', id), await store.get<Organization>('organization', id)];
  const name = person?.username ?? page?.vanityName;
  return name === undefined ? { status: 404 } : pictureResponse({ place: 3, name, id });
};

/** Returns a page of a list, and its description. @throws Refused if `start` or `count` is invalid */
export function paged<T>(request: SimulatorRequest, all: readonly T[]): { shown: T[]; paging: JsonObject } {
  const query = new URLSearchParams(request.query);
  const [start, count] = [Number(query.get('start') ?? 0), Number(query.get('count') ?? DEFAULT_COUNT)];
  if (!Number.isInteger(start) || start < 0 || !Number.isInteger(count) || count < 1 || count > 100)
    throw refuse('INVALID_VALUE_FOR_FIELD', 'start or count is out of range.');
  query.set('start', String(start + count));
  query.set('count', String(count));
  const next = { rel: 'next', href: `${request.path}?${query}`, type: 'application/json' };
  const links = start + count < all.length ? [next] : [];
  return { shown: all.slice(start, start + count), paging: { start, count, links } };
}
