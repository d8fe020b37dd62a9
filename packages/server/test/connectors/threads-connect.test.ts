import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/threads/index.ts';
import { consent, isLimit, isMe, isRenewal, REDIRECT, startThreads, type Threads } from './threads-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startThreads);
const { authorize, exchange, refresh, tokensFrom } = connector.oauth;
const DAY_MS = 86_400_000;

const begin = ({ context }: Threads) => authorize(context, { state: 'the state', redirectUri: REDIRECT });
const finish = ({ context }: Threads, query: URLSearchParams, redirectUri = REDIRECT) =>
  exchange(context, { query, redirectUri, kept: {} });
const renew = ({ context }: Threads, tokens: Tokens) => {
  if (!refresh) throw new Error('Threads tokens are renewed.');
  return refresh(context, tokens);
};

describe('consent', () => {
  test('returns a sixty-day token and identifies the profile', async () => {
    const threads = await start();
    const tokens = await threads.connect();
    expect(tokens).toEqual({
      secret: { accessToken: expect.stringMatching(/^TH/) },
      scopes: [],
      expiresIn: 5_184_000,
      refreshExpiresIn: null,
      service: '',
    });
    expect(await connector.identify(threads.context, tokens)).toEqual({
      remoteId: (await threads.simulator.enrol('nora.cuts')).remoteId,
      username: 'nora.cuts',
      displayName: 'nora.cuts',
      avatarUrl: expect.stringMatching(/^http/),
      capabilities: connector.capabilities,
      fetchesMedia: true,
    });
  });

  test('requests the scopes without secrets in the URL', async () => {
    const { url, kept } = await begin(await start());
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      scope: 'threads_basic,threads_content_publish',
      response_type: 'code',
      state: 'the state',
    });
    expect(kept).toEqual({});
  });

  test('removes the URL fragment from a code', async () => {
    const threads = await start();
    const query = await consent((await begin(threads)).url);
    query.set('code', `${query.get('code')}#_`);
    expect((await finish(threads, query)).secret.accessToken).toEqual(expect.any(String));
  });

  test('a denied consent returns no code and requests no token', async () => {
    const threads = await start();
    const query = await consent((await begin(threads)).url, { decision: 'deny' });
    expect(query.get('error')).toBe('access_denied');
    expect(await failureOf(finish(threads, query))).toMatchObject({ kind: 'transient' });
    expect(threads.requests.some(({ path }) => path.includes('access_token'))).toBe(false);
  });

  test.each([
    ['twice', 0],
    ['too late', 3_600_000],
  ])('a code that comes %s requires a new consent', async (_name, laterMs) => {
    const threads = await start();
    const query = await consent((await begin(threads)).url);
    if (laterMs === 0) await finish(threads, query);
    threads.clock.now += laterMs;
    expect(await failureOf(finish(threads, query))).toMatchObject({
      kind: 'reconnect',
      platformCode: '400',
      status: 400,
    });
  });

  test('a wrong redirect URI or secret is a setup error', async () => {
    const threads = await start();
    const query = await consent((await begin(threads)).url);
    expect(await failureOf(finish(threads, query, `${REDIRECT}/x`))).toMatchObject({ kind: 'setup' });
    const app = { clientId: 'sandbox-client', clientSecret: 'another secret' };
    const attempt = exchange({ ...threads.context, app }, { query, redirectUri: REDIRECT, kept: {} });
    const failure = await failureOf(attempt);
    expect(failure).toMatchObject({ kind: 'setup' });
    expect(JSON.stringify(failure)).not.toContain('another secret');
  });

  test('a declined permission is detected by identify', async () => {
    const threads = await start();
    const tokens = await threads.connect({ granted: [] });
    expect(await failureOf(connector.identify(threads.context, tokens))).toMatchObject({
      kind: 'reconnect',
      platformCode: '10',
    });
  });

  test('names the missing settings when no app is configured', async () => {
    const { context } = await start();
    const attempt = authorize({ ...context, app: null }, { state: 's', redirectUri: REDIRECT });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'setup',
      detail: { code: 'app_missing', text: expect.stringContaining('THREADS_APP_ID') },
    });
  });

  test.each([
    ['HTML', { status: 200, body: '<html>' }, 'transient'],
    ['an empty body', { status: 200, body: '' }, 'transient'],
    ['502', { status: 502, body: 'Bad gateway' }, 'transient'],
    ['the body of the Graph API', { status: 400, body: { error: { code: 100, error_subcode: 36_009 } } }, 'setup'],
  ])('a code exchange answered by %s fails', async (_name, response, kind) => {
    const threads = await start();
    const query = await consent((await begin(threads)).url);
    threads.faults.add({
      when: ({ path }) => path === '/oauth/access_token',
      fault: { kind: 'status', answer: response },
    });
    expect(await failureOf(finish(threads, query))).toMatchObject({ kind });
  });
});

