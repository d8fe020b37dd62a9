import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSUMED_LIFE_SECONDS, lifeProblem } from '../../src/accounts/tokens/token-lifetime.ts';
import { pairOf } from '../../src/accounts/tokens/token-refresh.ts';
import type { Json, JsonObject } from '../../src/connectors/contract.ts';
import { readTokenResponse, tokenResponse } from '../../src/connectors/kit/token-response.ts';
import { parseJson } from '../../src/outbound/json.ts';

const RULES = { name: 'Some', lifeSeconds: 1_800, refreshLife: 'refresh_expires_in' };
const read = (response: JsonObject) => readTokenResponse({ access_token: 'a', ...response }, RULES);

describe('token response', () => {
  test('has tokens, lifetimes, and scopes', () => {
    const response = {
      refresh_token: 'r',
      expires_in: 3_600,
      refresh_expires_in: '86400',
      scope: 'one two,three, four',
    };
    expect(read(response)).toEqual({
      secret: { accessToken: 'a', refreshToken: 'r' },
      scopes: ['one', 'two', 'three', 'four'],
      expiresIn: 3_600,
      refreshExpiresIn: 86_400,
      service: '',
    });
  });

  test('without optional fields has the default lifetime', () => {
    const nothing: JsonObject[] = [
      {},
      { refresh_token: null, expires_in: null, refresh_expires_in: null, scope: null },
    ];
    for (const none of nothing)
      expect(read(none)).toEqual({
        secret: { accessToken: 'a' },
        scopes: [],
        expiresIn: 1_800,
        refreshExpiresIn: null,
        service: '',
      });
    expect(
      readTokenResponse({ access_token: 'a', refresh_expires_in: 9 }, { name: 'Some', lifeSeconds: 1 }),
    ).toMatchObject({ refreshExpiresIn: null });
  });

  test.each(['null', '[]', '7', '"access_token"', '{}', '{"access_token":""}', '{"access_token":{"a":1}}'])(
    'is rejected for %s',
    (text) => {
      const body = parseJson(text);
      expect(tokenResponse(body)).toBeNull();
      const given = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {};
      expect(() => readTokenResponse(given, RULES)).toThrow('Some returned no access token.');
    },
  );

  test.each(['0', '-5', '1e12', '1e400', '"soon"', 'true', '{}', '[]', '"-1"'])(
    'with lifetime %s fails connecting but not a refresh',
    (life) => {
      const tokens = read(parseJson(`{"refresh_token":"r","expires_in":${life}}`) as JsonObject);
      expect(lifeProblem(tokens.expiresIn)).not.toBeNull();
      const former = { scopes: [], refreshLifeMs: null } as unknown as Parameters<typeof pairOf>[0];
      const pair = pairOf(former, { accessToken: 'b', refreshToken: 's' }, tokens, 0, 0);
      expect(pair.secret).toMatchObject({ accessToken: 'a', refreshToken: 'r' });
      expect(pair.lifeMs).toBe(ASSUMED_LIFE_SECONDS * 1_000);
    },
  );

  test('is parsed regardless of other fields', () => {
    const field = fc.constantFrom('refresh_token', 'expires_in', 'refresh_expires_in', 'scope', 'other');
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (response) => {
        const tokens = read(response as { [key: string]: Json });
        expect(tokens.secret.accessToken).toBe('a');
        expect(tokens.secret.refreshToken).not.toBe('');
        expect(typeof tokens.expiresIn).toBe('number');
        expect(tokens.scopes.every((scope) => scope !== '' && !/[\s,]/.test(scope))).toBe(true);
      }),
    );
  });
});
