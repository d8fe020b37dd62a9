import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { SCOPES } from '@reelay/sandbox/platforms/instagram/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/instagram/index.ts';
import { CALLBACK, consent, type Instagram, startInstagram } from './instagram-driver.ts';
import { failureOf, walkThrough } from './walk.ts';

const start = closedAfterTest(startInstagram);
const LOGINS = ['instagram', 'facebook'] as const;
const DAY_MS = 86_400_000;

const { authorize, exchange, missingScopes, refresh, tokensFrom } = connector.oauth;
const begin = ({ context }: Instagram, login?: string) =>
  authorize(context, { state: 'the state', redirectUri: CALLBACK, ...(login ? { login } : {}) });
const renew = ({ context }: Instagram, tokens: Tokens) => {
  if (!refresh) throw new Error('Tokens are renewed.');
  return refresh(context, tokens);
};
const isAt =
  (part: string) =>
  ({ path }: { path: string }) =>
    path.includes(part);
const isRenewal = isAt('/refresh_access_token');
const isShort = isAt('/api-instagram/oauth/access_token');
const isLong = isAt('/graph-instagram/access_token');
const count = ({ requests }: Instagram, when: (call: { path: string }) => boolean) => requests.filter(when).length;

describe('consent', () => {
  test.each(LOGINS)('with %s returns tokens and identifies the account', async (login) => {
    const instagram = await start({ login });
    const tokens = await instagram.connect();
    const { remoteId } = await instagram.simulator.enrol('nora.cuts');
    expect(tokens).toMatchObject({
      secret: { login },
      expiresIn: 5_183_944,
      service: '',
    });
    expect(missingScopes?.(tokens.scopes)).toEqual([]);
    expect(await connector.identifyAll(instagram.context, tokens)).toEqual([
      {
        remoteId,
        username: 'nora.cuts',
        displayName: 'nora.cuts',
        avatarUrl: expect.stringMatching(/^http/),
        capabilities: connector.capabilities,
        extra: { login },
        ...(login === 'instagram' ? { fetchesMedia: true } : {}),
      },
    ]);
  });

  test("requests each login's scopes with its own app", async () => {
    const instagram = await start();
    const apps = {
      instagram: { clientId: 'ig-app', clientSecret: 'ig-secret' },
      facebook: { clientId: 'fb-app', clientSecret: 'fb-secret' },
    };
    const asked = async (login?: string) => {
      const given = { ...instagram, context: { ...instagram.context, apps } };
      const { url, kept } = await begin(given, login);
      expect(url).not.toContain('secret');
      return { ...Object.fromEntries(new URL(url).searchParams), path: new URL(url).pathname, kept };
    };
    const own = { client_id: 'ig-app', kept: { login: 'instagram' } };
    expect(await asked()).toMatchObject(own);
    expect(await asked('instagram')).toMatchObject({
      ...own,
      response_type: 'code',
      redirect_uri: CALLBACK,
      state: 'the state',
      scope: 'instagram_business_basic,instagram_business_content_publish',
      force_reauth: 'true',
    });
    expect(await asked('facebook')).toMatchObject({
      client_id: 'fb-app',
      kept: { login: 'facebook' },
      path: expect.stringMatching(/\/v25\.0\/dialog\/oauth$/),
      scope: 'instagram_basic,instagram_content_publish,pages_read_engagement,pages_show_list,business_management',
      auth_type: 'rerequest',
    });
  });

  test('Instagram asks who signs in, for a second account', async () => {
    const instagram = await start();
    await instagram.set({ signedIn: 'nora.cuts' });
    const tokens = await instagram.connect('wanda');
    expect((await connector.identify(instagram.context, tokens)).username).toBe('wanda');
  });

  test('a permission declined once can be granted later', async () => {
    const instagram = await start({ login: 'facebook' });
    const granted = ['instagram_basic', 'pages_show_list', 'pages_read_engagement'];
    const first = await instagram.connect('nora.cuts', { granted });
    expect(missingScopes?.(first.scopes)).toEqual(['instagram_content_publish']);
    expect(missingScopes?.((await instagram.connect()).scopes)).toEqual([]);
  });

  test.each(['owned_pages', 'client_pages'] as const)('finds accounts of a portfolio: %s', async (portfolio) => {
    const instagram = await start({ login: 'facebook' });
    await instagram.set({ portfolio });
    const granted = [...SCOPES.facebook, 'business_management'];
    const tokens = await instagram.connect('one,two', { granted });
    const facts = await connector.identifyAll(instagram.context, tokens);
    expect(facts.map(({ username }) => username).sort()).toEqual(['one', 'two']);
    const without = await instagram.connect('one,two', { granted: SCOPES.facebook });
    expect(await failureOf(connector.identifyAll(instagram.context, without))).toMatchObject({ kind: 'setup' });
  });

  test('defaults to the login that has an app', async () => {
    const instagram = await start();
    const facebook = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
    const context = { ...instagram.context, apps: { instagram: null, facebook } };
    expect((await begin({ ...instagram, context })).kept).toEqual({ login: 'facebook' });
    const none = { ...instagram.context, apps: { instagram: null, facebook: null } };
    for (const [login, name] of [
      [undefined, 'INSTAGRAM_APP_ID'],
      ['instagram', 'INSTAGRAM_APP_ID'],
      ['facebook', 'FACEBOOK_APP_ID'],
    ] as const)
      expect(await failureOf(begin({ ...instagram, context: none }, login))).toMatchObject({
        kind: 'setup',
        detail: { code: 'app_missing', text: expect.stringContaining(name) },
      });
  });

  test.each(LOGINS)('a denied consent with %s requests no token', async (login) => {
    const instagram = await start();
    const { url, kept } = await begin(instagram, login);
    const query = await consent(url, { decision: 'deny' });
    const before = instagram.requests.length;
    expect(await failureOf(exchange(instagram.context, { query, redirectUri: CALLBACK, kept }))).toMatchObject({
      kind: 'transient',
    });
    expect(instagram.requests.length).toBe(before);
  });

  test.each(LOGINS)('with %s reports declined scopes', async (login) => {
    const instagram = await start();
    const tokens = await instagram.connect('nora.cuts', { login, granted: [] });
    const facebook = ['instagram_content_publish', 'pages_read_engagement', 'pages_show_list'];
    const missing = { instagram: ['instagram_business_content_publish'], facebook };
    expect(missingScopes?.(tokens.scopes)).toEqual(missing[login]);
  });

  test.each(LOGINS)('with %s: an invalid code is a setup error', async (login) => {
    for (const how of ['used', 'late', 'elsewhere']) {
      const instagram = await start();
      const { url, kept } = await begin(instagram, login);
      const query = await consent(url);
      const given = { query, redirectUri: how === 'elsewhere' ? `${CALLBACK}/` : CALLBACK, kept };
      if (how === 'used') await exchange(instagram.context, given);
      if (how === 'late') instagram.clock.now += 3_600_000;
      const failure = await failureOf(exchange(instagram.context, given));
      expect(failure).toMatchObject({ kind: 'setup', status: 400 });
      expect(JSON.stringify(failure)).not.toContain(query.get('code'));
    }
  });

  test('removes the URL fragment from a code', async () => {
    const instagram = await start();
    const { url, kept } = await begin(instagram);
    const query = await consent(url);
    const code = query.get('code');
    query.set('code', `${code}#_`);
    await exchange(instagram.context, { query, redirectUri: CALLBACK, kept });
    expect(instagram.asked.find(({ form }) => form?.code)?.form?.code).toBe(code);
  });

  test.each([true, false])('parses a token response (wrapped: %s) with all id digits', async (wrapped) => {
    const instagram = await start();
    await instagram.set({ wrapped });
    const tokens = await instagram.connect();
    const { remoteId } = await instagram.simulator.enrol('nora.cuts');
    expect((await connector.identify(instagram.context, tokens)).remoteId).toBe(remoteId);
    expect(tokens.scopes).toEqual(['instagram_business_basic', 'instagram_business_content_publish']);
  });

  test.each([
    ['a list of permissions', { access_token: 'IGQx', user_id: 1, permissions: ['a', 'b'] }, ['a', 'b']],
    ['none', { access_token: 'IGQx', user_id: 1 }, []],
  ])('accepts a token response with %s', async (_name, body, scopes) => {
    const instagram = await start();
    instagram.faults.add({ when: isShort, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const long = { access_token: 'IGAAx', token_type: 'bearer', expires_in: 100 };
    instagram.faults.add({ when: isLong, times: 1, fault: { kind: 'status', answer: { status: 200, body: long } } });
    const tokens = await instagram.connect();
    expect(tokens).toMatchObject({ scopes, expiresIn: 100, secret: { accessToken: 'IGAAx' } });
  });

  test.each([
    ['a page', { kind: 'garbage', acted: false }, 'transient'],
    ['a page with 400', { kind: 'garbage', acted: false, status: 400 }, 'transient'],
    ['nothing', { kind: 'status', answer: { status: 502, body: '' } }, 'transient'],
    ['its own trouble', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a response without a token', { kind: 'status', answer: { status: 200, body: {} } }, 'transient'],
    [
      'an unknown application',
      { kind: 'status', answer: { status: 400, body: { error_message: 'Invalid platform app' } } },
      'setup',
    ],
  ] as [string, Fault, string][])(
    'a code exchange that meets %s fails without leaking secrets',
    async (_name, fault, kind) => {
      const instagram = await start();
      for (const when of [isShort, isLong]) {
        instagram.faults.add({ when, times: 1, fault });
        const failure = await failureOf(instagram.connect());
        if (when === isShort) expect(failure.kind).toBe(kind);
        expect(JSON.stringify(failure)).not.toMatch(/IGQ|IGAA|sandbox-secret/);
      }
    },
  );
});

describe('accounts', () => {
  test('of one consent each publish as themselves', async () => {
    const instagram = await start({ login: 'facebook' });
    const tokens = await instagram.connect('nora.cuts, wanda');
    const facts = await connector.identifyAll(instagram.context, tokens);
    expect(facts.map(({ username }) => username)).toEqual(['nora.cuts', 'wanda']);
    for (const { remoteId, username } of facts)
      await walkThrough(instagram, await instagram.work(`by ${username}`, { tokens, remoteId, username }));
    expect((await instagram.published()).map(({ username, text }) => [username, text])).toEqual([
      ['nora.cuts', 'by nora.cuts'],
      ['wanda', 'by wanda'],
    ]);
  });

  test('that are personal are rejected with instructions', async () => {
    const instagram = await start();
    const tokens = await instagram.connect();
    await instagram.changeAccount({ type: 'PERSONAL' });
    expect(await failureOf(connector.identify(instagram.context, tokens))).toMatchObject({
      kind: 'setup',
      detail: { text: expect.stringContaining('professional') },
    });
  });

  test('without a sufficient Page role are omitted', async () => {
    const instagram = await start({ login: 'facebook' });
    await instagram.changeAccount({ page: { id: '1', name: 'Page', tasks: ['ANALYZE'] } });
    const both = await instagram.connect('nora.cuts, wanda');
    const names = (await connector.identifyAll(instagram.context, both)).map(({ username }) => username);
    expect(names).toEqual(['wanda']);
    const none = await instagram.connect('nora.cuts');
    expect(await failureOf(connector.identifyAll(instagram.context, none))).toMatchObject({ kind: 'setup' });
  });

  test('remain while at least one Page token works', async () => {
    const instagram = await start({ login: 'facebook' });
    const tokens = await instagram.connect('nora.cuts, wanda');
    const { remoteId } = await instagram.simulator.enrol('wanda');
    const lost = {
      ...tokens,
      secret: { ...tokens.secret, pages: { ...(tokens.secret.pages as object), [remoteId]: 'x' } },
    };
    const names = (await connector.identifyAll(instagram.context, lost)).map(({ username }) => username);
    expect(names).toEqual(['nora.cuts']);
    await instagram.killGrants(458);
    expect(await failureOf(connector.identifyAll(instagram.context, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test.each(LOGINS)('of the sandbox are identified from a %s token response', async (login) => {
    const instagram = await start();
    await instagram.set({ login });
    const { tokenAnswer, remoteId } = await instagram.simulator.enrol('wanda');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, '');
    if (!tokens) throw new Error('Tokens were expected.');
    expect(tokens.expiresIn).toBe(5_183_944);
    expect(await connector.identify(instagram.context, tokens)).toMatchObject({ remoteId, extra: { login } });
    expect(() => tokensFrom?.({}, '')).toThrow('no access token');
  });
});

describe('Instagram tokens', () => {
  test('are refreshed after a day and only checked before', async () => {
    const instagram = await start();
    const first = await instagram.connect();
    instagram.clock.now += DAY_MS - 1;
    const same = await renew(instagram, first);
    expect(same.secret).toEqual(first.secret);
    expect(same.expiresIn).toBe(5_183_944 - 86_400);
    expect(count(instagram, isRenewal)).toBe(0);
    instagram.clock.now += 1;
    const second = await renew(instagram, first);
    expect(second.secret.accessToken).not.toBe(first.secret.accessToken);
    expect(second).toMatchObject({ expiresIn: 5_183_944, scopes: first.scopes });
    expect((await connector.identify(instagram.context, second)).username).toBe('nora.cuts');
  });

  test('of unknown age are refreshed, or checked if too young', async () => {
    const instagram = await start();
    const { tokenAnswer } = await instagram.simulator.enrol('nora.cuts');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, '');
    if (!tokens) throw new Error('Tokens were expected.');
    expect(await renew(instagram, tokens)).toMatchObject({ secret: tokens.secret, expiresIn: 86_400 });
    instagram.clock.now += DAY_MS;
    expect((await renew(instagram, tokens)).secret.accessToken).not.toBe(tokens.secret.accessToken);
  });

  test("of Facebook Login are revoked with the person's whole consent", async () => {
    const instagram = await start({ login: 'facebook' });
    const [one, sibling] = [
      await instagram.connect('one', { person: 'p' }),
      await instagram.connect('two', { person: 'p' }),
    ];
    const stranger = await instagram.connect('three');
    const { consentOf, revoke } = connector.oauth;
    expect(consentOf?.(one)).toEqual({ app: 'facebook', person: expect.stringMatching(/^\d+$/) });
    expect(consentOf?.(sibling)).toEqual(consentOf?.(one));
    expect(consentOf?.(stranger)).not.toEqual(consentOf?.(one));
    await revoke?.(instagram.context, one);
    expect(await failureOf(renew(instagram, sibling))).toMatchObject({ kind: 'reconnect' });
    expect(consentOf?.(await renew(instagram, stranger))).toEqual(consentOf?.(stranger));
  });

  test('of Instagram Login cannot be revoked', async () => {
    const instagram = await start();
    const tokens = await instagram.connect();
    const { consentOf, revoke } = connector.oauth;
    expect(consentOf?.(tokens)).toBeNull();
    const failure = await failureOf(revoke?.(instagram.context, tokens) ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'setup', detail: { code: 'instagram.revocation_unavailable' } });
    expect((await connector.identify(instagram.context, tokens)).username).toBe('nora.cuts');
  });

  test('that expired or were revoked require a new consent', async () => {
    const instagram = await start();
    const tokens = await instagram.connect();
    instagram.clock.now += 5_183_944_000;
    expect(await failureOf(connector.identify(instagram.context, tokens))).toMatchObject({ kind: 'tokenExpired' });
    expect(await failureOf(renew(instagram, tokens))).toMatchObject({ kind: 'reconnect', platformCode: '190/463' });
    const young = await instagram.connect();
    await instagram.killGrants(460);
    expect(await failureOf(renew(instagram, young))).toMatchObject({ kind: 'reconnect', platformCode: '190/460' });
    expect(await failureOf(renew(instagram, { ...young, secret: {} }))).toMatchObject({ kind: 'reconnect' });
  });

  test.each([
    ['a page', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a limit', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
  ] as [string, Fault, string][])('a refresh that meets %s keeps the tokens', async (_name, fault, kind) => {
    const instagram = await start();
    const tokens = await instagram.connect();
    instagram.clock.now += DAY_MS;
    instagram.faults.add({ when: isRenewal, times: 1, fault });
    expect((await failureOf(renew(instagram, tokens))).kind).toBe(kind);
    expect((await renew(instagram, tokens)).secret.accessToken).toEqual(expect.any(String));
  });
});

describe('Facebook tokens', () => {
  test('Page tokens outlive the user token', async () => {
    const instagram = await start({ login: 'facebook' });
    const tokens = await instagram.connect();
    const { remoteId } = await instagram.simulator.enrol('nora.cuts');
    expect(tokens.secret.pages).toEqual({ [remoteId]: expect.stringMatching(/^EAA/) });
    instagram.clock.now += 100 * DAY_MS;
    expect((await connector.identify(instagram.context, tokens)).username).toBe('nora.cuts');
    expect((await walkThrough(instagram, await instagram.work('late', { tokens }))).state).toBe('posted');
  });

  test('are always sent with appsecret_proof, unlike Instagram tokens', async () => {
    const instagram = await start({ login: 'facebook' });
    await instagram.set({ demandsProof: true });
    const tokens = await instagram.connect('nora.cuts');
    await connector.identifyAll(instagram.context, tokens);
    await connector.oauth.refresh?.(instagram.context, tokens);
    expect((await walkThrough(instagram, await instagram.work('proven', { tokens }))).state).toBe('posted');
    const own = await start({ login: 'instagram' });
    expect((await walkThrough(own, await own.work('unproven'))).state).toBe('posted');
    const sent = JSON.stringify(own.asked.map(({ url, form, body }) => [url, form, body]));
    expect(sent).not.toContain('appsecret_proof');
  });

  test('are rejected with a wrong appsecret_proof', async () => {
    const instagram = await start({ login: 'facebook' });
    const tokens = await instagram.connect('nora.cuts');
    const apps = { facebook: { clientId: 'sandbox-client', clientSecret: 'another' } };
    const work = await instagram.work('wrong', { tokens });
    const wrong = { ...work, session: Object.assign(work.session, { apps }) };
    expect((await walkThrough(instagram, wrong)).failure).toMatchObject({ kind: 'rejected', platformCode: '100' });
  });

  test('Page tokens are fetched again with the user token', async () => {
    const instagram = await start({ login: 'facebook' });
    const tokens = await instagram.connect();
    const { remoteId } = await instagram.simulator.enrol('nora.cuts');
    const stale = { ...tokens, secret: { ...tokens.secret, pages: { [remoteId]: 'EAAdead' } } };
    expect(await failureOf(connector.identify(instagram.context, stale))).toMatchObject({ kind: 'tokenExpired' });
    const fresh = await renew(instagram, stale);
    expect((await connector.identify(instagram.context, fresh)).remoteId).toBe(remoteId);
  });

  test('are renewed with the user token', async () => {
    const instagram = await start({ login: 'facebook' });
    const tokens = await instagram.connect();
    instagram.clock.now += 50 * DAY_MS;
    const renewed = await renew(instagram, tokens);
    expect(renewed).toMatchObject({ expiresIn: 5_183_944, secret: { person: tokens.secret.person } });
    expect(renewed.secret.accessToken).not.toBe(tokens.secret.accessToken);
    instagram.clock.now += 50 * DAY_MS;
    expect((await renew(instagram, renewed)).expiresIn).toBe(5_183_944);
  });

  test('outlive the user token without renewal', async () => {
    const instagram = await start({ login: 'facebook' });
    const tokens = await instagram.connect();
    instagram.clock.now += 100 * DAY_MS;
    expect(await renew(instagram, tokens)).toEqual({ ...tokens, expiresIn: null });
    const isAccount = ({ path }: { path: string }) => /\/v25\.0\/17841\d+(\?|$)/.test(path);
    instagram.faults.add({ when: isAccount, times: 1, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect(await failureOf(renew(instagram, tokens))).toMatchObject({ kind: 'transient' });
  });

  test('require a new consent once the user token is invalid', async () => {
    const instagram = await start({ login: 'facebook' });
    const { secret, ...tokens } = await instagram.connect();
    const { pages: _pages, ...withoutPages } = secret;
    instagram.clock.now += 100 * DAY_MS;
    const failure = await failureOf(renew(instagram, { ...tokens, secret: withoutPages }));
    expect(failure).toMatchObject({ kind: 'reconnect', platformCode: '190/463' });
    expect(await failureOf(renew(instagram, { ...tokens, secret: { login: 'facebook' } }))).toMatchObject({
      kind: 'reconnect',
    });
  });

  test('of the sandbox publish without Page tokens', async () => {
    const instagram = await start();
    await instagram.set({ login: 'facebook' });
    const { tokenAnswer } = await instagram.simulator.enrol('nora.cuts');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, '');
    if (!tokens) throw new Error('Tokens were expected.');
    expect((await walkThrough(instagram, await instagram.work('plain', { tokens }))).state).toBe('posted');
    expect((await renew(instagram, tokens)).secret.pages).toEqual(expect.any(Object));
  });
});
