import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/connectors/contract.ts';
import { graphCode, graphError, graphFailure, uploadRefusal } from '../../src/connectors/kit/graph.ts';
import { tameWords } from '../../src/connectors/kit/words.ts';
import { sayOf } from '../../src/messages/timeline.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { parseJson } from '../../src/outbound/json.ts';

const say = sayOf('Platform');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function answer(body: unknown, status = 400, headers: Record<string, string> = {}): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const tryJson = (): Json => {
    try {
      return parseJson(text);
    } catch {
      return null;
    }
  };
  return { status, headers, text, json: () => parseJson(text), tryJson };
}

const error = (code: number, subcode?: number, more: Record<string, unknown> = {}) => ({
  error: {
    message: `(#${code}) No.`,
    type: 'OAuthException',
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    fbtrace_id: 'Axyz-_1',
    ...more,
  },
});
const failure = (code: number, subcode?: number, more?: Record<string, unknown>) =>
  graphFailure(answer(error(code, subcode, more)), 'Platform');

describe('Graph API error body', () => {
  test('is parsed with codes, user message, and request id', () => {
    const read = graphError(answer(error(9, 2207042, { is_transient: false, error_user_msg: 'Too many today.' })));
    expect(read).toEqual({
      status: 400,
      code: 9,
      subcode: 2207042,
      name: '9/2207042',
      isTransient: false,
      words: 'Too many today.',
      requestId: 'Axyz-_1',
      waitMs: null,
      appUsedUp: false,
    });
    expect(graphCode(answer(error(190)))).toBe('190');
    expect(graphCode(answer(error(-2, 2207003)))).toBe('-2/2207003');
    expect(graphCode(answer(error(4), 200))).toBe('4');
  });

  test.each([
    '',
    '<html>Sorry</html>',
    '[]',
    'null',
    '{}',
    '{"error":"no"}',
    '{"error":{"code":"x"}}',
    '{"error":null}',
  ])('that is invalid has no code and is transient: %s', (text) => {
    expect(graphCode(answer(text))).toBe('');
    expect(graphFailure(answer(text, 502), 'Platform')).toEqual({
      ...{ kind: 'transient', cause: 'server' },
      detail: {
        code: 'status_unexpected',
        params: { platform: 'Platform', status: 502 },
        text: 'Platform responded with 502.',
      },
      status: 502,
    });
    expect(graphFailure(answer(text, 429), 'Platform')).toMatchObject({ kind: 'rateLimited', waitMs: MINUTE });
  });

  test('never causes an exception', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), fc.integer({ min: 200, max: 599 }), (value, header, status) => {
        const body = JSON.stringify({ error: value, debug_info: value }, (_, each) =>
          typeof each === 'bigint' ? String(each) : each,
        );
        const odd = answer(body, status, { 'x-app-usage': header, 'x-business-use-case-usage': header });
        expect(graphFailure(odd, 'Platform').status).toBe(status);
        uploadRefusal(odd);
      }),
    );
  });
});

