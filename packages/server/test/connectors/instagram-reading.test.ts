import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Work } from '../../src/connectors/contract.ts';
import { readContainer } from '../../src/connectors/instagram/api.ts';
import { codeOf, containerFailure, failureOf } from '../../src/connectors/instagram/classify.ts';
import { readPage } from '../../src/connectors/instagram/facebook-login.ts';
import { connector } from '../../src/connectors/instagram/index.ts';
import { readShort } from '../../src/connectors/instagram/oauth.ts';
import { isLike } from '../../src/connectors/instagram/verify.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

const error = (code: number, error_subcode?: number) => ({ error: { message: 'No', code, error_subcode } });

describe('response to publishing', () => {
  const proves = (given: HttpResponse) => provenBy(connector.commit.responses, given.status, codeOf(given));

  test.each([
    [200, { id: '18000000000000001' }, 'done'],
    [400, error(9007, 2207027), 'retryable'],
    [400, error(9, 2207042), 'retryable'],
    [400, error(190), 'retryable'],
    [401, error(190, 463), 'retryable'],
    [400, error(190, 999), 'retryable'],
    [400, error(4), 'retryable'],
    [403, error(4, 77), 'retryable'],
    [400, error(17), 'retryable'],
    [400, error(32), 'retryable'],
    [400, error(613), 'retryable'],
    [400, error(80002), 'retryable'],
    [400, error(4, 2207051), null],
    [400, error(25, 2207050), 'refused'],
    [400, error(10), 'refused'],
    [403, error(200), 'refused'],
    [403, error(299, 5), 'refused'],
    [400, error(24, 2207008), null],
    [400, error(24, 2207006), null],
    [400, error(-1, 2207001), null],
    [400, error(1), null],
    [400, error(2), null],
    [400, error(100), null],
    [400, error(100, 33), null],
    [400, error(368), 'retryable'],
    [400, error(368, 1390008), 'retryable'],
    [400, error(12345), null],
    [500, error(190), null],
    [503, error(2), null],
    [400, {}, null],
    [400, '', null],
    [400, '<html>', null],
    [403, '<html>Just a moment</html>', null],
    [404, '', null],
    [408, '', null],
    [429, '', null],
    [502, '<html>', null],
    [301, '', null],
  ] as const)('%i %j proves %s', (status, body, expected) => {
    expect(proves(responseOf(status, body))).toBe(expected);
  });

  test('any response is parsed, and only 200 means success', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.anything(), (status, value) => {
        const body = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? '';
        const given = responseOf(status, body);
        expect(typeof codeOf(given)).toBe('string');
        expect(failureOf(given).detail).toMatchObject({ text: expect.stringMatching(/./) });
        if (status !== 200) expect(proves(given)).not.toBe('done');
      }),
    );
  });

  const work = { session: { sandbox: false, now: () => 0 } } as unknown as Work;

  test.each([
    ['no id', {}],
    ['an id that is none', { id: 'x' }],
    ['an error', error(1)],
    ['a list', []],
    ['a page', '<html>'],
    ['nothing', ''],
  ])('200 with %s proves nothing', (_name, body) => {
    expect(() => connector.commit.done(work, {}, responseOf(200, body))).toThrow();
  });

  test('keeps all digits of a numeric id', () => {
    const result = connector.commit.done(work, {}, responseOf(200, '{"id":18000000000000001}'));
    expect(result).toMatchObject({ checkpoint: { mediaId: '18000000000000001' } });
  });
});

describe('container', () => {
  test.each([
    ['FINISHED', 'finished'],
    ['PUBLISHED', 'published'],
    ['ERROR', 'failed'],
    ['EXPIRED', 'expired'],
    ['IN_PROGRESS', 'working'],
    ['SOMETHING_NEW', 'working'],
    ['constructor', 'working'],
    [undefined, 'working'],
  ])('%s is %s', (status_code, state) => {
    expect(readContainer({ status_code }).state).toBe(state);
  });

  test('reads upload progress in either spelling', () => {
    const read = (uploading_phase: object) => readContainer({ video_status: { uploading_phase } });
    expect(read({ status: 'in_progress', bytes_transferred: 50 })).toMatchObject({ transferred: 50, uploaded: false });
    expect(read({ status: 'complete', bytes_transfered: '70' })).toMatchObject({ transferred: 70, uploaded: true });
    expect(readContainer('<html>')).toMatchObject({ transferred: 0, uploaded: false, state: 'working' });
  });

  test.each([
    [
      'Error: Media upload has failed with error code 2207026',
      { kind: 'rejected', what: 'video', platformCode: '2207026' },
    ],
    ['Error: 2207053.', { kind: 'transient' }],
    ['Error: 2207999', null],
    ['Error: 12207026', null],
    ['', null],
  ])('failed with "%s"', (status, expected) => {
    const failure = containerFailure(status);
    if (expected) expect(failure).toMatchObject(expected);
    else expect(failure).toBeNull();
  });
});

test.each([
  ['flat, with a number for an id', '{"access_token":"IGQx","user_id":17841400000000001}', []],
  ['wrapped', '{"data":[{"access_token":"IGQx","user_id":"1","permissions":"a, b"}]}', ['a', 'b']],
])('a short-lived token, %s', (_name, body, scopes) => {
  expect(readShort(responseOf(200, body))).toEqual({ token: 'IGQx', scopes });
});

test.each([
  ['no account', { id: '1', tasks: ['MANAGE'] }, false],
  ['an account that names no id', { instagram_business_account: { username: 'x' } }, false],
  ['no right to post', { tasks: ['ANALYZE'], instagram_business_account: { id: '17' } }, false],
  ['no word of rights', { instagram_business_account: { id: '17' } }, true],
  ['the right to post', { tasks: ['CREATE_CONTENT'], instagram_business_account: { id: '17' } }, true],
])('a Page with %s', (_name, page, taken) => {
  expect(readPage(page) !== null).toBe(taken);
});

test('a reel matches by text, regardless of whitespace', () => {
  expect(isLike({ caption: 'La\u0308uft  so\n', media_product_type: 'REELS' }, 'Läuft so')).toBe(true);
  expect(isLike({ caption: 'Läuft so' }, 'Läuft so')).toBe(true);
  expect(isLike({ caption: 'Läuft so', media_product_type: 'STORY' }, 'Läuft so')).toBe(false);
  expect(isLike({ media_product_type: 'REELS' }, 'Läuft so')).toBe(false);
});
