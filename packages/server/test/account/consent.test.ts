import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MAX_ATTEMPTS, MAX_STEPS } from '../../src/accounts/connect/attempt-store.ts';
import { maskEmail } from '../../src/accounts/connect/consent-page.ts';
import { consentsIn, type Request } from './consents.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let userId: string;
beforeAll(async () => {
  world = await createAccountWorld();
  userId = await world.newUser();
});
afterEach(() => {
  world.simulator.faults.clear();
  Object.assign(world.toy.settings, {
    expiresIn: 3600,
    refreshable: true,
    scopes: 'who post',
    consentError: null,
    pages: [],
    audiences: ['ALL', 'ME'],
  });
  expect(world.simulator.errors).toEqual([]);
});
afterAll(() => world.close());

const { ticketFor, start, consent, responseOf, finish, finishAll } = consentsIn(
  () => world,
  () => userId,
);

test('a consent in the starting browser connects the account', async () => {
  const { browser, query } = await consent({ choices: { audience: 'all' }, identifier: 'flow' });
  const step = await finish(query, browser);
  expect(step).toMatchObject({
    then: 'connected',
    accounts: [{ username: 'flow', displayName: 'Nora', again: false, notes: [] }],
  });
  const id = step.then === 'connected' ? (step.accounts[0]?.id ?? '') : '';
  expect(await world.account(id)).toMatchObject({
    user_id: userId,
    status: 'CONNECTED',
    sandbox: true,
    choices: { audience: 'ALL' },
    choice_values: {
      audience: [
        { value: 'ALL', label: 'To ALL' },
        { value: 'ME', label: 'To ME' },
      ],
    },
    capabilities: { caption: { maxLength: 100 } },
  });
  expect((await world.account(id)).avatar).toMatch(/^[0-9a-f-]{36}\.png$/);
  const audit = await world.db.query('select user_id, actor, action from audit where subject = $1', [id]);
  expect(audit).toEqual([{ user_id: userId, actor: 'session', action: 'account.connect' }]);
  expect(world.lines.join()).toContain('"event":"account_connected"');
});

test('a ticket works once, for its platform, ten minutes', async () => {
  const ticket = await ticketFor();
  expect(
    await world.accounts.startConsent({ platform: 'other', ticket, browser: null, signedIn: userId }),
  ).toMatchObject({
    status: 410,
  });
  expect(await start(ticket)).toMatchObject({ then: 'redirect' });
  expect(await start(ticket)).toMatchObject({ then: 'refused', status: 410 });
  const old = await ticketFor();
  await world.db.clock.advance(10 * 60_000 + 1_000);
  expect(await start(old)).toMatchObject({ then: 'refused', status: 410 });
});

test("another user's browser is rejected; the ticket stays valid", async () => {
  const ticket = await ticketFor();
  const as = (signedIn: string) => world.accounts.startConsent({ platform: 'toy', ticket, browser: null, signedIn });
  expect(await as(await world.newUser())).toMatchObject({ then: 'refused', status: 403 });
  expect(await as(userId)).toMatchObject({ then: 'redirect' });
});

test('the confirmation names the user and keeps the ticket', async () => {
  const ticket = await ticketFor({ identifier: 'seen' });
  const describe = (signedIn: string | null) => world.accounts.describeConsent({ platform: 'toy', ticket, signedIn });
  await world.db.clock.advance(3 * 60_000);
  const [owner] = await world.db.query<{ email: string }>('select email from auth."user" where id = $1', [userId]);
  const user = `${owner?.email.slice(0, 2)}…@example.org`;
  for (let again = 0; again < 2; again++)
    expect(await describe(userId)).toMatchObject({
      then: 'confirm',
      request: { name: 'Toy', user, minutesAgo: 3, sandbox: true, identifier: 'seen', service: null },
    });
  expect(await describe(null)).toMatchObject({
    then: 'refused',
    status: 403,
    title: { text: 'You are not signed in' },
  });
  expect(await describe(await world.newUser())).toMatchObject({ then: 'refused', status: 403 });
  expect(await start(ticket)).toMatchObject({ then: 'redirect' });
});

