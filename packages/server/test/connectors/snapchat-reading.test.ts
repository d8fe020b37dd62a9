import { createCipheriv, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { ownPath, profileIn } from '../../src/connectors/snapchat/api.ts';
import { codeOf, failureOf } from '../../src/connectors/snapchat/classify.ts';
import { connector } from '../../src/connectors/snapchat/index.ts';
import { tokenFailure } from '../../src/connectors/snapchat/oauth.ts';
import {
  encipher,
  encipheredLength,
  PART_BYTES,
  type Progress,
  partCount,
  partOf,
  progressOf,
  UNMADE,
} from '../../src/connectors/snapchat/upload.ts';
import { isSameText, reachesBack, spotlightsIn } from '../../src/connectors/snapchat/verify.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { videoOf } from './films.ts';
import { responseOf } from './odd-responses.ts';

const said = (status: number, error_code: string, display_message = '') =>
  responseOf(status, { request_status: 'ERROR', request_id: 'r-7', error_code, display_message });

describe('Snapchat error mapping', () => {
  test.each([
    [401, 'AUTHENTICATION_FAILED', { kind: 'tokenExpired' }],
    [403, 'AUTHORIZATION_PERMISSION_DENIED', { kind: 'setup' }],
    [200, 'AUTHORIZATION_PERMISSION_DENIED', { kind: 'setup' }],
    [400, 'MEDIA_PROCESSING', { kind: 'transient', waitMs: 10_000 }],
    [200, 'MEDIA_PROCESSING', { kind: 'transient', waitMs: 10_000 }],
    [400, 'MEDIA_EXPIRED', { kind: 'transient' }],
    [200, 'MEDIA_POSTING_ALREADY_IN_PROGRESS', { kind: 'unknownOutcome' }],
    [400, 'SOMETHING_NEW', { kind: 'rejected', what: 'other' }],
    [200, 'SOMETHING_NEW', { kind: 'rejected', what: 'other' }],
    [404, 'SOMETHING_NEW', { kind: 'rejected', what: 'other' }],
    [429, 'RATE_LIMITED', { kind: 'rateLimited', waitMs: 60_000 }],
    [500, 'INTERNAL_ERROR', { kind: 'transient' }],
    [503, 'SOMETHING_NEW', { kind: 'transient' }],
  ] as const)('maps %i %s', (status, code, expected) => {
    expect(failureOf(said(status, code))).toMatchObject({ ...expected, status, platformCode: code, requestId: 'r-7' });
  });

  test('reports an error about the text as such', () => {
    expect(failureOf(said(400, 'E1', 'description has at most 160 characters'))).toMatchObject({ what: 'caption' });
    expect(failureOf(said(400, 'E1', 'Media size is too large')).detail).toMatchObject({
      text: expect.stringContaining('Media size is too large'),
    });
  });

  test.each([
    [401, 'tokenExpired'],
    [429, 'rateLimited'],
    [400, 'transient'],
    [404, 'transient'],
    [502, 'transient'],
    [200, 'transient'],
    [307, 'transient'],
  ] as const)("maps %i without the API's format", (status, kind) => {
    for (const body of ['', '<html>', {}, []]) {
      expect(failureOf(responseOf(status, body))).toMatchObject({ kind, status });
      expect(failureOf(responseOf(status, body))).not.toHaveProperty('platformCode');
    }
  });

  test("distinguishes an empty 403 from a gateway's page", () => {
    expect(failureOf(responseOf(403, ''))).toMatchObject({ kind: 'setup' });
    expect(failureOf(responseOf(403, '<html>Just a moment</html>'))).toMatchObject({ kind: 'transient' });
  });

  test('shows the reason in the headers of an empty error', () => {
    const headers = { 'grpc-message': 'Client%20is%20not allowlisted', 'x-internal_error_code': 'E1008' };
    const textOf = (given: Record<string, string>) => failureOf(responseOf(403, '', given)).detail.text;
    expect(textOf(headers)).toContain('The platform says: Client is not allowlisted (E1008)');
    expect(textOf({ 'x-internal_error_code': 'E1008' })).toContain('The platform says: E1008');
    expect(textOf({ 'grpc-message': '100% wrong' })).toContain('The platform says: 100% wrong');
    expect(failureOf(responseOf(502, '<html>', headers))).toMatchObject({ kind: 'transient' });
  });

  test('uses the given wait, at most a day', () => {
    const wait = (after: string) => failureOf(responseOf(429, '', { 'retry-after': after }));
    expect(wait('7')).toMatchObject({ waitMs: 7_000 });
    expect(wait('9999999')).toMatchObject({ waitMs: 86_400_000 });
    for (const none of ['', 'soon', '-5', '0']) expect(wait(none)).toMatchObject({ waitMs: 60_000 });
  });

  test.each([
    [400, { error: 'invalid_grant', error_description: 'The refresh token is not valid.' }, 'reconnect'],
    [400, { error: 'access_denied' }, 'reconnect'],
    [401, { error: 'invalid_client' }, 'setup'],
    [400, { error: 'invalid_scope' }, 'setup'],
    [401, '', 'transient'],
    [429, '', 'rateLimited'],
    [500, { error: 'server_error' }, 'transient'],
    [200, {}, 'transient'],
  ] as const)("maps the token endpoint's %i %j", (status, body, kind) => {
    expect(tokenFailure(responseOf(status, body))).toMatchObject({ kind, status });
  });

  test('never throws and keeps messages short', () => {
    const word = fc.oneof(fc.string(), fc.jsonValue());
    const fields = { request_status: word, request_id: word, error_code: word, display_message: word, error: word };
    const body = fc.oneof(fc.string(), fc.jsonValue(), fc.record(fields, { requiredKeys: [] }));
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, content) => {
        const given = responseOf(status, content);
        for (const failure of [failureOf(given), tokenFailure(given)]) {
          expect(failure.status).toBe(status);
          expect(failure.detail.text.length).toBeLessThan(400);
        }
        expect(typeof codeOf(given)).toBe('string');
        expect(spotlightsIn(given.tryJson())).toEqual(expect.any(Array));
        profileIn(given.tryJson());
      }),
    );
  });

  test('removes tokens and URLs from messages', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_-]{40,80}$/);
    fc.assert(
      fc.property(fc.lorem(), secret, (before, token) => {
        expect(JSON.stringify(failureOf(said(400, 'E1', `${before} ${token}`)))).not.toContain(token.slice(-20));
      }),
    );
  });
});

