import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/facebook/index.ts';
import { consent, type Facebook, isAccounts, isToken, REDIRECT, startFacebook } from './facebook-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startFacebook);
const { authorize, exchange, missingScopes, refresh, revoke, scopes, tokensFrom } = connector.oauth;
const SIXTY_DAYS_MS = 5_183_944_000;

const begin = ({ context }: Facebook) => authorize(context, { state: 'the state', redirectUri: REDIRECT });
const finish = ({ context }: Facebook, query: URLSearchParams, redirectUri = REDIRECT) =>
  exchange(context, { query, redirectUri, kept: {} });
const renew = ({ context }: Facebook, tokens: Tokens) => {
  if (!refresh) throw new Error('Facebook tokens are renewed.');
  return refresh(context, tokens);
};

describe('consent', () => {
  test('returns tokens and every Page', async () => {
    const facebook = await start();
    const tokens = await facebook.connect({ pages: 'nora.cuts,nora.cooks' });
    expect(tokens).toMatchObject({ expiresIn: 5_183_944, refreshExpiresIn: null, service: '' });
    expect(scopes.every((scope) => tokens.scopes.includes(scope))).toBe(true);
    const facts = await connector.identifyAll(facebook.context, tokens);
    expect(facts.map(({ username }) => username).sort()).toEqual(['nora.cooks', 'nora.cuts']);
    expect(Object.keys(tokens.secret.pages ?? {}).sort()).toEqual(facts.map(({ remoteId }) => remoteId).sort());
    expect(facts.find(({ username }) => username === 'nora.cuts')).toEqual({
      remoteId: (await facebook.simulator.enrol('nora.cuts')).remoteId,
      username: 'nora.cuts',
      displayName: 'nora.cuts',
      avatarUrl: expect.stringMatching(/^http/),
      capabilities: connector.capabilities,
    });
    expect(await connector.identify(facebook.context, tokens)).toEqual(facts[0]);
  });

  test('requests declined permissions again without secrets in the URL', async () => {
    const facebook = await start();
    const { url, kept } = await begin(facebook);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      state: 'the state',
      response_type: 'code',
      scope: 'pages_show_list,pages_read_engagement,pages_manage_posts,business_management,pages_manage_metadata',
      auth_type: 'rerequest',
    });
    expect(kept).toEqual({});
  });

  test('a denied consent returns no code and requests no token', async () => {
    const facebook = await start();
    const query = await consent((await begin(facebook)).url, { decision: 'deny' });
    expect(query.get('error')).toBe('access_denied');
    expect(await failureOf(finish(facebook, query))).toMatchObject({ kind: 'transient' });
    expect(facebook.requests.filter(isToken)).toEqual([]);
  });

  test.each([
    ['twice', 0, '100/36009'],
    ['too late', 600_000, '100/36007'],
  ])('a code that comes %s requires a new consent', async (_name, laterMs, platformCode) => {
    const facebook = await start();
    const query = await consent((await begin(facebook)).url);
    if (laterMs === 0) await finish(facebook, query);
    facebook.clock.now += laterMs;
    const failure = await failureOf(finish(facebook, query));
    expect(failure).toMatchObject({ kind: 'reconnect', platformCode, requestId: expect.stringMatching(/^A/) });
  });

  test('another redirect URI is a setup error', async () => {
    const facebook = await start();
    const query = await consent((await begin(facebook)).url);
    const failure = await failureOf(finish(facebook, query, 'https://reelay.example/other'));
    expect(failure).toMatchObject({ kind: 'setup', platformCode: '100/36008' });
  });

  test.each([
    ['the secret', { clientId: 'sandbox-client', clientSecret: 'another secret' }, '1'],
    ['the application', { clientId: 'another', clientSecret: 'sandbox-secret' }, '101'],
  ])('a mistake in %s is a setup error without leak', async (_name, app, platformCode) => {
    const facebook = await start();
    const query = await consent((await begin(facebook)).url);
    const failure = await failureOf(exchange({ ...facebook.context, app }, { query, redirectUri: REDIRECT, kept: {} }));
    expect(failure).toMatchObject({ kind: 'setup', platformCode });
    expect(JSON.stringify(failure)).not.toContain(app.clientSecret);
  });

  test.each([
    ['to post', ['pages_show_list', 'pages_read_engagement'], ['pages_manage_posts']],
    ['to see the Pages', ['pages_read_engagement', 'pages_manage_posts'], ['pages_show_list']],
  ])('without the permission %s reports it as missing', async (_name, granted, missing) => {
    const facebook = await start();
    const tokens = await facebook.connect({ granted });
    expect(missingScopes?.(tokens.scopes)).toEqual(missing);
  });

  test('names the missing settings when no app is configured', async () => {
    const { context } = await start();
    const attempt = authorize({ ...context, app: null }, { state: 's', redirectUri: REDIRECT });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'setup',
      detail: { code: 'app_missing', text: expect.stringContaining('FACEBOOK_APP_ID') },
    });
  });

  test('sends tokens in the body and a proof per call', async () => {
    const facebook = await start();
    await facebook.connect();
    const codeCalls = facebook.asked.filter(({ url }) => url.includes('access_token') && url.includes('/oauth/'));
    expect(codeCalls.map(({ url }) => new URL(url).search)).toEqual(['', '']);
    const asked = facebook.asked.filter(({ method, url }) => method === 'GET' && url.includes('/me/'));
    expect(asked.length).toBeGreaterThan(0);
    for (const { url } of asked) {
      const query = new URL(url).searchParams;
      const proof = createHmac('sha256', 'sandbox-secret')
        .update(query.get('access_token') ?? '')
        .digest('hex');
      expect(query.get('appsecret_proof')).toBe(proof);
    }
  });
});