test('command line links alone work without a session', async () => {
  const ofSession = await ticketFor();
  expect(await start(ofSession, null, null)).toMatchObject({ then: 'refused', status: 403 });
  expect(await start(ofSession)).toMatchObject({ then: 'redirect' });
  expect(await start(await ticketFor({ actor: 'command line' }), null, null)).toMatchObject({ then: 'redirect' });
});

test('a canceled ticket connects nothing and stops working', async () => {
  const ticket = await ticketFor();
  const visit = { platform: 'toy', ticket, signedIn: userId };
  expect(await world.accounts.cancelConsent(visit)).toMatchObject({ then: 'refused', status: 200 });
  expect(await start(ticket)).toMatchObject({ then: 'refused', status: 410 });
  expect((await world.accounts.attempts(userId))[0]?.steps.at(-1)).toMatchObject({ ok: false, step: 'begun' });
});

test.each([
  ['alice@example.org', 'al…@example.org'],
  ['al@example.org', 'a…@example.org'],
  ['a@example.org', 'a…@example.org'],
  ['"a@b"@example.org', '"a…@example.org'],
])('the address %s is masked as %s', (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});

test('a callback works once', async () => {
  const { browser, query } = await consent();
  const both = await Promise.all([finish(query, browser), finish(query, browser)]);
  expect(both.map((step) => step.then).sort()).toEqual(['connected', 'refused']);
  expect(await finish(query, browser)).toMatchObject({ then: 'refused', status: 400 });
});

test('repeated callbacks leave a record of bounded size', async () => {
  const owner = await world.newUser();
  const { query } = await consent({ userId: owner });
  for (let times = 0; times < MAX_STEPS + 5; times++) await finish(query, null);
  const [row] = await world.db.query<{ steps: number }>(
    'select jsonb_array_length(steps) as steps from consent where user_id = $1',
    [owner],
  );
  expect(row?.steps).toBe(MAX_STEPS);
});

test('a user keeps the newest attempts', async () => {
  const owner = await world.newUser();
  const tickets = [];
  for (let times = 0; times < MAX_ATTEMPTS + 3; times++) tickets.push(await ticketFor({ userId: owner }));
  const [row] = await world.db.query<{ attempts: number }>(
    'select count(*)::integer as attempts from consent where user_id = $1',
    [owner],
  );
  expect(row?.attempts).toBe(MAX_ATTEMPTS);
  expect((await start(tickets.at(-1) ?? '', null, owner)).then).toBe('redirect');
});

test('a callback in another browser is rejected without effect', async () => {
  const { browser, query } = await consent();
  expect(await finish(query, null)).toMatchObject({
    then: 'refused',
    title: { text: 'This was started in another browser' },
  });
  expect(await finish(query, 'x'.repeat(43))).toMatchObject({ then: 'refused' });
  expect(await finish(query, browser)).toMatchObject({ then: 'connected' });
});

test('two consents in one browser are independent', async () => {
  const first = await start(await ticketFor({ identifier: 'tab-1' }));
  if (first.then !== 'redirect') throw new Error('No redirect.');
  const second = await start(await ticketFor({ identifier: 'tab-2' }), first.browser);
  if (second.then !== 'redirect') throw new Error('No redirect.');
  expect(second.browser).toBe(first.browser);
  expect(await finish(await responseOf(second.url), second.browser)).toMatchObject({ then: 'connected' });
  expect(await finish(await responseOf(first.url), first.browser)).toMatchObject({ then: 'connected' });
});

test('the callback rejects an invented, missing or expired state', async () => {
  expect(await finish(new URLSearchParams({ state: 'x', code: 'y' }), null)).toMatchObject({ status: 400 });
  expect(await finish(new URLSearchParams({ code: 'y' }), null)).toMatchObject({ status: 400 });
  const { browser, query } = await consent();
  await world.db.clock.advance(10 * 60_000 + 1_000);
  expect(await finish(query, browser)).toMatchObject({ then: 'refused', status: 410 });
});

