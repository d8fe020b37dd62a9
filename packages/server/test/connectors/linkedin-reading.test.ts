import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tameWords } from '../../src/connectors/kit/words.ts';
import { codeOf, failureOf } from '../../src/connectors/linkedin/classify.ts';
import { connector } from '../../src/connectors/linkedin/index.ts';
import { tokenFailure } from '../../src/connectors/linkedin/oauth.ts';
import { partsFrom, UNOPENED, type Upload, uploadOf } from '../../src/connectors/linkedin/upload.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

const NOW = Date.UTC(2026, 10, 21, 10);
const HOUR_MS = 3_600_000;

const said = (status: number, code: string, message = 'Something') => responseOf(status, { status, code, message });

describe('LinkedIn error mapping', () => {
  test.each([
    [400, 'EXPIRED_UPLOAD_URL', { kind: 'transient' }],
    [400, 'MEDIA_ASSET_WAITING_UPLOAD', { kind: 'transient' }],
    [400, 'MEDIA_ASSET_PROCESSING_FAILED', { kind: 'rejected', what: 'video' }],
    [400, 'UPDATING_ASSET_FAILED', { kind: 'transient' }],
    [400, 'INVALID_VIDEO_ID', { kind: 'rejected', what: 'other' }],
    [400, 'INVALID_URN_TYPE', { kind: 'rejected', what: 'other' }],
    [400, 'INVALID_URN_ID', { kind: 'rejected', what: 'other' }],
    [400, 'MISSING_FIELD', { kind: 'rejected', what: 'other' }],
    [400, 'INVALID_VALUE_FOR_FIELD', { kind: 'rejected', what: 'other' }],
    [400, 'INVALID_VALUE_BLANK_FIELD', { kind: 'rejected', what: 'other' }],
    [400, 'QUERY_PARAM_NOT_ALLOWED', { kind: 'rejected', what: 'other' }],
    [400, 'FIELD_LENGTH_TOO_LONG', { kind: 'rejected', what: 'caption' }],
    [400, 'VERSION_MISSING', { kind: 'setup' }],
    [426, 'NONEXISTENT_VERSION', { kind: 'setup' }],
    [401, 'EXPIRED_ACCESS_TOKEN', { kind: 'tokenExpired' }],
    [401, 'REVOKED_ACCESS_TOKEN', { kind: 'reconnect', revoked: true }],
    [401, 'INVALID_ACCESS_TOKEN', { kind: 'reconnect' }],
    [401, 'EMPTY_ACCESS_TOKEN', { kind: 'reconnect' }],
    [403, 'ACCESS_DENIED', { kind: 'reconnect' }],
    [404, 'NOT_FOUND', { kind: 'rejected', what: 'other' }],
    [409, 'CONFLICT', { kind: 'transient' }],
    [422, 'DUPLICATE_POST', { kind: 'rejected', what: 'duplicate' }],
    [422, 'UNPROCESSABLE_ENTITY', { kind: 'rejected', what: 'other' }],
    [429, 'TOO_MANY_REQUESTS', { kind: 'rateLimited', waitMs: 120_000, scope: 'account', window: 'rate' }],
    [500, 'INTERNAL_SERVER_ERROR', { kind: 'transient' }],
    [403, 'SOMETHING_NEW', { kind: 'rejected', what: 'other' }],
    [400, 'constructor', { kind: 'rejected', what: 'other' }],
    [503, 'SOMETHING_NEW', { kind: 'transient' }],
  ] as const)('maps %i %s', (status, code, expected) => {
    expect(failureOf(said(status, code), NOW)).toMatchObject({ ...expected, status, platformCode: code });
  });

  test.each([
    [401, { serviceErrorCode: 65_600 }, 'INVALID_ACCESS_TOKEN'],
    [401, { serviceErrorCode: 65_601, code: 'UNAUTHORIZED' }, 'REVOKED_ACCESS_TOKEN'],
    [401, { serviceErrorCode: 65_602 }, 'EXPIRED_ACCESS_TOKEN'],
    [
      403,
      { serviceErrorCode: 100, message: 'Not enough permissions to access: partnerApiPostsExternal.CREATE.20250901' },
      'ACCESS_DENIED',
    ],
    [
      403,
      { message: 'Accessing this video resource is forbidden. Please check your permissions for this resource' },
      'FORBIDDEN_RESOURCE',
    ],
    [422, { message: 'Content is a duplicate of urn:li:share:7300000000000000000' }, 'DUPLICATE_POST'],
    [422, { code: 'UNPROCESSABLE_ENTITY', message: 'Content is a duplicate of urn:li:ugcPost:73' }, 'DUPLICATE_POST'],
    [
      400,
      { code: 'BAD_REQUEST', errorDetails: { inputErrors: [{ code: 'FIELD_LENGTH_TOO_LONG' }] } },
      'FIELD_LENGTH_TOO_LONG',
    ],
    [400, { errorDetails: { inputErrors: [{ code: 'SOMETHING_NEW' }] } }, 'SOMETHING_NEW'],
    [400, { code: 'SOMETHING_NEW', errorDetails: { inputErrors: [{ code: 'ANOTHER' }] } }, 'SOMETHING_NEW'],
    [500, { serviceErrorCode: 100 }, ''],
    [500, { message: 'Unable to obtain activity' }, ''],
  ])('reads %i %j as %s', (status, body, code) => {
    expect(codeOf(responseOf(status, { status, ...body }))).toBe(code);
  });

  test.each([
    [401, { kind: 'tokenExpired' }],
    [426, { kind: 'setup' }],
    [429, { kind: 'rateLimited', window: 'rate' }],
    [400, { kind: 'transient' }],
    [403, { kind: 'transient' }],
    [404, { kind: 'transient' }],
    [421, { kind: 'transient' }],
    [502, { kind: 'transient' }],
    [200, { kind: 'transient' }],
  ] as const)("maps %i without the API's format", (status, expected) => {
    for (const body of ['', '<html>Just a moment</html>', '[]', 'null']) {
      const failure = failureOf(responseOf(status, body), NOW);
      expect(failure).toMatchObject(expected);
      expect(failure).not.toHaveProperty('platformCode');
    }
  });

  test('waits for a daily limit until after midnight UTC', () => {
    const limit = (whose: string, headers: Record<string, string> = {}) => {
      const message = `Resource level throttle ${whose} limit for calls to this resource is reached.`;
      return failureOf(
        responseOf(429, { status: 429, serviceErrorCode: 101, code: 'TOO_MANY_REQUESTS', message }, headers),
        NOW,
      );
    };
    const daily = { kind: 'rateLimited', window: 'daily' };
    expect(limit('MEMBER DAY')).toMatchObject({ ...daily, scope: 'account', waitMs: 14 * HOUR_MS + 60_000 });
    expect(limit('APPLICATION DAY')).toMatchObject({ ...daily, scope: 'app', waitMs: 14 * HOUR_MS + 60_000 });
    expect(limit('APPLICATION AND MEMBER DAY')).toMatchObject({ ...daily, scope: 'app' });
    expect(limit('DAY')).toMatchObject({ ...daily, scope: 'account' });
    const late = { date: new Date(Date.UTC(2026, 10, 21, 23, 59, 59)).toUTCString() };
    expect(limit('MEMBER DAY', late)).toMatchObject({ waitMs: 61_000 });
    const early = { date: new Date(Date.UTC(2026, 10, 22)).toUTCString() };
    expect(limit('MEMBER DAY', early)).toMatchObject({ waitMs: 24 * HOUR_MS + 60_000 });
    expect(limit('burst', { 'retry-after': '7' })).toMatchObject({ window: 'rate', waitMs: 7_000 });
    expect(limit('burst', { 'retry-after': '9999999' })).toMatchObject({ waitMs: 24 * HOUR_MS });
  });

  test.each([
    [400, { error: 'invalid_grant', error_description: 'invalid, expired or revoked.' }, 'reconnect'],
    [400, { error: 'invalid_request', error_description: 'Unable to retrieve access token' }, 'reconnect'],
    [401, { error: 'invalid_client' }, 'setup'],
    [403, { error: 'unauthorized_client' }, 'setup'],
    [400, { error: 'something_new' }, 'transient'],
    [429, {}, 'rateLimited'],
    [500, '<html>', 'transient'],
    [200, {}, 'transient'],
    [999, '', 'transient'],
  ] as const)("maps the token endpoint's %i %j", (status, body, kind) => {
    expect(tokenFailure(responseOf(status, body))).toMatchObject({ kind, status });
  });

  test('never throws and keeps messages short', () => {
    const word = fc.oneof(fc.string(), fc.jsonValue());
    const body = fc.oneof(
      fc.string(),
      fc.jsonValue(),
      fc.record(
        { code: word, message: word, status: word, serviceErrorCode: word, errorDetails: word, error: word },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, content) => {
        const given = responseOf(status, content);
        for (const failure of [failureOf(given, NOW), tokenFailure(given)]) {
          expect(failure.kind).toEqual(expect.any(String));
          expect(failure.detail).toMatchObject({ code: expect.any(String), text: expect.any(String) });
          expect(failure.status).toBe(status);
        }
        expect(typeof connector.commit.codeOf(given)).toBe('string');
      }),
    );
  });

  test('removes tokens and URLs from messages', () => {
    const secret = fc.stringMatching(/^(AQX|AQW|https:\/\/x\.example\/\?t=)[A-Za-z0-9_-]{40,80}$/);
    fc.assert(
      fc.property(fc.lorem(), secret, fc.lorem(), (before, token, after) => {
        const words = `${before} ${token} ${after}`;
        expect(JSON.stringify(failureOf(said(400, 'MISSING_FIELD', words), NOW))).not.toContain(token.slice(-20));
        const refused = responseOf(400, { error: 'invalid_grant', error_description: words });
        expect(JSON.stringify(tokenFailure(refused))).not.toContain(token.slice(-20));
      }),
    );
    expect(tameWords('The title is\n too   long.')).toBe('The title is too long.');
    expect(tameWords('word '.repeat(100)).length).toBeLessThanOrEqual(200);
  });
});