describe('Pages', () => {
  test("are read from several lists without following Facebook's URLs", async () => {
    const facebook = await start();
    const tokens = await facebook.connect();
    const listed = (id: string, next?: string) => ({
      status: 200,
      body: {
        data: [{ id, name: id }],
        paging: { cursors: { before: 'b', after: `after ${id}` }, ...(next ? { next } : {}) },
      },
    });
    const responses = [listed('1', 'https://evil.example/?access_token=x'), listed('2')];
    for (const response of responses)
      facebook.faults.add({ when: isAccounts, times: 1, fault: { kind: 'status', answer: response } });
    const facts = await connector.identifyAll(facebook.context, tokens);
    expect(facts.map(({ remoteId, username }) => [remoteId, username])).toEqual([
      ['1', '1'],
      ['2', '2'],
    ]);
    const lists = facebook.asked.filter(({ url }) => url.includes('/me/accounts'));
    expect(new URL(lists.at(-1)?.url ?? '').searchParams.get('after')).toBe('after 1');
    expect(facebook.asked.every(({ url }) => url.startsWith(facebook.url))).toBe(true);
  });

  test.each(['owned_pages', 'client_pages'] as const)(
    'are found through a business portfolio: %s',
    async (portfolio) => {
      const facebook = await start();
      await facebook.set({ portfolio });
      const tokens = await facebook.connect({ pages: 'one,two' });
      const facts = await connector.identifyAll(facebook.context, tokens);
      expect(facts.map(({ username }) => username).sort()).toEqual(['one', 'two']);
      expect(Object.keys(tokens.secret.pages ?? {})).toHaveLength(2);
    },
  );

  test('outside a portfolio are listed without business_management', async () => {
    const facebook = await start();
    const granted = scopes.filter((scope) => scope !== 'business_management');
    const tokens = await facebook.connect({ granted });
    expect(missingScopes?.(tokens.scopes)).toEqual([]);
    expect(await connector.identifyAll(facebook.context, tokens)).toHaveLength(1);
    expect(facebook.requests.filter(({ path }) => path.includes('businesses'))).toEqual([]);
  });

  test('are independent of refused Pages in a portfolio', async () => {
    const facebook = await start();
    await facebook.set({ portfolio: 'client_pages' });
    const tokens = await facebook.connect({ pages: 'one' });
    const refusal = { status: 403, body: { error: { code: 200, message: '(#200) Requires more' } } };
    const isOwned = ({ path }: { path: string }) => path.includes('/owned_pages');
    facebook.faults.add({ when: isOwned, fault: { kind: 'status', answer: refusal } });
    expect(await connector.identifyAll(facebook.context, tokens)).toHaveLength(1);
  });

  test('declined once can be granted later', async () => {
    const facebook = await start();
    const without = scopes.filter((scope) => scope !== 'pages_manage_posts');
    const first = await facebook.connect({ granted: without });
    expect(missingScopes?.(first.scopes)).toEqual(['pages_manage_posts']);
    expect(missingScopes?.((await facebook.connect()).scopes)).toEqual([]);
  });

  test('without CREATE_CONTENT are omitted, with a reason', async () => {
    const facebook = await start();
    const tokens = await facebook.connect();
    await facebook.setTasks(['ANALYZE', 'MODERATE']);
    const failure = await failureOf(connector.identifyAll(facebook.context, tokens));
    expect(failure).toMatchObject({ kind: 'setup', detail: { code: 'facebook.pages_missing' } });
  });

  test('are identified by their own tokens after the login expires', async () => {
    const facebook = await start();
    const tokens = await facebook.connect({ pages: 'one,two' });
    const before = await connector.identifyAll(facebook.context, tokens);
    facebook.clock.now += SIXTY_DAYS_MS;
    const after = await connector.identifyAll(facebook.context, tokens);
    expect(after.map(({ remoteId }) => remoteId).sort()).toEqual(before.map(({ remoteId }) => remoteId).sort());
  });

  test('of a revoked consent require a new one', async () => {
    const facebook = await start();
    const tokens = await facebook.connect();
    await facebook.killGrant(458);
    expect(await failureOf(connector.identifyAll(facebook.context, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test.each([
    ['fails', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['speaks HTML', { kind: 'garbage', acted: false }, 'transient'],
    ['asks to wait', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
  ] as const)('identifyAll fails if Facebook %s', async (_name, fault, kind) => {
    const facebook = await start();
    const tokens = await facebook.connect();
    facebook.faults.add({ when: isAccounts, fault });
    expect(await failureOf(connector.identifyAll(facebook.context, tokens))).toMatchObject({ kind });
  });

  test('of the sandbox are identified from a token response', async () => {
    const facebook = await start();
    const tokens = await facebook.enrolled('wanda');
    expect(tokens.secret).toEqual({ accessToken: expect.stringMatching(/^EAA/) });
    expect((await connector.identify(facebook.context, tokens)).username).toBe('wanda');
    expect(() => tokensFrom?.({ error: 'x' }, '')).toThrow('no access token');
  });
});

describe('tokens', () => {
  test('are refreshed together with the Page tokens', async () => {
    const facebook = await start();
    const first = await facebook.connect();
    await facebook.replacePageTokens();
    const second = await renew(facebook, first);
    expect(second.secret.accessToken).not.toBe(first.secret.accessToken);
    expect(second.secret.pages).not.toEqual(first.secret.pages);
    expect(second.scopes).toEqual(first.scopes);
    expect((await renew(facebook, await facebook.enrolled())).secret).toEqual({ accessToken: expect.any(String) });
  });

  test('that have expired require a new consent', async () => {
    const facebook = await start();
    const { secret, ...tokens } = await facebook.connect();
    const { pages: _pages, ...withoutPages } = secret;
    facebook.clock.now += SIXTY_DAYS_MS;
    const failure = await failureOf(renew(facebook, { ...tokens, secret: withoutPages }));
    expect(failure).toMatchObject({ kind: 'reconnect', platformCode: '190/463' });
    // The Page tokens still work, so they are kept without renewal.
    expect(await renew(facebook, { ...tokens, secret })).toEqual({ ...tokens, secret, expiresIn: null });
  });

  test.each([
    ['a page in place of a response', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a limit', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
    ['an empty answer', { kind: 'status', answer: { status: 200, body: {} } }, 'transient'],
  ] as const)('a refresh that meets %s keeps the tokens', async (_name, fault, kind) => {
    const facebook = await start();
    const tokens = await facebook.connect();
    facebook.faults.add({ when: isToken, times: 1, fault });
    expect(await failureOf(renew(facebook, tokens))).toMatchObject({ kind });
    expect((await renew(facebook, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('a revocation ends every consent of the person', async () => {
    const facebook = await start();
    const [one, sibling] = [await facebook.connect({ pages: 'one' }), await facebook.connect({ pages: 'two' })];
    const stranger = await facebook.connect({ username: 'wanda' });
    const { consentOf } = connector.oauth;
    expect(consentOf?.(one)).toEqual({ app: 'facebook', person: expect.stringMatching(/^\d+$/) });
    expect(consentOf?.(sibling)).toEqual(consentOf?.(one));
    expect(consentOf?.(stranger)).not.toEqual(consentOf?.(one));
    expect(consentOf?.(await facebook.enrolled())).toEqual({ app: 'facebook', person: '' });
    await revoke?.(facebook.context, one);
    expect(await failureOf(renew(facebook, sibling))).toMatchObject({ kind: 'reconnect' });
    expect(consentOf?.(await renew(facebook, stranger))).toEqual(consentOf?.(stranger));
  });

  test('revoking invalidates tokens and can be repeated', async () => {
    const facebook = await start();
    const tokens = await facebook.connect();
    await revoke?.(facebook.context, tokens);
    expect(await failureOf(renew(facebook, tokens))).toMatchObject({ kind: 'reconnect' });
    await revoke?.(facebook.context, tokens);
    facebook.faults.add({
      when: ({ path }) => path.includes('permissions'),
      fault: { kind: 'refusal', refusal: 'server-error' },
    });
    expect(await failureOf(revoke?.(facebook.context, tokens) ?? Promise.resolve())).toMatchObject({
      kind: 'transient',
    });
  });
});