test('a denied consent is not an error', async () => {
  world.toy.settings.consentError = 'access_denied';
  const { browser, query } = await consent();
  expect(await finish(query, browser)).toMatchObject({
    then: 'refused',
    status: 200,
    reason: { text: expect.stringContaining('You did not allow access') },
  });
});

test("other errors appear with the platform's message", async () => {
  world.toy.settings.consentError = 'server_on_fire';
  const { browser, query } = await consent();
  query.set('error_description', 'Come back <b>later</b>.');
  expect(await finish(query, browser)).toMatchObject({
    then: 'refused',
    status: 422,
    reason: { text: 'Toy rejected the sign-in (server_on_fire). Come back <b>later</b>.' },
  });
  expect(world.lines.at(-1)).toContain('"platformCode":"server_on_fire"');
});

test("a rejected code appears with the platform's error code", async () => {
  const { browser, query } = await consent();
  query.set('code', 'wrong');
  expect(await finish(query, browser)).toMatchObject({
    then: 'refused',
    status: 422,
    reason: { text: 'Toy answered 400.' },
  });
  expect(JSON.parse(world.lines.at(-1) ?? '{}')).toMatchObject({
    event: 'connect_failed',
    where: 'exchange',
    platformCode: 'invalid_code',
    userId,
  });
});

test('denied scopes are named and connect nothing', async () => {
  world.toy.settings.scopes = 'who';
  const { browser, query } = await consent({ identifier: 'unticked' });
  expect(await finish(query, browser)).toMatchObject({
    then: 'refused',
    reason: { text: expect.stringContaining('did not grant post') },
  });
  expect((await world.accounts.list(userId)).some((account) => account.username === 'unticked')).toBe(false);
});

test.each([0, -1, 'soon', 1e12])('a token lifetime of %s is rejected', async (life) => {
  world.toy.settings.expiresIn = life;
  const { browser, query } = await consent();
  expect(await finish(query, browser)).toMatchObject({
    then: 'refused',
    reason: { text: expect.stringContaining('invalid token lifetime') },
  });
});

test('the ticket stays usable if the platform is unavailable', async () => {
  const away = {
    ...world.toy.connector,
    oauth: world.toy.connector.oauth && {
      ...world.toy.connector.oauth,
      authorize: () => Promise.reject(new Error('away')),
    },
  };
  const ticket = await ticketFor();
  const broken = world.node({ connectors: { toy: away } });
  expect(await broken.startConsent({ platform: 'toy', ticket, browser: null, signedIn: userId })).toMatchObject({
    then: 'refused',
    status: 422,
  });
  expect(await start(ticket)).toMatchObject({ then: 'redirect' });
});

test('reconnecting keeps the id, choices and refresh token', async () => {
  const one = await consent({ identifier: 'again', choices: { audience: 'ME' } });
  const first = await finish(one.query, one.browser);
  const id = first.then === 'connected' ? (first.accounts[0]?.id ?? '') : '';
  const before = await world.accounts.grants.freshSecret(await world.grantOf(id), { minLifeMs: 0 });
  await world.db.execute("update account set status = 'EXPIRED' where id = $1", [id]);
  world.toy.settings.refreshable = false;
  const two = await consent({ identifier: 'again', choices: {} });
  expect(await finish(two.query, two.browser)).toMatchObject({ then: 'connected', accounts: [{ id, again: true }] });
  expect(await world.account(id)).toMatchObject({ status: 'CONNECTED', choices: { audience: 'ME' } });
  const after = await world.accounts.grants.freshSecret(await world.grantOf(id), { minLifeMs: 0 });
  if (!before.ok || !after.ok) throw new Error('No secret.');
  expect(after.fresh.tokens.secret.accessToken).not.toBe(before.fresh.tokens.secret.accessToken);
  expect(after.fresh.tokens.secret.refreshToken).toBe(before.fresh.tokens.secret.refreshToken);
});