describe('Snapchat spotlight response', () => {
  const proves = (given: HttpResponse) => provenBy(connector.commit.responses, given.status, codeOf(given));
  test.each([
    [responseOf(200, { request_status: 'SUCCESS', spotlight_id: 'W7_x' }), 'done'],
    [said(200, 'MEDIA_PROCESSING'), 'retryable'],
    [said(400, 'MEDIA_PROCESSING'), 'retryable'],
    [said(400, 'MEDIA_EXPIRED'), 'retryable'],
    [said(403, 'AUTHORIZATION_PERMISSION_DENIED'), 'refused'],
    [responseOf(403, ''), 'refused'],
    [said(400, 'SOMETHING_NEW'), 'refused'],
    [said(400, ''), 'refused'],
    [responseOf(401, ''), 'retryable'],
    [responseOf(429, '<html>'), 'retryable'],
    [said(400, 'MEDIA_POSTING_ALREADY_IN_PROGRESS'), null],
    [said(200, 'MEDIA_POSTING_ALREADY_IN_PROGRESS'), null],
    [said(200, 'SOMETHING_NEW'), 'refused'],
    [said(404, 'SOMETHING_NEW'), 'refused'],
    [said(409, 'SOMETHING_NEW'), null],
    [said(408, 'SOMETHING_NEW'), null],
    [said(500, 'MEDIA_PROCESSING'), null],
    [said(503, 'INTERNAL_ERROR'), null],
    [responseOf(200, { request_status: 'PARTIAL' }), null],
    [responseOf(200, {}), null],
    [responseOf(200, '<html>'), null],
    [responseOf(400, '<html>'), null],
    [responseOf(403, '<html>'), null],
    [responseOf(307, ''), null],
    [responseOf(404, ''), null],
    [responseOf(421, ''), null],
    [responseOf(504, ''), null],
  ] as const)('$status $text proves %s', (given, expected) => {
    expect(proves(given)).toBe(expected);
  });

  test('proves nothing without a spotlight id', () => {
    const work = { session: { now: () => 0, sandbox: false } } as unknown as Parameters<
      typeof connector.commit.done
    >[0];
    for (const body of ['<html>', '{}', '{"spotlight_id":""}', '{"spotlight_id":null}'])
      expect(() => connector.commit.done(work, {}, responseOf(200, body))).toThrow();
    expect(connector.commit.done(work, { key: 'k' }, responseOf(200, { spotlight_id: 'W7_x' }))).toMatchObject({
      then: 'confirming',
      checkpoint: { spotlightId: 'W7_x', key: '' },
      afterMs: 60_000,
    });
  });
});

