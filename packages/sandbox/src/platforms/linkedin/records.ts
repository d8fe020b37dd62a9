/** Records of the simulator. Tests may change a record to create special states of a member, page, or application. */
import { createHash } from 'node:crypto';
import type { SimulatorOptions } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import type { TokenRecord as BaseToken } from '../../oauth/tokens.ts';
import { InvalidUsername } from '../../oauth/usernames.ts';
import type { Chunk } from '../../store/chunks.ts';
import { defineSettings, findOrCreate } from '../../store/records.ts';
import { MINUTE } from '../../time.ts';

export const MEMBER_SCOPES = ['openid', 'profile', 'w_member_social'] as const;
export const PAGE_SCOPES = ['w_organization_social', 'r_organization_social', 'rw_organization_admin'] as const;
/** Scopes of the products: "Sign In with LinkedIn using OpenID Connect", and the "Community Management API". */
export const SCOPES = {
  identity: ['openid', 'profile', 'email'],
  community: ['r_basicprofile', ...PAGE_SCOPES],
} as const;
export const KNOWN_SCOPES: readonly string[] = [...SCOPES.identity, ...SCOPES.community, 'w_member_social'];

/** Roles that may post as a page. */
export const POSTING_ROLES: readonly string[] = [
  'ADMINISTRATOR',
  'CONTENT_ADMINISTRATOR',
  'DIRECT_SPONSORED_CONTENT_POSTER',
];
export const KNOWN_ROLES: readonly string[] = [...POSTING_ROLES, 'ANALYST', 'RECRUITING_POSTER'];

export interface Role {
  organizationId: string;
  role: string;
  state: 'APPROVED' | 'REQUESTED' | 'REVOKED';
}

/** Kind `person`, by id. */
export interface Person {
  id: string;
  username: string;
  roles: Role[];
}

/** Kind `organization`, by id. */
export interface Organization {
  id: string;
  vanityName: string;
  name: string;
}

/** Kind `settings`, key `linkedin`. Absent properties mean an ordinary application and platform. */
export interface Settings {
  /** Every user name is a member, not a page. */
  enrolMembers?: boolean;
  /** Minimum file size in bytes that processing accepts. Absent: no minimum, so that small test videos pass. */
  leastBytes?: number;
  /** One application has all products. New ones cannot: the Community Management API must be an application's only one. */
  allProducts?: boolean;
  /** The application is not approved for refresh tokens. */
  noRefreshTokens?: boolean;
  /** Separator of granted scopes. Defaults to a comma. */
  scopeSeparator?: string;
  /** Token of the upload. Defaults to "", the usual value. */
  uploadToken?: string;
  /** ETags are quoted. */
  quotedEtags?: boolean;
  /** A second finalize call returns 200 instead of 400. */
  finalizeAgain?: boolean;
  /** An equal text of the same author is rejected as a duplicate of a post that does not exist. */
  duplicates?: boolean;
  /** Delay in ms until a list shows a new post. */
  listLagMs?: number;
  /** Videos have no download URL. */
  noDownloads?: boolean;
  /** A member's token may not read the member's own videos. */
  blindMembers?: boolean;
  /** Finalizing fails while an announced cover is missing. */
  finalizeNeedsCover?: boolean;
  /** A video with a missing cover never becomes available. */
  waitsForCover?: boolean;
  /** The id of a new post is in another header, or missing. */
  idHeader?: 'x-linkedin-id' | 'none';
}
export const { read: settingsOf, variant } = defineSettings<Settings>(['settings', 'linkedin'], {});

/** Kind `code`, by code. */
export interface AuthCode extends CodeRecord {
  personId: string;
  scopes: string[];
  nonce: string | null;
}

/** Kind `grant`, by id, owned by the person. */
export interface Grant {
  personId: string;
  scopes: string[];
  refreshExpiresAt: number;
  authorizedAt: number;
  /** The member revoked the permission. */
  revoked: boolean;
}