describe('profile', () => {
  test('that currently may not post can still be connected', async () => {
    const threads = await start();
    const tokens = await threads.connect();
    for (const error of [{ code: 4 }, { code: 100, error_subcode: 4_279_013 }]) {
      const fault: Fault = { kind: 'status', answer: { status: 400, body: JSON.stringify({ error }) } };
      const strike = threads.faults.add({ when: isLimit, times: 1, fault });
      expect((await connector.identify(threads.context, tokens)).username).toBe('nora.cuts');
      expect(strike.hits()).toBe(1);
    }
  });

  test.each([
    ['fails', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['speaks HTML', { kind: 'garbage', acted: false }, 'transient'],
    ['no longer knows the token', { kind: 'refusal', refusal: 'token-expired' }, 'tokenExpired'],
    ['has ended the consent', { kind: 'refusal', refusal: 'token-revoked' }, 'reconnect'],
  ] as const)('identify fails if Threads %s', async (_name, fault, kind) => {
    const threads = await start();
    const tokens = await threads.connect();
    threads.faults.add({ when: isMe, fault });
    expect(await failureOf(connector.identify(threads.context, tokens))).toMatchObject({ kind });
  });

  test('identifies a sandbox profile from a token response', async () => {
    const threads = await start();
    const { tokenAnswer, remoteId } = await threads.simulator.enrol('wanda');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, '');
    if (!tokens) throw new Error('Tokens were expected.');
    expect((await connector.identify(threads.context, tokens)).remoteId).toBe(remoteId);
    expect(() => tokensFrom?.({ error: 'x' }, '')).toThrow('no access token');
    expect(tokensFrom?.({ access_token: 'a' }, '').expiresIn).toBe(5_184_000);
  });
});

describe('tokens', () => {
  test('are refreshed after a day', async () => {
    const threads = await start();
    const first = await threads.connect();
    threads.clock.now += DAY_MS;
    const second = await renew(threads, first);
    expect(second).toMatchObject({ expiresIn: 5_184_000 });
    expect(second.secret.accessToken).not.toBe(first.secret.accessToken);
  });

  test('younger than a day are kept while they work', async () => {
    const threads = await start();
    const tokens = await threads.connect();
    const kept = await renew(threads, tokens);
    expect(kept.secret).toEqual(tokens.secret);
    expect(kept.expiresIn).toBeLessThan(6 * 86_400);
  });

  test.each([
    ['have run out', 61 * DAY_MS, null],
    ['were taken back', 0, 458],
  ])('that %s require a new consent', async (_name, laterMs, dead) => {
    const threads = await start();
    const tokens = await threads.connect();
    threads.clock.now += laterMs;
    if (dead !== null) await threads.killGrants(dead);
    expect(await failureOf(renew(threads, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test.each([
    ['HTML', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a limit', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
  ] as const)('a refresh that meets %s keeps the tokens', async (_name, fault, kind) => {
    const threads = await start();
    const tokens = await threads.connect();
    threads.clock.now += DAY_MS;
    threads.faults.add({ when: isRenewal, times: 1, fault });
    expect(await failureOf(renew(threads, tokens))).toMatchObject({ kind });
    expect((await renew(threads, tokens)).expiresIn).toBe(5_184_000);
  });

  test('are kept while it is unknown whether they work', async () => {
    const threads = await start();
    const tokens = await threads.connect();
    threads.faults.add({ when: isMe, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect(await failureOf(renew(threads, tokens))).toMatchObject({ kind: 'transient' });
  });
});