describe('Snapchat parts', () => {
  const whole = (bytes: Buffer, key: string, iv: string) => {
    const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'));
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  };

  test('join to the encrypted file although encrypted separately', async () => {
    const key = randomBytes(32).toString('base64');
    const iv = randomBytes(16).toString('base64');
    const sizes = fc.record({ bytes: fc.integer({ min: 1, max: 200 }), blocks: fc.integer({ min: 1, max: 8 }) });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ bytes, blocks }) => {
        const film = randomBytes(bytes);
        const partBytes = blocks * 16;
        let chain = iv;
        const made: Buffer[] = [];
        for (let number = 1; number <= partCount(bytes, partBytes); number++) {
          const part = partOf(bytes, number, partBytes);
          const sealed = { bytes: 0, tail: '' };
          made.push(await buffer(await encipher(videoOf(film), part, key, chain, sealed)));
          expect([made.at(-1)?.length, sealed.bytes]).toEqual([part.length, part.length]);
          chain = sealed.tail;
        }
        expect(Buffer.concat(made)).toEqual(whole(film, key, iv));
      }),
      { numRuns: 50 },
    );
  });

  test('add a padding part when the file ends exactly', async () => {
    expect([partCount(PART_BYTES), partOf(PART_BYTES, 2)]).toEqual([
      2,
      { number: 2, first: PART_BYTES, plain: 0, length: 16, isLast: true },
    ]);
    const film = randomBytes(32);
    const key = randomBytes(32).toString('base64');
    const iv = randomBytes(16).toString('base64');
    const first = { bytes: 0, tail: '' };
    const one = await buffer(await encipher(videoOf(film), partOf(32, 1, 32), key, iv, first));
    const two = await buffer(await encipher(videoOf(film), partOf(32, 2, 32), key, first.tail, { bytes: 0, tail: '' }));
    expect(Buffer.concat([one, two])).toEqual(whole(film, key, iv));
  });

  test('number at most 35 and add up to the length', () => {
    const { maxBytes } = connector.capabilities.video;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: maxBytes }), (bytes) => {
        const count = partCount(bytes);
        expect(count).toBeLessThanOrEqual(35);
        const lengths = Array.from({ length: count }, (_, index) => partOf(bytes, index + 1).length);
        expect(lengths.every((length) => length > 0 && length <= PART_BYTES)).toBe(true);
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(encipheredLength(bytes));
      }),
    );
    expect(encipheredLength(maxBytes)).toBeLessThanOrEqual(1_000_000_000);
  });
});

describe('Snapchat path', () => {
  const API = 'https://businessapi.snapchat.com';
  test.each([
    ['/us/v1/public_profiles/p/media/m/multipart-upload', true],
    ['/us/v1/x?part=1', true],
    ['', false],
    ['us/v1/x', false],
    ['//evil.example/x', false],
    ['/\\evil.example/x', false],
    ['/us/../v1', false],
    ['/us/%2e%2e/v1', false],
    ['/us/v1 x', false],
    ['https://evil.example/x', false],
    ['https://businessapi.snapchat.com.evil.example/x', false],
    ['@evil.example/x', false],
  ])('"%s" becomes %s', (given, good) => {
    expect(ownPath(given, API)).toBe(good ? given : '');
  });

  test("may be a URL on Snapchat's own host", () => {
    expect(ownPath(`${API}/us/v1/x`, API)).toBe('/us/v1/x');
  });

  test('never points to another host', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.webPath()), (given) => {
        const path = ownPath(given, API);
        if (path !== '') expect(new URL(`${API}${path}`).origin).toBe(API);
      }),
    );
  });
});

