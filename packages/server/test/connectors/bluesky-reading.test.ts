import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf, failureOf, waitOf } from '../../src/connectors/bluesky/classify.ts';
import { clientIdentity, clientJwks, clientMetadata } from '../../src/connectors/bluesky/client.ts';
import { identifierFrom, serverIn, serviceFrom } from '../../src/connectors/bluesky/identity.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import { capabilitiesOf } from '../../src/connectors/bluesky/limits.ts';
import { canonicalId, newRecordKey, timeOfTid } from '../../src/connectors/bluesky/record.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

const said = (status: number, error: string, message = '') => responseOf(status, { error, message });

describe('Bluesky error mapping', () => {
  test.each([
    [400, 'ExpiredToken', 'Token has expired', 'tokenExpired'],
    [400, 'ExpiredToken', 'Token has been revoked', 'tokenExpired'],
    [400, 'InvalidToken', 'Token could not be verified', 'tokenExpired'],
    [401, 'AuthMissing', 'Authentication Required', 'tokenExpired'],
    [401, 'AccountTakedown', 'Account has been taken down', 'reconnect'],
    [403, 'AccountNotFound', 'Account not found', 'transient'],
    [401, 'AccountDeactivated', 'Account is deactivated', 'rejected permission'],
    [
      400,
      'InvalidRequest',
      'Invalid app.bsky.feed.post record: grapheme too big (maximum 300, got 301) at $.record.text',
      'rejected caption',
    ],
    [
      400,
      'InvalidRequest',
      'Invalid app.bsky.feed.post record: string too big (maximum 3000, got 6002) at $.record.text',
      'rejected caption',
    ],
    [
      400,
      'InvalidRequest',
      'Invalid app.bsky.feed.post record: Expected "video/mp4" (got "video/quicktime") at $.record.embed.video.mimeType',
      'rejected video',
    ],
    [
      400,
      'InvalidRequest',
      'Invalid record key for app.bsky.feed.post: Invalid TID string (got "hello") at $',
      'rejected other',
    ],
    [400, 'BlobNotFound', 'Could not find blob: bafkrei', 'transient'],
    [413, 'PayloadTooLarge', 'request entity too large', 'rejected video'],
    [400, 'VideoTooLong', '', 'rejected video'],
    [400, 'BadAspectRatio', '', 'rejected video'],
    [400, 'DailyLimitExceeded', '', 'rateLimited daily'],
    [400, 'Unknown', 'User has exceeded daily upload videos limit', 'rateLimited daily'],
    [400, 'Unknown', 'User is not allowed to upload videos', 'rejected permission'],
    [400, 'Unknown', 'Account is not old enough to upload videos', 'rejected permission'],
    [400, 'Unknown', 'Confirm your email address to upload videos', 'setup'],
    [
      400,
      'Unknown',
      'file size (300000001 bytes) is larger than the maximum allowed size (300000000 bytes)',
      'rejected video',
    ],
    [429, 'TooManyOpenUploads', '', 'transient'],
    [503, 'ServiceOverloaded', '', 'transient'],
    [400, 'Unknown', 'Uploading is disabled at the moment', 'transient'],
    [400, 'InvalidRequest', 'Uploading is disabled at the moment', 'transient'],
    [400, 'User has exceeded daily upload bytes limit', '', 'rateLimited daily'],
    [401, 'Account is not old enough to upload videos', '', 'rejected permission'],
    [400, 'Confirm your email address to upload videos', '', 'setup'],
    [400, 'Unknown', "Failed to get user's upload stats", 'transient'],
    [500, 'InternalServerError', 'Internal Server Error', 'transient'],
    [502, 'UpstreamFailure', '', 'transient'],
    [429, 'RateLimitExceeded', 'Rate Limit Exceeded', 'rateLimited rate'],
  ])('maps %i %s "%s" to %s', (status, error, message, expected) => {
    const failure = failureOf(said(status, error, message), NOW);
    const more =
      failure.kind === 'rejected' ? ` ${failure.what}` : failure.kind === 'rateLimited' ? ` ${failure.window}` : '';
    expect(`${failure.kind}${more}`).toBe(expected);
    expect(failure).toMatchObject({ status, ...(error.includes(' ') ? {} : { platformCode: error }) });
    if (error.includes(' ')) expect(failure).not.toHaveProperty('platformCode');
  });

  test('removes quoted tokens and URLs from messages', () => {
    const token = `eyJ${'hbGciOiJFUzI1Nks'.repeat(4)}`;
    for (const given of [said(400, 'InvalidToken', `Bad token: ${token}`), said(400, token)]) {
      const failure = failureOf(given, NOW);
      expect(JSON.stringify(failure)).not.toContain('hbGciOiJ');
      expect(failure.detail.text).toMatch(/ The platform says: .*…$/);
    }
  });

  test('reads the code of a rejected proof from a header', () => {
    const headers = { 'www-authenticate': 'DPoP algs="ES256", error="use_dpop_nonce", error_description="x"' };
    expect(codeOf(responseOf(401, 'nothing', headers))).toBe('use_dpop_nonce');
  });

  test('never throws', () => {
    const headers = fc.dictionary(
      fc.constantFrom('retry-after', 'ratelimit-reset', 'ratelimit-policy', 'date', 'www-authenticate'),
      fc.string(),
    );
    const bodies = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), bodies, headers, (status, body, given) => {
        const failure = failureOf(responseOf(status, body, given), NOW);
        expect(failure.detail.text).not.toBe('');
        if (failure.kind === 'rateLimited') expect(failure.waitMs).toBeGreaterThanOrEqual(0);
        expect(typeof codeOf(responseOf(status, body, given))).toBe('string');
      }),
    );
  });

  test('reads the wait from Retry-After or the reset time', () => {
    expect(waitOf(responseOf(429, '', { 'retry-after': '7' }), NOW)).toBe(7_000);
    const reset = { 'ratelimit-reset': String(NOW / 1000 + 300), date: new Date(NOW + 100_000).toUTCString() };
    expect(waitOf(responseOf(429, '', reset), NOW)).toBe(200_000);
    expect(waitOf(responseOf(429, ''), NOW)).toBe(300_000);
    expect(waitOf(responseOf(429, '', { 'retry-after': '9999999' }), NOW)).toBe(86_400_000);
  });

  test('counts a limit as daily only for a long wait', () => {
    const policy = { 'ratelimit-policy': '35000;w=86400' };
    const window = (seconds: string) => failureOf(responseOf(429, '', { ...policy, 'retry-after': seconds }), NOW);
    expect(window('7200')).toMatchObject({ window: 'daily' });
    expect(window('60')).toMatchObject({ window: 'rate' });
  });
});

