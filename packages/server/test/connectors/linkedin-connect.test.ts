import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/linkedin/index.ts';
import { consent, count, isToken, type LinkedIn, REDIRECT, startLinkedIn } from './linkedin-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startLinkedIn);

const { authorize, exchange, refresh, revoke, tokensFrom, missingScopes, asks } = connector.oauth;
const MEMBER = ['openid', 'profile', 'w_member_social'];
const PAGES = ['w_organization_social', 'r_organization_social', 'rw_organization_admin'];
const COMMUNITY = ['r_basicprofile', 'w_member_social', ...PAGES];
const begin = ({ context }: Pick<LinkedIn, 'context'>, login?: string) =>
  authorize(context, { state: 'the state', redirectUri: REDIRECT, ...(login ? { login } : {}) });
const renew = ({ context }: LinkedIn, tokens: Awaited<ReturnType<LinkedIn['connect']>>) => {
  if (!refresh) throw new Error('LinkedIn tokens are renewed.');
  return refresh(context, tokens);
};
const DAY_SECONDS = 86_400;

describe('LinkedIn consent', () => {
  test.each([
    [undefined, MEMBER],
    ['member', MEMBER],
    ['organization', PAGES],
    ['both', COMMUNITY],
  ])('requests all scopes at once for %s', async (login, scopes) => {
    const linkedin = await start();
    const { url, kept } = await begin(linkedin, login);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      response_type: 'code',
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      state: 'the state',
      scope: scopes.join(' '),
    });
    expect(JSON.stringify([url, kept])).not.toContain('sandbox-secret');
    if (login) expect(asks[0]?.values?.map(({ value }) => value)).toContain(login);
  });

  test('returns tokens and the member for a member', async () => {
    const linkedin = await start();
    const tokens = await linkedin.connect('member');
    expect(tokens).toMatchObject({
      scopes: MEMBER,
      expiresIn: 60 * DAY_SECONDS,
      refreshExpiresIn: 365 * DAY_SECONDS,
      service: '',
    });
    expect(Object.keys(tokens.secret).sort()).toEqual(['accessToken', 'refreshToken']);
    const { remoteId } = await linkedin.simulator.enrol('in/nora');
    expect(await linkedin.identify(tokens)).toEqual([
      {
        remoteId,
        username: 'nora',
        displayName: 'nora',
        avatarUrl: expect.stringMatching(/^http/),
        capabilities: connector.capabilities,
      },
    ]);
  });

  test('returns each page with a posting role once', async () => {
    const linkedin = await start();
    const { remoteId: own } = await linkedin.simulator.enrol('nora');
    const { remoteId: other } = await linkedin.simulator.enrol('acme');
    const { remoteId: read } = await linkedin.simulator.enrol('readonly');
    const { remoteId: former } = await linkedin.simulator.enrol('former');
    const id = (urn: string) => urn.split(':').at(-1) ?? '';
    await linkedin.setRoles([
      { organizationId: id(own), role: 'ADMINISTRATOR', state: 'APPROVED' },
      { organizationId: id(other), role: 'CONTENT_ADMINISTRATOR', state: 'APPROVED' },
      { organizationId: id(other), role: 'DIRECT_SPONSORED_CONTENT_POSTER', state: 'APPROVED' },
      { organizationId: id(read), role: 'ANALYST', state: 'APPROVED' },
      { organizationId: id(former), role: 'ADMINISTRATOR', state: 'REVOKED' },
      { organizationId: '1', role: 'ADMINISTRATOR', state: 'APPROVED' },
    ]);
    const tokens = await linkedin.connect('organization');
    expect(tokens.scopes).toEqual(PAGES);
    const found = await linkedin.identify(tokens);
    expect(found.map(({ remoteId, username, displayName }) => [remoteId, username, displayName])).toEqual([
      [own, 'nora', 'nora Inc.'],
      [other, 'acme', 'acme Inc.'],
    ]);
    expect(found[0]?.capabilities.watch).toBe('poll');
    expect((await connector.identify(linkedin.context, tokens)).remoteId).toBe(own);
  });

  test('reads a long list of roles completely', async () => {
    const linkedin = await start();
    const made = await Promise.all(Array.from({ length: 23 }, (_, index) => linkedin.simulator.enrol(`page ${index}`)));
    await linkedin.setRoles(
      made.map(({ remoteId }) => ({
        organizationId: remoteId.split(':').at(-1) ?? '',
        role: 'ADMINISTRATOR',
        state: 'APPROVED',
      })),
    );
    const found = await linkedin.identify(await linkedin.connect('organization'));
    expect(found.map(({ remoteId }) => remoteId)).toEqual(made.map(({ remoteId }) => remoteId));
  });

  test('returns the pages and then the member for both', async () => {
    const linkedin = await start();
    const found = await linkedin.identify(await linkedin.connect('both'));
    expect(found.map(({ remoteId }) => remoteId.split(':')[2])).toEqual(['organization', 'person']);
  });

  test('reports a user without any page', async () => {
    const linkedin = await start();
    await linkedin.setRoles([]);
    const tokens = await linkedin.connect('organization');
    const nothing = { kind: 'rejected', what: 'permission', detail: { code: 'linkedin.page_missing' } };
    expect(await failureOf(linkedin.identify(tokens))).toMatchObject(nothing);
    expect(await failureOf(connector.identify(linkedin.context, tokens))).toMatchObject(nothing);
  });

  test('requests no token after a cancelled consent', async () => {
    const linkedin = await start();
    const { url, kept } = await begin(linkedin);
    const query = await consent(url, { decision: 'deny' });
    expect(query.get('error')).toBe('user_cancelled_authorize');
    const attempt = exchange(linkedin.context, { query, redirectUri: REDIRECT, kept });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'transient' });
    expect(count(linkedin, isToken)).toBe(0);
  });

  test.each([
    ['twice', 0],
    ['too late', 30 * 60_000],
  ])('asks to reconnect when the code comes %s', async (_name, laterMs) => {
    const linkedin = await start();
    const { url, kept } = await begin(linkedin);
    const given = { query: await consent(url), redirectUri: REDIRECT, kept };
    if (laterMs === 0) await exchange(linkedin.context, given);
    linkedin.clock.now += laterMs;
    expect(await failureOf(exchange(linkedin.context, given))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'invalid_request',
      status: 400,
    });
  });

  test.each([
    ['commas', ','],
    ['spaces', ' '],
    ['both', ', '],
  ])('accepts scopes separated by %s', async (_name, scopeSeparator) => {
    const linkedin = await start();
    await linkedin.set({ scopeSeparator });
    expect((await linkedin.connect('both')).scopes).toEqual(COMMUNITY);
  });

  test('assumes the requested scopes when the response names none', async () => {
    const linkedin = await start();
    const { kept } = await begin(linkedin, 'organization');
    const response = { status: 200, body: { access_token: 'AQX', expires_in: 60 } };
    linkedin.faults.add({ when: isToken, times: 1, fault: { kind: 'status', answer: response } });
    const query = new URLSearchParams({ code: 'AQ' });
    const tokens = await exchange(linkedin.context, { query, redirectUri: REDIRECT, kept });
    expect(tokens).toMatchObject({ scopes: PAGES, secret: { accessToken: 'AQX' }, refreshExpiresIn: null });
    expect(tokens.secret).not.toHaveProperty('refreshToken');
  });

  test.each([
    [[...MEMBER, ...PAGES], []],
    [MEMBER, []],
    [PAGES, []],
    [COMMUNITY, []],
    [['r_basicprofile', ...PAGES], ['w_member_social']],
    [['openid', 'profile', 'email'], ['w_member_social']],
    [['rw_organization_admin'], ['w_organization_social', 'r_organization_social']],
    [
      [...MEMBER, 'r_organization_social'],
      ['w_organization_social', 'rw_organization_admin'],
    ],
    [[], MEMBER],
  ])('reports %j as lacking %j', (granted, missing) => {
    expect(missingScopes?.(granted)).toEqual(missing);
  });
});