describe('LinkedIn post response', () => {
  const proves = (given: HttpResponse) =>
    provenBy(connector.commit.responses, given.status, connector.commit.codeOf(given));

  test.each([
    [201, '', 'done'],
    [401, 'EXPIRED_ACCESS_TOKEN', 'retryable'],
    [401, '', 'retryable'],
    [429, '', 'retryable'],
    [400, 'MEDIA_ASSET_WAITING_UPLOAD', 'retryable'],
    [400, 'UPDATING_ASSET_FAILED', 'retryable'],
    [400, 'MEDIA_ASSET_PROCESSING_FAILED', 'refused'],
    [400, 'FIELD_LENGTH_TOO_LONG', 'refused'],
    [400, 'MISSING_FIELD', 'refused'],
    [400, 'VERSION_MISSING', 'refused'],
    [426, 'NONEXISTENT_VERSION', 'refused'],
    [403, 'ACCESS_DENIED', 'refused'],
    [404, 'NOT_FOUND', 'refused'],
    [422, 'UNPROCESSABLE_ENTITY', 'refused'],
    [422, 'DUPLICATE_POST', null],
    [400, 'SOMETHING_NEW', 'refused'],
    [403, '', 'refused'],
    [426, '', 'refused'],
    [408, 'TIMEOUT', null],
    [409, 'CONFLICT', null],
    [500, 'SOMETHING_NEW', null],
  ] as const)('%i %s proves %s', (status, code, expected) => {
    expect(proves(said(status, code))).toBe(expected);
  });

  test('shows the sentence of an unlisted refusal', () => {
    const response = responseOf(400, { status: 400, code: 'SOMETHING_NEW', message: 'This text is not allowed here.' });
    expect(connector.commit.failureOf?.(response, 0)).toMatchObject({
      kind: 'rejected',
      platformCode: 'SOMETHING_NEW',
      detail: { text: expect.stringContaining('This text is not allowed here.') },
    });
  });

  test.each([
    [{ 'x-restli-id': 'urn:li:share:73' }, 'urn:li:share:73'],
    [{ 'x-restli-id': 'urn%3Ali%3AugcPost%3A73' }, 'urn:li:ugcPost:73'],
    [{ 'x-restli-id': 'nothing', 'x-linkedin-id': 'urn:li:ugcPost:73' }, 'urn:li:ugcPost:73'],
    [{ 'x-restli-id': 'urn:li:share:73/../x' }, null],
    [{}, null],
  ])("reads the post's id from the headers %j", (headers, id) => {
    const session = { endpoints: connector.endpoints, remoteId: 'urn:li:person:nora' };
    const result = connector.commit.done(
      { session } as never,
      {},
      responseOf(201, '', headers as Record<string, string>),
    );
    const url = id && `https://www.linkedin.com/feed/update/${id}/`;
    expect(result).toMatchObject({ then: 'posted', published: { remoteId: id, url } });
  });

  test.each([200, 202, 204, 307, 400, 403, 404, 408, 409, 421, 422, 426, 500, 502, 503, 504])(
    "proves nothing from %i without the API's format",
    (status) => {
      for (const body of ['', '<html>']) expect(proves(responseOf(status, body))).toBeNull();
    },
  );
});