describe('Graph API codes', () => {
  test.each([
    [190, undefined, 'tokenExpired'],
    [190, 463, 'tokenExpired'],
    [190, 467, 'tokenExpired'],
    [102, undefined, 'tokenExpired'],
    [190, 459, 'reconnect'],
    [190, 460, 'reconnect'],
    [190, 464, 'reconnect'],
    [190, 492, 'reconnect'],
    [3, undefined, 'reconnect'],
    [10, undefined, 'reconnect'],
    [200, undefined, 'reconnect'],
    [299, undefined, 'reconnect'],
    [100, 33, 'reconnect'],
    [1, undefined, 'transient'],
    [2, undefined, 'transient'],
    [-1, 2207001, 'transient'],
    [4, undefined, 'rateLimited'],
    [17, undefined, 'rateLimited'],
    [32, undefined, 'rateLimited'],
    [341, undefined, 'rateLimited'],
    [613, undefined, 'rateLimited'],
    [80001, undefined, 'rateLimited'],
    [80002, undefined, 'rateLimited'],
    [368, undefined, 'rateLimited'],
    [100, undefined, 'rejected'],
    [506, undefined, 'rejected'],
    [987654, undefined, 'rejected'],
  ])('%i/%s means %s', (code, subcode, kind) => {
    expect(failure(code, subcode)).toMatchObject({ kind, status: 400, requestId: 'Axyz-_1' });
    expect(failure(code, subcode).platformCode).toBe(subcode ? `${code}/${subcode}` : String(code));
  });

  test('only 190/458 means that the user revoked access', () => {
    expect(failure(190, 458)).toMatchObject({ kind: 'reconnect', revoked: true, platformCode: '190/458' });
    for (const subcode of [459, 460, 464, 492]) expect(failure(190, subcode)).not.toHaveProperty('revoked');
  });

  test('unknown codes are transient if body or status say so', () => {
    expect(failure(987654, undefined, { is_transient: true }).kind).toBe('transient');
    expect(graphFailure(answer(error(987654), 500), 'Platform').kind).toBe('transient');
    expect(graphFailure(answer(error(987654), 429), 'Platform').kind).toBe('rateLimited');
  });

  test("are mapped by the platform's own table first", () => {
    const own = (read: { name: string }) =>
      read.name === '4/2207051' ? ({ kind: 'rejected', what: 'policy', detail: say('spam_rejected') } as const) : null;
    expect(graphFailure(answer(error(4, 2207051)), 'Platform', own)).toEqual({
      kind: 'rejected',
      what: 'policy',
      detail: expect.objectContaining({
        code: 'platform_says',
        text: 'Platform rejected the post as spam. The platform says: (#4) No.',
      }),
      status: 400,
      platformCode: '4/2207051',
      requestId: 'Axyz-_1',
    });
    expect(graphFailure(answer(error(4)), 'Platform', own).kind).toBe('rateLimited');
  });
});

describe('Graph API limits', () => {
  const limited = (code: number, headers: Record<string, string>) =>
    graphFailure(answer(error(code), 400, headers), 'Platform');

  test('wait for the longest usage entry, at most a day', () => {
    const usage = (...minutes: number[]) =>
      JSON.stringify({ '123': minutes.map((each) => ({ type: 'x', estimated_time_to_regain_access: each })) });
    const wait = (header: string) => limited(17, { 'x-business-use-case-usage': header });
    expect(wait(usage(3, 12))).toMatchObject({ waitMs: 12 * MINUTE });
    expect(wait(usage(0))).toMatchObject({ waitMs: HOUR });
    expect(wait('garbage')).toMatchObject({ waitMs: HOUR });
    expect(wait(usage(1_000_000))).toMatchObject({ waitMs: 24 * HOUR });
    expect(limited(17, { 'retry-after': '90' })).toMatchObject({ waitMs: 90_000 });
  });

  test('apply to the application by code or usage', () => {
    expect(limited(4, {})).toMatchObject({ scope: 'app' });
    expect(limited(17, {})).toMatchObject({ scope: 'account' });
    expect(limited(17, { 'x-app-usage': '{"call_count":20,"total_time":101}' })).toMatchObject({ scope: 'app' });
    expect(limited(17, { 'x-app-usage': '{"call_count":20,"total_time":99}' })).toMatchObject({ scope: 'account' });
  });
});

describe('Graph API upload host', () => {
  test('has its own error format with the inner message', () => {
    const wrapped = JSON.stringify({ success: false, error: { message: 'unauthorized user request' } });
    const body = { debug_info: { retriable: false, type: 'ProcessingFailedError', message: wrapped } };
    expect(uploadRefusal(answer(body))).toEqual({
      type: 'ProcessingFailedError',
      retriable: false,
      words: 'unauthorized user request',
    });
    const plain = { debug_info: { retriable: true, type: 'PartialRequestError', message: 'Partial request' } };
    expect(uploadRefusal(answer(plain))).toMatchObject({ retriable: true, words: 'Partial request' });
    expect(uploadRefusal(answer('{"success":true}'))).toBeNull();
    expect(uploadRefusal(answer('<html>'))).toBeNull();
  });
});

test('Graph API messages are shortened and lose URLs and tokens', () => {
  const tamed = tameWords(
    `Could not fetch https://me.example/v?s=sig\n with access_token=abc and ${'t'.repeat(40)} ${'word '.repeat(90)}`,
  );
  expect(tamed).toMatch(/^Could not fetch … with access_token=… and … word word/);
  expect(tamed.length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(failure(100, undefined, { message: 'See https://me.example/secret now' }))).not.toContain(
    'secret',
  );
});