describe('LinkedIn applications', () => {
  const ofMembers = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
  const ofPages = { clientId: 'pages-client', clientSecret: 'pages-secret' };
  const clientOf = async (apps: Record<string, typeof ofMembers | null>, login: string) => {
    const { context } = await start();
    const { url } = await begin({ context: { ...context, app: null, apps } }, login);
    return new URL(url).searchParams.get('client_id');
  };

  test('allows one for members and one for pages', async () => {
    const apps = { linkedin: ofMembers, linkedinpages: ofPages };
    expect(await clientOf(apps, 'member')).toBe('sandbox-client');
    expect(await clientOf(apps, 'organization')).toBe('pages-client');
    expect(await clientOf({ ...apps, linkedinpages: null }, 'organization')).toBe('sandbox-client');
  });

  test.each([
    ['member', { linkedin: null, linkedinpages: ofMembers }, 'r_basicprofile w_member_social'],
    ['both', { linkedin: ofPages, linkedinpages: ofMembers }, COMMUNITY.join(' ')],
    ['both', { linkedin: ofMembers, linkedinpages: null }, [...MEMBER, ...PAGES].join(' ')],
  ])('requests for %s what the application can have', async (login, apps, scope) => {
    const { context } = await start();
    const { url } = await begin({ context: { ...context, apps } }, login);
    const { searchParams } = new URL(url);
    expect([searchParams.get('scope'), searchParams.get('client_id')]).toEqual([scope, 'sandbox-client']);
  });

  test('still serves both from one application with all products', async () => {
    const linkedin = await start();
    await linkedin.set({ allProducts: true });
    const context = { ...linkedin.context, apps: { linkedin: ofMembers, linkedinpages: null } };
    const { url, kept } = await begin({ context }, 'both');
    const tokens = await exchange(context, { query: await consent(url), redirectUri: REDIRECT, kept });
    const found = await connector.identifyAll(context, tokens);
    expect(found.map(({ remoteId }) => remoteId.split(':')[2])).toEqual(['organization', 'person']);
    expect((await refresh?.(context, tokens))?.scopes).toEqual([...MEMBER, ...PAGES]);
  });

  test('identifies the member without OpenID', async () => {
    const linkedin = await start();
    const tokens = await linkedin.connect('both');
    const { remoteId } = await linkedin.simulator.enrol('in/nora');
    const [, member] = await linkedin.identify(tokens);
    expect(member).toMatchObject({ remoteId, username: 'nora', avatarUrl: expect.stringMatching(/^http/) });
  });

  test('refreshes and revokes with the application that issued the token', async () => {
    const linkedin = await start();
    const tokens = await linkedin.connect('organization');
    const context = { ...linkedin.context, apps: { linkedin: ofPages, linkedinpages: ofMembers } };
    await refresh?.(context, tokens);
    await revoke?.(context, tokens);
    expect(linkedin.asked.slice(-2).map(({ form }) => form?.client_id)).toEqual(['sandbox-client', 'sandbox-client']);
    expect(await failureOf(linkedin.identify(tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test.each([
    ['member', { linkedin: null, linkedinpages: null }, 'LINKEDIN_CLIENT_ID'],
    ['organization', { linkedin: null, linkedinpages: null }, 'LINKEDINPAGES_CLIENT_ID'],
  ])('names the missing setting for %s', async (login, apps, name) => {
    expect(await failureOf(clientOf(apps, login))).toMatchObject({
      kind: 'setup',
      detail: { code: 'app_missing', params: { idVariable: name } },
    });
  });
});

describe('LinkedIn tokens', () => {
  test('refresh keeps the refresh token and its expiry', async () => {
    const linkedin = await start();
    const first = await linkedin.connect();
    linkedin.clock.now += 60 * DAY_SECONDS * 1000;
    expect(await failureOf(linkedin.identify(first))).toMatchObject({
      kind: 'tokenExpired',
      platformCode: 'EXPIRED_ACCESS_TOKEN',
    });
    const second = await renew(linkedin, first);
    expect(second.refreshExpiresIn).toBe(305 * DAY_SECONDS);
    expect(second.secret.refreshToken).toBe(first.secret.refreshToken);
    expect(await linkedin.identify(second)).toHaveLength(1);
  });

  test('without a refresh token stay valid until they expire', async () => {
    const linkedin = await start();
    await linkedin.set({ noRefreshTokens: true });
    const tokens = await linkedin.connect();
    expect(tokens.secret).not.toHaveProperty('refreshToken');
    const asked = linkedin.asked.length;
    expect(await renew(linkedin, { ...tokens, expiresIn: 600 })).toEqual({ ...tokens, expiresIn: 600 });
    for (const expiresIn of [60, 0, -5])
      expect(await failureOf(renew(linkedin, { ...tokens, expiresIn }))).toMatchObject({ kind: 'reconnect' });
    expect(linkedin.asked.length).toBe(asked);
  });

  test('ask to reconnect when the refresh token has expired', async () => {
    const linkedin = await start();
    const tokens = await linkedin.connect();
    linkedin.clock.now += 365 * DAY_SECONDS * 1000;
    expect(await failureOf(renew(linkedin, tokens))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'invalid_grant',
    });
  });

  test('become invalid when revoked; revoking twice succeeds', async () => {
    const linkedin = await start();
    const tokens = await linkedin.connect();
    await revoke?.(linkedin.context, tokens);
    expect(await failureOf(linkedin.identify(tokens))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'REVOKED_ACCESS_TOKEN',
    });
    expect(await failureOf(renew(linkedin, tokens))).toMatchObject({ kind: 'reconnect' });
    await revoke?.(linkedin.context, tokens);
    linkedin.faults.add({
      when: ({ path }) => path.endsWith('/revoke'),
      fault: { kind: 'garbage', acted: false, status: 502 },
    });
    expect(await failureOf(revoke?.(linkedin.context, tokens) ?? Promise.resolve())).toMatchObject({
      kind: 'transient',
    });
  });

  test.each([
    ['a page in place of a response', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble of its own', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a limit', { kind: 'status', answer: { status: 429, body: '' } }, 'rateLimited'],
    [
      'a client that it does not know',
      { kind: 'status', answer: { status: 401, body: { error: 'invalid_client' } } },
      'setup',
    ],
  ] as const)('survive a refresh that meets %s', async (_name, fault, kind) => {
    const linkedin = await start();
    const tokens = await linkedin.connect();
    linkedin.faults.add({ when: isToken, times: 1, fault });
    expect(await failureOf(renew(linkedin, tokens))).toMatchObject({ kind });
    expect((await renew(linkedin, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('of sandbox accounts are parsed from a token response', async () => {
    const linkedin = await start();
    for (const username of ['wanda', 'in/wanda']) {
      const { tokenAnswer, remoteId } = await linkedin.simulator.enrol(username);
      const tokens = tokensFrom?.(tokenAnswer ?? {}, '');
      if (!tokens) throw new Error('Tokens were expected.');
      expect((await linkedin.identify(tokens)).map((facts) => facts.remoteId)).toEqual([remoteId]);
    }
    expect(() => tokensFrom?.({ error: 'invalid_grant' }, '')).toThrow('no access token');
    expect(tokensFrom?.({ access_token: 'AQX' }, '')).toMatchObject({ expiresIn: 3_600, scopes: [] });
  });
});

describe('LinkedIn accounts', () => {
  test.each([
    ['/v2/userinfo', 'member', { kind: 'garbage', acted: false }, 'transient'],
    ['/v2/userinfo', 'member', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['/rest/organizationAcls', 'organization', { kind: 'refusal', refusal: 'token-expired' }, 'tokenExpired'],
    ['/rest/organizations/', 'organization', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
  ] as const)('are not invented when %s fails', async (path, login, fault, kind) => {
    const linkedin = await start();
    const tokens = await linkedin.connect(login);
    linkedin.faults.add({ when: (call) => call.path.startsWith(path), fault });
    expect(await failureOf(linkedin.identify(tokens))).toMatchObject({ kind });
  });

  test('omit a page that is not accessible', async () => {
    const linkedin = await start();
    const tokens = await linkedin.connect('both');
    const response = { status: 403, body: { status: 403, serviceErrorCode: 100, message: 'Not enough permissions' } };
    linkedin.faults.add({
      when: ({ path }) => path.startsWith('/rest/organizations/'),
      fault: { kind: 'status', answer: response },
    });
    expect((await linkedin.identify(tokens)).map(({ remoteId }) => remoteId.split(':')[2])).toEqual(['person']);
  });

  test('have the picture of the page', async () => {
    const linkedin = await start();
    const [facts] = await linkedin.identify(await linkedin.connect('organization'));
    expect(facts?.avatarUrl).toMatch(/^http.*\/media\/\d+\.png$/);
  });

  test('need no picture if LinkedIn rejects the projection', async () => {
    const linkedin = await start();
    const tokens = await linkedin.connect('organization');
    const body = { status: 400, code: 'QUERY_PARAM_NOT_ALLOWED', message: 'projection' };
    const when = ({ path }: { path: string }) => path.startsWith('/rest/organizations/');
    linkedin.faults.add({ when, times: 1, fault: { kind: 'status', answer: { status: 400, body } } });
    expect(await linkedin.identify(tokens)).toMatchObject([{ username: 'nora', avatarUrl: '' }]);
  });

  test('have a picture only if its URL is valid', async () => {
    const linkedin = await start();
    const tokens = await linkedin.connect('organization');
    const identifier = 'https://media.licdn.com/dms/image/logo.png';
    const logoV2 = { 'original~': { elements: [{ identifiers: [{ identifier }] }] }, original: 'urn:li:image:1' };
    const response = { status: 200, body: { id: 1, logoV2 } };
    linkedin.faults.add({
      when: ({ path }) => path.startsWith('/rest/organizations/'),
      fault: { kind: 'status', answer: response },
    });
    const [facts] = await linkedin.identify(tokens);
    expect(facts).toMatchObject({ avatarUrl: identifier, username: facts?.remoteId.split(':').at(-1) });
  });
});