test('several accounts of one consent share one grant', async () => {
  world.toy.settings.pages = ['p1', 'p2', 'p3'];
  const { browser, query } = await consent({ identifier: 'pages' });
  const step = await finishAll(query, browser);
  const ids = step.then === 'connected' ? step.accounts.map((each) => each.id) : [];
  expect(ids).toHaveLength(3);
  expect(new Set(await Promise.all(ids.map(world.grantOf))).size).toBe(1);
  // A consent for fewer of them keeps the tokens of the others.
  world.toy.settings.pages = ['p1'];
  const again = await consent({ identifier: 'pages' });
  await finishAll(again.query, again.browser);
  const grants = await Promise.all(ids.map(world.grantOf));
  expect(grants[0]).not.toBe(grants[1]);
  expect(grants[1]).toBe(grants[2]);
});

test("a consent connects accounts up to the plan's limit", async () => {
  const free = await world.newUser('FREE');
  world.toy.settings.pages = ['a', 'b', 'c', 'd', 'e'];
  const { browser, query } = await consent({ userId: free, identifier: 'many' });
  const step = await finishAll(query, browser);
  expect(step).toMatchObject({
    then: 'connected',
    accounts: [
      {
        notes: expect.arrayContaining([
          expect.objectContaining({ text: expect.stringContaining('does not allow the other accounts') }),
        ]),
      },
      {},
      {},
    ],
  });
  expect(await world.accounts.list(free)).toHaveLength(3);
});

test('the plan limit blocks new accounts, not reconnects', async () => {
  const free = await world.newUser('FREE');
  for (const name of ['one', 'two', 'three']) await world.connect(free, `free-${name}`);
  const { browser, query } = await consent({ userId: free, identifier: 'free-four' });
  expect(await finish(query, browser)).toMatchObject({
    then: 'refused',
    reason: { text: expect.stringContaining('3 connected accounts') },
  });
  await world.connect(free, 'free-two');
  expect(await world.accounts.list(free)).toHaveLength(3);
});

test('one of several concurrent connects gets the last place', async () => {
  const free = await world.newUser('FREE');
  for (const name of ['one', 'two']) await world.connect(free, `race-${name}`);
  const tries = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => world.connect(free, `race-${name}`)));
  expect(tries.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
  expect(await world.accounts.list(free)).toHaveLength(3);
});

test('concurrent connects of the same account create one account', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => world.connect(userId, 'twin')));
  expect(new Set(ids).size).toBe(1);
  const grants = await world.db.query(
    'select 1 from access_grant g where not exists (select 1 from account where grant_id = g.id)',
  );
  expect(grants).toEqual([]);
});

test('users of the same account share only its identity', async () => {
  const other = await world.newUser();
  const [a, b] = [await world.connect(userId, 'shared'), await world.connect(other, 'shared')];
  const [one, two] = [await world.account(a), await world.account(b)];
  expect(a).not.toBe(b);
  expect(one.identity_id).toBe(two.identity_id);
  expect(one.grant_id).not.toBe(two.grant_id);
  expect(one.avatar).not.toBe(two.avatar);
});

test('sandbox and real accounts have separate identities', async () => {
  const id = await world.connect(userId, 'both');
  const [row] = await world.db.query(
    'select i.service from identity i join account a on a.identity_id = i.id where a.id = $1',
    [id],
  );
  expect(row).toEqual({ service: 'sandbox:' });
});

test('a disallowed choice is reported and stays missing', async () => {
  world.toy.settings.audiences = ['ME'];
  const { browser, query } = await consent({ identifier: 'narrow', choices: { audience: 'ALL' } });
  const step = await finishAll(query, browser);
  expect(step).toMatchObject({
    then: 'connected',
    accounts: [
      {
        notes: [
          { text: expect.stringContaining('Allowed: ME (To ME)') },
          { text: expect.stringMatching(/^To choose for every post.*: who can see/) },
        ],
      },
    ],
  });
  const id = step.then === 'connected' ? (step.accounts[0]?.id ?? '') : '';
  expect(await world.account(id)).toMatchObject({ choices: {} });
});