describe('Bluesky write response', () => {
  test.each([
    [200, '', 'done'],
    [401, 'invalid_token', 'retryable'],
    [401, '', 'retryable'],
    [429, 'RateLimitExceeded', 'retryable'],
    [400, 'ExpiredToken', 'retryable'],
    [400, 'BlobNotFound', 'retryable'],
    [400, 'InvalidRequest', 'refused'],
    [403, 'AccountNotFound', 'retryable'],
    [403, 'ScopeMissingError', 'refused'],
    [400, 'InvalidSwap', null],
    [400, '', null],
    [403, '', null],
    [404, '', null],
    [409, '', null],
    [421, '', null],
    [500, 'InternalServerError', null],
    [502, 'UpstreamFailure', null],
    [503, '', null],
    [307, '', null],
  ])('%i %s proves %s', (status, code, proves) => {
    expect(provenBy(connector.commit.responses, status, code)).toBe(proves);
  });
});

describe('Bluesky addresses', () => {
  test('reduce every form of a post to one id', () => {
    const id = 'at://did:plc:u1/app.bsky.feed.post/3l6oveex3ii2l';
    for (const form of [id, ` ${id} `, 'https://bsky.app/profile/did:plc:u1/post/3l6oveex3ii2l?x#y'])
      expect(canonicalId(form)).toBe(id);
  });

  test.each([
    ['nora.bsky.social', 'nora.bsky.social'],
    ['@Nora.Bsky.Social', 'nora.bsky.social'],
    ['\u202anora.bsky.social\u202c ', 'nora.bsky.social'],
    ['at://nora.test', 'nora.test'],
    ['https://bsky.app/profile/nora.test', 'nora.test'],
    ['did:plc:abc', 'did:plc:abc'],
  ])('accept the handle %s', (typed, handle) => {
    expect(identifierFrom(typed)).toBe(handle);
  });

  test.each(['', 'nora@example.org', 'no ra/x', '-nora', 'did:key:abc'])('reject the handle "%s"', (typed) => {
    expect(() => identifierFrom(typed)).toThrow(PlatformError);
  });

  test('accept a server with or without scheme, without a password', () => {
    expect(serviceFrom('bsky.social')).toBe('https://bsky.social');
    expect(serviceFrom(' https://PDS.example/ ')).toBe('https://pds.example');
    expect(serviceFrom('http://127.0.0.1:3000/sandbox/bluesky')).toBe('http://127.0.0.1:3000/sandbox/bluesky');
    for (const bad of ['', 'ftp://pds.example', 'https://a:b@pds.example', 'http://'])
      expect(() => serviceFrom(bad)).toThrow(PlatformError);
  });

  test('read the server from the right DID document entry', () => {
    const service = { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: 'https://pds.example' };
    expect(serverIn({ service: [{ id: '#other', type: 'X', serviceEndpoint: 'https://x.example' }, service] })).toBe(
      'https://pds.example',
    );
    expect(serverIn({ service: [{ ...service, id: 'did:plc:u1#atproto_pds' }] })).toBe('https://pds.example');
    expect(serverIn({ service: [{ ...service, type: 'Other' }] })).toBe('');
    expect(serverIn({ service: 'none' })).toBe('');
  });
});

