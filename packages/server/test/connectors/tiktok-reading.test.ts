import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { at } from '../../src/connectors/kit/json.ts';
import { tameWords } from '../../src/connectors/kit/words.ts';
import { failReason, failureOf } from '../../src/connectors/tiktok/classify.ts';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { tokenFailure } from '../../src/connectors/tiktok/oauth.ts';
import { UNOPENED, type Upload, uploadOf } from '../../src/connectors/tiktok/upload.ts';
import { isLike, readStatus } from '../../src/connectors/tiktok/verify.ts';
import { parseJson } from '../../src/outbound/json.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

const said = (status: number, code: string, message = '') =>
  responseOf(status, { data: {}, error: { code, message, log_id: '2026112110203040' } });

describe('error responses', () => {
  test.each([
    [401, 'access_token_invalid', { kind: 'tokenExpired' }],
    [401, 'scope_not_authorized', { kind: 'reconnect' }],
    [401, 'scope_permission_missed', { kind: 'reconnect' }],
    [429, 'rate_limit_exceeded', { kind: 'rateLimited', waitMs: 60_000, scope: 'account', window: 'rate' }],
    [200, 'rate_limit_exceeded', { kind: 'rateLimited', waitMs: 60_000, scope: 'account', window: 'rate' }],
    [400, 'invalid_param', { kind: 'rejected', what: 'other' }],
    [400, 'invalid_params', { kind: 'rejected', what: 'other' }],
    [400, 'invalid_file_upload', { kind: 'rejected', what: 'video' }],
    [400, 'invalid_publish_id', { kind: 'rejected', what: 'other' }],
    [400, 'token_not_authorized_for_specified_publish_id', { kind: 'rejected', what: 'other' }],
    [400, 'app_version_check_failed', { kind: 'setup' }],
    [403, 'spam_risk_too_many_posts', { kind: 'rateLimited', waitMs: 86_400_000, scope: 'account', window: 'daily' }],
    [200, 'spam_risk_too_many_posts', { kind: 'rateLimited', waitMs: 86_400_000, scope: 'account', window: 'daily' }],
    [403, 'reached_active_user_cap', { kind: 'rateLimited', scope: 'app', window: 'daily' }],
    [200, 'spam_risk_user_banned_from_posting', { kind: 'rejected', what: 'policy' }],
    [403, 'spam_risk_text', { kind: 'rejected', what: 'caption' }],
    [403, 'spam_risk', { kind: 'rejected', what: 'policy' }],
    [200, 'spam_risk_of_tomorrow', { kind: 'rejected', what: 'policy' }],
    [403, 'spam_risk_too_many_pending_share', { kind: 'setup' }],
    [403, 'unaudited_client_can_only_post_to_private_accounts', { kind: 'setup' }],
    [403, 'url_ownership_unverified', { kind: 'setup' }],
    [403, 'privacy_level_option_mismatch', { kind: 'setup' }],
    [403, 'something_new', { kind: 'rejected', what: 'other' }],
    [500, 'internal_error', { kind: 'transient' }],
    [200, 'internal_error', { kind: 'transient' }],
    [503, 'something_new', { kind: 'transient' }],
  ] as const)('%i %s', (status, code, expected) => {
    expect(failureOf(said(status, code))).toMatchObject({
      ...expected,
      status,
      platformCode: code,
      requestId: '2026112110203040',
    });
  });

  test.each([
    [401, { kind: 'tokenExpired' }],
    [429, { kind: 'rateLimited', waitMs: 60_000 }],
    [400, { kind: 'transient' }],
    [403, { kind: 'transient' }],
    [404, { kind: 'transient' }],
    [502, { kind: 'transient' }],
    [200, { kind: 'transient' }],
  ] as const)('%i without an API error body', (status, expected) => {
    const failure = failureOf(responseOf(status, '<html>Just a moment</html>'));
    expect(failure).toMatchObject(expected);
    expect(failure).not.toHaveProperty('platformCode');
  });

  test('respects Retry-After up to one day', () => {
    const wait = (after: string) => failureOf(responseOf(429, '', { 'retry-after': after }));
    expect(wait('7')).toMatchObject({ waitMs: 7_000 });
    expect(wait('9999999')).toMatchObject({ waitMs: 86_400_000 });
    for (const none of ['', 'soon', '-5', '0']) expect(wait(none)).toMatchObject({ waitMs: 60_000 });
  });

  test.each([
    ['file_format_check_failed', { kind: 'rejected', what: 'video' }],
    ['duration_check_failed', { kind: 'rejected', what: 'video' }],
    ['frame_rate_check_failed', { kind: 'rejected', what: 'video' }],
    ['picture_size_check_failed', { kind: 'rejected', what: 'video' }],
    ['internal', { kind: 'transient', waitMs: 600_000 }],
    ['video_pull_failed', { kind: 'transient' }],
    ['photo_pull_failed', { kind: 'transient' }],
    ['publish_cancelled', { kind: 'rejected', what: 'other' }],
    ['auth_removed', { kind: 'reconnect', revoked: true }],
    ['spam_risk_too_many_posts', { kind: 'rateLimited', window: 'daily' }],
    ['spam_risk_user_banned_from_posting', { kind: 'rejected', what: 'policy' }],
    ['spam_risk_text', { kind: 'rejected', what: 'caption' }],
    ['spam_risk', { kind: 'rejected', what: 'policy' }],
    ['spam_risk_of_tomorrow', { kind: 'rejected', what: 'policy' }],
    ['something_new', { kind: 'rejected', what: 'other' }],
    ['constructor', { kind: 'rejected', what: 'other' }],
  ] as const)('fail_reason %s', (reason, expected) => {
    expect(failReason(reason)).toMatchObject({ ...expected, platformCode: reason });
  });

  test.each([
    [200, { error: 'invalid_grant', error_description: 'Refresh token is invalid or expired.' }, 'reconnect'],
    [400, { error: 'access_denied' }, 'reconnect'],
    [200, { error: 'invalid_client' }, 'setup'],
    [401, { error: 'unauthorized_client' }, 'setup'],
    [200, { error: 'invalid_request', error_description: 'Redirect_uri is not matched.' }, 'setup'],
    [200, { error: 'invalid_scope' }, 'setup'],
    [200, { error: 'server_error' }, 'transient'],
    [200, { error: 'temporarily_unavailable' }, 'transient'],
    [200, { error: 'something_new' }, 'transient'],
    [429, {}, 'rateLimited'],
    [500, '<html>', 'transient'],
    [200, {}, 'transient'],
  ] as const)('token endpoint: %i %j', (status, body, kind) => {
    expect(tokenFailure(responseOf(status, body))).toMatchObject({ kind, status });
  });

  test('any error response is parsed without throwing', () => {
    const word = fc.oneof(fc.string(), fc.jsonValue());
    const error = fc.record({ code: word, message: word, log_id: word }, { requiredKeys: [] });
    const body = fc.oneof(
      fc.string(),
      fc.jsonValue(),
      error.map((value) => ({ error: value })),
      fc.record({ error: word, error_description: word }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, content) => {
        const given = responseOf(status, content);
        for (const failure of [failureOf(given), tokenFailure(given)]) {
          expect(failure.kind).toEqual(expect.any(String));
          expect(failure.status).toBe(status);
        }
        expect(typeof connector.commit.codeOf(given)).toBe('string');
      }),
    );
  });

  test('removes tokens, codes and URLs from messages', () => {
    const secret = fc.stringMatching(/^(act\.|rft\.|https:\/\/x\.example\/\?t=)[A-Za-z0-9*!_-]{40,80}$/);
    fc.assert(
      fc.property(fc.lorem(), secret, fc.lorem(), (before, token, after) => {
        const failure = failureOf(said(400, 'invalid_params', `${before} ${token} ${after}`));
        expect(JSON.stringify(failure)).not.toContain(token.slice(-20));
        expect(tameWords(`${before} "${token}"`)).not.toContain(token.slice(-20));
      }),
    );
    expect(tameWords('The title is\n too   long.')).toBe('The title is too long.');
    expect(tameWords('word '.repeat(100)).length).toBeLessThanOrEqual(200);
  });
});