test('an invalid connect request is rejected with a reason', async () => {
  const begin = (request: Request) =>
    world.accounts.startConnect({ userId, platform: 'toy', actor: 'session', ...request });
  await expect(begin({ platform: 'nowhere' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('toy'),
  });
  await expect(begin({ platform: 'constructor' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(begin({})).rejects.toMatchObject({
    code: 'connect_failed',
    message: expect.stringContaining('http://localhost:3000/oauth/toy/callback'),
  });
  await expect(begin({ sandbox: true, choices: { audience: 'nobody' } })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'The setting "audience" must be one of: ALL (Everyone), FRIENDS (Friends), ME (Only me).',
  });
  await expect(begin({ sandbox: true, choices: { colour: 'red' } })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a service without the sandbox starts nothing simulated', async () => {
  const plain = world.node({ sandbox: null });
  await expect(plain.startConnect({ userId, platform: 'toy', sandbox: true, actor: 'session' })).rejects.toMatchObject({
    code: 'platform_not_connected',
    status: 409,
  });
  const request = { userId, platform: 'toy', username: 'nora', privacy: 'public', actor: 'command line' };
  await expect(plain.connectSandbox(request)).rejects.toMatchObject({ code: 'platform_not_connected' });
});

test("a login connects immediately; errors show the platform's message", async () => {
  const request = { userId, platform: 'toy', sandbox: true, actor: 'session', identifier: 'nora' };
  await expect(world.accounts.startConnect({ ...request, secret: 'wrong' })).rejects.toMatchObject({
    code: 'connect_failed',
    message: expect.stringMatching(
      /^Toy does not know this password\. \(wrong_password\) \(Reference [0-9a-f-]{36}\)$/,
    ),
  });
  await expect(
    world.accounts.startConnect({ ...request, identifier: undefined, secret: 'right' }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'The field "identifier" is missing. Toy needs it.',
  });
  world.simulator.faults.add({
    when: ({ path }) => path === '/me',
    fault: {
      kind: 'status',
      answer: {
        status: 200,
        body: { id: 'id-login', user: 'login', displayName: 'L', audiences: [], pages: [], maxLength: 9 },
      },
    },
  });
  const connected = await world.accounts.startConnect({ ...request, secret: 'right' });
  expect(connected).toMatchObject({ url: null, accounts: [{ username: 'login' }] });
});

test('copies only valid pictures; failures do not matter', async () => {
  const kinds: [Partial<typeof world.toy.settings.avatar>, RegExp | null][] = [
    [{ status: 200, body: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]) }, /\.jpg$/],
    [{ status: 200, body: Buffer.from('RIFF0000WEBPVP8 ') }, /\.webp$/],
    [{ status: 200, body: Buffer.from('<svg onload="alert(1)">') }, null],
    [{ status: 200, body: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(3 * 1024 * 1024)]) }, null],
    [{ status: 404, body: Buffer.alloc(0) }, null],
    [{ status: 302, body: Buffer.alloc(0), location: 'http://169.254.169.254/latest' }, null],
    [{ status: 302, body: Buffer.alloc(0), location: '/sandbox/toy/avatar' }, null],
  ];
  const before = world.toy.settings.avatar;
  for (const [index, [avatar, name]] of kinds.entries()) {
    world.toy.settings.avatar = { ...before, ...avatar };
    const account = await world.account(await world.connect(userId, `picture-${index}`));
    if (name) expect(account.avatar).toMatch(name);
    else expect(account.avatar).toBeNull();
  }
  world.toy.settings.avatar = before;
  const doomed = await world.db.query(
    "select 1 from file_removal f join account a on f.storage_key = 'pictures/' || a.avatar",
  );
  expect(doomed).toEqual([]);
});