describe('Bluesky record keys', () => {
  test('are TIDs that contain their time and increase', () => {
    const times = fc.integer({ min: NOW, max: NOW + 10 ** 12 });
    fc.assert(
      fc.property(times, times, (a, b) => {
        const [one, other] = [newRecordKey(a), newRecordKey(b)];
        expect(one).toMatch(/^[234567a-j][234567a-z]{12}$/);
        expect(timeOfTid(one)).toBe(a);
        if (a < b) expect(one < other).toBe(true);
      }),
    );
  });

  test('differ for the same moment', () => {
    expect(new Set(Array.from({ length: 100 }, () => newRecordKey(NOW))).size).toBeGreaterThan(95);
    expect(timeOfTid('self')).toBeNull();
    // A revision from a real server, created at 09:09:40 UTC on 21 November 2026.
    expect(Math.floor((timeOfTid('3n2sqwceorc2g') ?? 0) / 1000)).toBe(1795252180);
  });
});

describe('Bluesky client identity', () => {
  test('is public and uses the IP address on localhost', () => {
    expect(clientIdentity('http://localhost:3000', 'http://localhost:3000/oauth/bluesky/callback')).toEqual({
      kind: 'public',
      clientId:
        'http://localhost?redirect_uri=http%3A%2F%2F127.0.0.1%3A3000%2Foauth%2Fbluesky%2Fcallback&scope=atproto+transition%3Ageneric',
      redirectUri: 'http://127.0.0.1:3000/oauth/bluesky/callback',
    });
  });

  test('is a document for an https URL, otherwise an error', () => {
    const redirectUri = 'https://reelay.example/oauth/bluesky/callback';
    expect(clientIdentity('https://reelay.example', redirectUri)).toEqual({
      kind: 'confidential',
      clientId: 'https://reelay.example/oauth/client-metadata.json',
      redirectUri,
    });
    for (const address of ['http://reelay.lan', 'https://localhost:3000'])
      expect(() => clientIdentity(address, `${address}/oauth/bluesky/callback`)).toThrow(PlatformError);
  });

  test('contains the public key and never the private one', () => {
    const metadata = clientMetadata('https://reelay.example');
    expect(metadata).toMatchObject({
      client_id: 'https://reelay.example/oauth/client-metadata.json',
      redirect_uris: ['https://reelay.example/oauth/bluesky/callback'],
      jwks_uri: 'https://reelay.example/oauth/jwks.json',
      dpop_bound_access_tokens: true,
      token_endpoint_auth_method: 'private_key_jwt',
    });
    expect(clientJwks({ kty: 'EC', x: 'x', y: 'y', d: 'secret', kid: 'k' })).toEqual({
      keys: [{ kty: 'EC', x: 'x', y: 'y', kid: 'k' }],
    });
  });
});

test('account limits depend on video service and server', () => {
  expect(capabilitiesOf({ videoService: true, blobUploadLimit: 5 }).video.maxBytes).toBe(300_000_000);
  expect(capabilitiesOf({ videoService: false, blobUploadLimit: 5_242_880 }).video).toMatchObject({
    maxBytes: 5_242_880,
    containers: ['mp4'],
    videoCodecs: ['h264'],
  });
  expect(capabilitiesOf({ videoService: false, blobUploadLimit: null }).video.maxBytes).toBe(52_428_800);
  expect(connector.capabilities.caption).toEqual({ maxLength: 300, unit: 'graphemes', maxBytes: 3000 });
});
