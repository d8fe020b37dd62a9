/** What the books hold. Tests may change a record to bring about what a real member, page or application can be. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions } from '../../kit/simulator.ts';

export const MEMBER_SCOPES = ['openid', 'profile', 'w_member_social'] as const;
export const PAGE_SCOPES = ['w_organization_social', 'r_organization_social', 'rw_organization_admin'] as const;
export const KNOWN_SCOPES: readonly string[] = [...MEMBER_SCOPES, ...PAGE_SCOPES, 'email'];

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

/** Kind `settings`, key `linkedin`; absent properties are those of an ordinary application and platform. */
export interface Settings {
  /** Every user name is that of a member, not of a page. */
  enrolMembers?: boolean;
  /** Smallest file that is processed with success, bytes; any when absent, so that small test films pass. */
  leastBytes?: number;
  /** The application was not approved for refresh tokens. */
  noRefreshTokens?: boolean;
  /** Between granted scopes; a comma when absent. */
  scopeSeparator?: string;
  /** Of the upload; empty when absent, as it mostly is. */
  uploadToken?: string;
  /** ETags come in quotes. */
  quotedEtags?: boolean;
  /** A second finalize is answered 200 instead of 400. */
  finalizeAgain?: boolean;
  /** An equal text of the same author is refused as a duplicate, of a post that does not exist. */
  duplicates?: boolean;
  /** Lists show a post only this many ms after it was made. */
  listLagMs?: number;
  /** A member's token may not look at the member's own videos. */
  blindMembers?: boolean;
  /** Putting the parts together is refused while a picture that was promised is missing. */
  finalizeNeedsCover?: boolean;
  /** Such a video waits for its picture for ever. */
  waitsForCover?: boolean;
  /** The id of a new post comes in another header, or in none. */
  idHeader?: 'x-linkedin-id' | 'none';
}

/** Kind `code`, by code. */
export interface AuthCode {
  personId: string;
  scopes: string[];
  redirectUri: string;
  expiresAt: number;
  used: boolean;
}

/** Kind `grant`, by id, owned by the person. */
export interface Grant {
  personId: string;
  scopes: string[];
  refreshExpiresAt: number;
  authorizedAt: number;
  /** The member took the permission back. */
  revoked: boolean;
}

/** Kind `access`, by access token; kind `refresh`, by refresh token. */
export interface TokenRecord {
  grantId: string;
  createdAt: number;
  expiresAt: number;
  /** Access tokens only: this one was revoked by itself. */
  revoked?: boolean;
}

export interface Part {
  first: number;
  last: number;
  /** Each time that the part came. */
  received: { etag: string; blob: string; bytes: number }[];
}

/** Kind `video`, by URN, owned by the owner's URN. */
export interface Video {
  urn: string;
  owner: string;
  size: number;
  uploadToken: string;
  /** Stands in the upload addresses. */
  key: string;
  parts: Part[];
  expiresAt: number;
  /** ms; null until then. */
  finalizedAt: number | null;
  /** Blobs in order, once finalized. */
  blobs: string[];
  /** SHA-256 of the picture; "": promised and not there yet. null: none was promised */
  thumbnail: string | null;
}

/** Kind `post`, by URN, owned by the author's URN. */
export interface Post {
  urn: string;
  author: string;
  commentary: string;
  visibility: string;
  video: string;
  title: string | null;
  createdAt: number;
  /** Whether the books of the world have it. */
  announced: boolean;
}

export async function settingsOf(options: SimulatorOptions): Promise<Settings> {
  return (await options.books.get<Settings>('settings', 'linkedin')) ?? {};
}

/** Makes or finds a member who runs a page of the same name. @throws Error for a name that cannot be one */
export async function memberNamed(options: SimulatorOptions, given: string): Promise<Person> {
  const username = given.trim();
  if (!/^[^/\p{Cc}]{1,64}$/u.test(username)) throw new Error('A user name has 1 to 64 characters and no slash.');
  const organization: Organization = { id: digits('page', username), vanityName: username, name: `${username} Inc.` };
  await options.books.insert('organization', organization.id, organization);
  const person: Person = {
    id: digest('person', username).slice(0, 10),
    username,
    roles: [{ organizationId: organization.id, role: 'ADMINISTRATOR', state: 'APPROVED' }],
  };
  await options.books.insert('person', person.id, person);
  return (await options.books.get<Person>('person', person.id)) ?? person;
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

/** Letters and digits that nobody can guess. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url').replaceAll('_', 'A').replaceAll('-', 'B');
}

/** 19 digits that grow with time and that no double can hold. */
export function newPostNumber(now: number): string {
  return String((7n << 60n) | (BigInt(Math.floor(now)) << 16n) | BigInt(randomBytes(2).readUInt16BE()) | 1n);
}

function digest(kind: string, name: string): string {
  return createHash('sha256').update(`${kind}\n${name}`).digest('base64url').replaceAll('_', 'A').replaceAll('-', 'B');
}

function digits(kind: string, name: string): string {
  return String((createHash('sha256').update(`${kind}\n${name}`).digest().readUInt32BE() % 90_000_000) + 10_000_000);
}