describe('LinkedIn checkpoint', () => {
  const anyUpload: fc.Arbitrary<Upload> = fc.record({
    sha256: fc.string(),
    video: fc.string(),
    uploadToken: fc.string(),
    expiresAt: fc.maxSafeNat(),
    parts: fc.array(fc.record({ url: fc.webUrl(), first: fc.nat(), last: fc.nat() })),
    etags: fc.array(fc.string()),
    coverUrl: fc.string(),
    coverMissing: fc.boolean(),
    coverless: fc.boolean(),
    openedAt: fc.maxSafeNat(),
    uploads: fc.nat(),
    stumbles: fc.nat(),
    finalizedAt: fc.maxSafeNat(),
    polls: fc.nat(),
    closed: fc.nat(),
    offers: fc.nat(),
    voids: fc.nat(),
    rested: fc.nat(),
  });

  test('survives serialization unchanged', () => {
    fc.assert(
      fc.property(anyUpload, (upload) => {
        expect(uploadOf(JSON.parse(JSON.stringify(upload)))).toEqual(upload);
      }),
    );
  });

  test('reads an empty one as an unopened upload', () => {
    expect(uploadOf({})).toMatchObject(UNOPENED);
    expect(uploadOf(null)).toMatchObject(UNOPENED);
  });
});