describe('Snapchat spotlights', () => {
  test.each([
    [{ caption: 'Sunset run #sea' }, true],
    [{ description: 'sunset RUN\n#sea' }, true],
    [{ caption: '', title: 'Sunset run #sea' }, true],
    [{ caption: 'Sunset' }, false],
    [{ caption: '' }, false],
    [{ caption: null }, null],
    [{}, null],
  ])('are matched against our text: %j', (spotlight, expected) => {
    expect(isSameText(spotlight, { text: 'Sunset run #sea' })).toBe(expected);
  });

  test('without text match only those without text', () => {
    expect(isSameText({ caption: '', title: '' }, { text: '' })).toBe(true);
    expect(isSameText({ caption: 'x', title: '' }, { text: '' })).toBe(false);
  });

  test('are read from lists and single responses', () => {
    const one = { id: 'W7_a' };
    expect(spotlightsIn({ spotlights: [{ sub_request_status: 'SUCCESS', spotlight: one }] })).toEqual([one]);
    expect(spotlightsIn({ spotlights: [{ sub_request_status: 'ERROR' }, one] })).toEqual([one]);
    expect(spotlightsIn({ spotlight: one })).toEqual([one]);
    expect(spotlightsIn({})).toEqual([]);
  });

  test('are complete when few, or sorted beyond the moment', () => {
    const made = (from: number, step: number) =>
      Array.from({ length: 20 }, (_, index) => ({ created_at: new Date(from + step * index).toISOString() }));
    const now = Date.UTC(2026, 10, 21);
    expect(reachesBack([], now)).toBe(true);
    expect(reachesBack(made(now, -1_000).slice(1), now - 3_600_000)).toBe(true);
    expect(reachesBack(made(now, -1_000), now - 10_000)).toBe(true);
    expect(reachesBack(made(now, -1_000), now - 3_600_000)).toBe(false);
    expect(reachesBack(made(now - 3_600_000, 1_000), now)).toBe(false);
    expect(reachesBack([...made(now, -1_000).slice(1), {}], now - 10_000)).toBe(false);
  });
});

describe('Snapchat checkpoint', () => {
  const anyProgress: fc.Arbitrary<Progress> = fc.record({
    sha256: fc.string(),
    key: fc.string(),
    chain: fc.string(),
    mediaId: fc.uuid(),
    addPath: fc.string(),
    finalizePath: fc.string(),
    createdAt: fc.nat(),
    parts: fc.nat(35),
    finalizedAt: fc.nat(),
    restarts: fc.nat(),
    looked: fc.boolean(),
    seen: fc.option(fc.array(fc.string())),
    armed: fc.boolean(),
    sentAt: fc.nat(),
    spotlightId: fc.string(),
    acceptedAt: fc.nat(),
    polls: fc.nat(),
  });

  test('survives serialization unchanged', () => {
    fc.assert(
      fc.property(anyProgress, (progress) => {
        expect(progressOf(JSON.parse(JSON.stringify(progress)))).toEqual(progress);
      }),
    );
  });

  test('reads an empty one as a video without media', () => {
    for (const empty of [{}, null]) expect(progressOf(empty)).toMatchObject({ ...UNMADE, seen: null, sentAt: 0 });
  });
});

test('limits the text to 160 UTF-16 units', () => {
  expect(captionLength('🏃', connector.capabilities.caption)).toBe(2);
  expect(connector.capabilities.caption).toEqual({ maxLength: 160, unit: 'utf16' });
});

test.each([
  ['W7_EDlXWTBiX', 'W7_EDlXWTBiX'],
  [' https://www.snapchat.com/spotlight/W7_EDlXWTBiX?share=1 ', 'W7_EDlXWTBiX'],
  ['https://www.snapchat.com/@nora/spotlight/W7_EDlXWTBiX/', 'W7_EDlXWTBiX'],
])('the Snapchat id "%s" is reduced to its canonical form', (id, canonical) => {
  expect(connector.canonicalId(id)).toBe(canonical);
});