/** Kind `access`, by access token; kind `refresh`, by refresh token. */
export interface TokenRecord extends BaseToken {
  createdAt: number;
  /** Access tokens only: this token alone was revoked. */
  revoked?: boolean;
}

export interface Part {
  first: number;
  last: number;
  /** One entry for each upload of the part. */
  received: (Chunk & { etag: string })[];
}

/** Kind `video`, by URN, owned by the owner's URN. */
export interface Video {
  urn: string;
  owner: string;
  size: number;
  uploadToken: string;
  /** Key in the upload URLs. */
  key: string;
  parts: Part[];
  expiresAt: number;
  /** ms since the epoch; null until finalized. */
  finalizedAt: number | null;
  /** Blobs in order, once finalized. */
  blobs: string[];
  /** SHA-256 of the cover; "" if announced but missing; null if not announced. */
  thumbnail: string | null;
}

/** Lifetime of a download URL, ms. */
export const DOWNLOAD_MS = 15 * MINUTE;

/** Kind `post`, by URN, owned by the author's URN. */
export interface Post {
  urn: string;
  author: string;
  commentary: string;
  visibility: string;
  video: string;
  title: string | null;
  createdAt: number;
  /** Whether the post was published. */
  announced: boolean;
  /** Last edit, ms since the epoch. Absent: never. */
  editedAt?: number;
  /** When lists show the post, ms since the epoch. Absent: after the usual lag. */
  visibleAt?: number;
  /** Fields that replace those of the response, such as `reshareContext` or `lifecycleState`. */
  more?: JsonObject;
}

/** Creates or finds a member who manages a page of the same name. @throws InvalidUsername */
export async function memberNamed(options: SimulatorOptions, given: string): Promise<Person> {
  const username = given.trim();
  if (!/^[^/\p{Cc}]{1,64}$/u.test(username))
    throw new InvalidUsername('A user name has 1 to 64 characters and no slash.');
  const organization: Organization = { id: digits('page', username), vanityName: username, name: `${username} Inc.` };
  await options.store.insert('organization', organization.id, organization);
  const person: Person = {
    id: digest('person', username).slice(0, 10),
    username,
    roles: [{ organizationId: organization.id, role: 'ADMINISTRATOR', state: 'APPROVED' }],
  };
  return findOrCreate(options.store, 'person', person.id, person);
}

/** User names with this prefix are members, as in profile URLs; all others are pages. */
const MEMBER = /^in\//;

/** Creates or finds the account of a user name. @throws InvalidUsername */
export async function accountNamed(options: SimulatorOptions, username: string) {
  const isMember = MEMBER.test(username) || (await settingsOf(options)).enrolMembers === true;
  const person = await memberNamed(options, username.replace(MEMBER, ''));
  return {
    person,
    isMember,
    urn: isMember ? personUrn(person) : organizationUrn(person.roles[0]?.organizationId ?? ''),
  };
}

export function personUrn(person: Pick<Person, 'id'>): string {
  return `urn:li:person:${person.id}`;
}

export function organizationUrn(id: string): string {
  return `urn:li:organization:${id}`;
}

/** Whether the person has a role that may post as the page of this URN. */
export function mayPostAs(person: Person, urn: string): boolean {
  return person.roles.some(
    ({ organizationId, role, state }) =>
      organizationUrn(organizationId) === urn && state === 'APPROVED' && POSTING_ROLES.includes(role),
  );
}

/** Returns 19 new digits that grow with time and exceed the precision of a double. @param at ms since the epoch */
export function newPostNumber({ serial }: Pick<SimulatorOptions, 'serial'>, at: number): string {
  return String((7n << 60n) | (BigInt(Math.floor(at)) << 16n) | (BigInt(serial() % 2 ** 15) << 1n) | 1n);
}

function digest(kind: string, name: string): string {
  return createHash('sha256').update(`${kind}\n${name}`).digest('base64url').replaceAll('_', 'A').replaceAll('-', 'B');
}

function digits(kind: string, name: string): string {
  return String((createHash('sha256').update(`${kind}\n${name}`).digest().readUInt32BE() % 90_000_000) + 10_000_000);
}