describe('LinkedIn upload parts', () => {
  const planOf = (bytes: number, cuts: readonly number[]) => {
    const ends = [...new Set(cuts.map((cut) => cut % bytes))].sort((one, other) => one - other);
    const lasts = [...ends.filter((end) => end < bytes - 1), bytes - 1];
    return lasts.map((lastByte, index) => ({
      uploadUrl: `https://www.linkedin.com/dms-uploads/${index}`,
      firstByte: index === 0 ? 0 : (lasts[index - 1] ?? 0) + 1,
      lastByte,
    }));
  };
  const anyPlan = fc
    .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 20 }))
    .map(([bytes, cuts]) => ({ bytes, plan: planOf(bytes, cuts) }));

  test("cover the file in order, regardless of LinkedIn's order", () => {
    fc.assert(
      fc.property(anyPlan, fc.boolean(), ({ bytes, plan }, turned) => {
        const parts = partsFrom(turned ? plan.toReversed() : plan, bytes);
        expect(parts?.map(({ first, last }) => [first, last])).toEqual(
          plan.map(({ firstByte, lastByte }) => [firstByte, lastByte]),
        );
      }),
    );
  });

  test('are rejected when they do not cover the file', () => {
    fc.assert(
      fc.property(anyPlan, fc.nat(), ({ bytes, plan }, at) => {
        const index = at % plan.length;
        expect(partsFrom(plan.toSpliced(index, 1), bytes)).toBeNull();
        expect(partsFrom(plan.toSpliced(index, 0, ...plan.slice(index, index + 1)), bytes)).toBeNull();
        expect(partsFrom(plan, bytes + 1)).toBeNull();
      }),
    );
    for (const odd of [null, {}, 'parts', [null], [{}]]) expect(partsFrom(odd, 1)).toBeNull();
  });
});

test.each([
  ['urn:li:ugcPost:7300000000000000001', '7300000000000000001'],
  ['urn:li:share:7300000000000000001', '7300000000000000001'],
  ['urn%3Ali%3AugcPost%3A7300000000000000001', '7300000000000000001'],
  ['https://www.linkedin.com/feed/update/urn:li:ugcPost:7300000000000000001/', '7300000000000000001'],
  ['https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7300000000000000001?utm=1', '7300000000000000001'],
  ['https://www.linkedin.com/posts/nora_sea-run-2026-activity-7300000000000000001-aB1c', '7300000000000000001'],
  [' 7300000000000000001 ', '7300000000000000001'],
])('the LinkedIn id "%s" is reduced to its number', (id, canonical) => {
  expect(connector.canonicalId(id)).toBe(canonical);
});