describe('response to the last part', () => {
  test.each([
    [201, 'done'],
    [400, 'retryable'],
    [200, null],
    [206, null],
    [307, null],
    [401, null],
    [403, null],
    [404, null],
    [408, null],
    [416, null],
    [421, null],
    [429, null],
    [500, null],
    [504, null],
  ] as const)('%i proves %s', (status, expected) => {
    for (const body of ['', '<html>', { error: { code: 'internal_error' } }])
      expect(provenBy(connector.commit.responses, status, connector.commit.codeOf(responseOf(status, body)))).toBe(
        expected,
      );
  });
});

describe('status', () => {
  test.each([
    ['{"status":"PROCESSING_UPLOAD","uploaded_bytes":0}', 'uploading', 0, ''],
    ['{"status":"PROCESSING_UPLOAD","uploaded_bytes":99}', 'uploading', 99, ''],
    ['{"status":"PROCESSING_UPLOAD","uploaded_bytes":100}', 'working', 100, ''],
    ['{"status":"PROCESSING_UPLOAD"}', 'uploading', null, ''],
    ['{"status":"PROCESSING_DOWNLOAD"}', 'working', null, ''],
    ['{"status":"SOMETHING_NEW"}', 'working', null, ''],
    ['{"status":"FAILED","fail_reason":"internal"}', 'failed', null, ''],
    ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[]}', 'complete', null, ''],
    ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":null}', 'complete', null, ''],
    ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[0]}', 'complete', null, ''],
    ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[""]}', 'complete', null, ''],
    [
      '{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[7412345678901234567,7412345678901234569]}',
      'complete',
      null,
      '7412345678901234567',
    ],
    [
      '{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":7412345678901234567}',
      'complete',
      null,
      '7412345678901234567',
    ],
    ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":["7412"]}', 'complete', null, '7412'],
  ] as const)('%s', (text, state, uploaded, postId) => {
    expect(readStatus(parseJson(text), 100)).toMatchObject({ state, uploaded, postId });
  });

  test('keeps all digits of any 64-bit id', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (id) => {
        const text = `{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[${id}]}`;
        expect(readStatus(parseJson(text), 1).postId).toBe(String(id));
      }),
    );
  });
});

describe('checkpoint', () => {
  const anyUpload: fc.Arbitrary<Upload> = fc.record({
    privacy: fc.constantFrom('PUBLIC_TO_EVERYONE', 'SELF_ONLY'),
    username: fc.string(),
    disabled: fc.record({ comment: fc.boolean(), duet: fc.boolean(), stitch: fc.boolean() }),
    publishId: fc.string(),
    uploadUrl: fc.webUrl(),
    chunkSize: fc.nat(),
    openedAt: fc.maxSafeNat(),
    sent: fc.nat(),
    strays: fc.nat(),
    contradicted: fc.boolean(),
    offeredAt: fc.maxSafeNat(),
    firstOpenedAt: fc.maxSafeNat(),
    restarts: fc.nat(),
    polls: fc.nat(),
    complete: fc.boolean(),
  });

  test('survives serialization', () => {
    fc.assert(
      fc.property(anyUpload, (upload) => {
        expect(uploadOf(JSON.parse(JSON.stringify(upload)))).toEqual(upload);
      }),
    );
  });

  test('an empty checkpoint is an unopened upload', () => {
    expect(uploadOf({})).toMatchObject(UNOPENED);
  });
});

describe('listed video', () => {
  const ours = { text: 'Sunset run #sea', durationMs: 31_400, committedAt: 0 };
  const long = { ...ours, text: 'ä🏃‍♀️ run '.repeat(40).trim() };
  const shown = (text: string) => [...text].slice(0, 150).join('');

  test.each([
    ['the same words', ours, { title: 'Sunset run #sea', duration: 31 }, true],
    ['the same words in the other field', ours, { video_description: 'Sunset run #sea', duration: 31 }, true],
    ['other spaces and cases', ours, { title: 'sunset  run\n#Sea', duration: 31 }, true],
    ['words that were cut', long, { title: shown(long.text), duration: 31 }, true],
    ['words that were cut with a sign of it', long, { title: `${shown(long.text)}…`, duration: 31 }, true],
    ['few of our words', ours, { title: 'Sunset run', duration: 31 }, false],
    ['more than our words', ours, { title: 'Sunset run #sea and more', duration: 31 }, false],
    ['no words', { ...ours, text: '' }, { title: '', duration: 31 }, false],
    ['another length', ours, { title: 'Sunset run #sea', duration: 33 }, false],
    ['no length', ours, { title: 'Sunset run #sea' }, false],
  ])('with %s', (_name, fingerprint, video, expected) => {
    expect(isLike(video, fingerprint)).toBe(expected);
  });

  test('matches with any rounding of the duration', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 600_000 }),
        fc.constantFrom(Math.floor, Math.round, Math.ceil),
        (ms, round) => {
          const video = { title: 'Sunset run #sea', duration: round(ms / 1000) };
          expect(isLike(video, { ...ours, durationMs: ms })).toBe(true);
        },
      ),
    );
  });
});

test('captions may have 2200 UTF-16 units', () => {
  expect(captionLength('🏃', connector.capabilities.caption)).toBe(2);
  expect(at(connector.capabilities, 'caption')).toEqual({ maxLength: 2200, unit: 'utf16' });
});

test.each([
  ['7412345678901234567', '7412345678901234567'],
  ['https://www.tiktok.com/@nora.cuts/video/7412345678901234567', '7412345678901234567'],
  ['https://www.tiktok.com/@nora.cuts/video/7412345678901234567?utm_source=x&a=1#b', '7412345678901234567'],
  [' https://www.tiktok.com/@nora/video/7412345678901234567/ ', '7412345678901234567'],
])('canonicalId of "%s"', (id, canonical) => {
  expect(connector.canonicalId(id)).toBe(canonical);
});
