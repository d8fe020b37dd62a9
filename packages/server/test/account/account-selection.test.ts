import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { outsideProblem } from '../../src/accounts/apps/public-reachability.ts';
import type { ConsentStep } from '../../src/accounts/connect/consent-page.ts';
import { sweepConsents } from '../../src/maintenance/rows.ts';
import { consentsIn } from './consents.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let userId: string;
beforeAll(async () => {
  world = await createAccountWorld();
});
afterEach(() => {
  world.simulator.faults.clear();
  Object.assign(world.toy.settings, { pages: [], audiences: ['ALL', 'ME'], scopes: 'who post', consentError: null });
  expect(world.simulator.errors).toEqual([]);
});
afterAll(() => world.close());
beforeAll(async () => {
  userId = await world.newUser();
});

const { consent, finish, choose } = consentsIn(
  () => world,
  () => userId,
);
const stepsOf = async (step: ConsentStep | string | undefined) => {
  const id = typeof step === 'string' ? step : step?.then === 'refused' ? (step.attempt ?? '') : '';
  return (await world.accounts.attempt(userId, id))?.steps.map(
    ({ step: name, ok }) => `${name} ${ok ? 'ok' : 'failed'}`,
  );
};
const latest = async () => (await world.accounts.attempts(userId))[0]?.id;

/** Offers several pages that share one consent. */
async function offered(pages: string[], identifier = 'owner') {
  world.toy.settings.pages = pages;
  const { browser, query } = await consent({ identifier });
  const step = await finish(query, browser);
  if (step.then !== 'choose') throw new Error(`No choice: ${JSON.stringify(step)}`);
  return { ...step, browser, ids: step.accounts.map(({ remoteId }) => remoteId) };
}

test('a consent connects only the chosen accounts', async () => {
  const { token, browser, ids, accounts } = await offered(['one', 'two', 'three'], 'chosen');
  expect(accounts.map(({ connected }) => connected)).toEqual([false, false, false]);
  const step = await choose(token, [ids[0] ?? '', ids[2] ?? ''], browser);
  expect(step).toMatchObject({ then: 'connected', accounts: [{}, {}] });
  const again = await offered(['one', 'two', 'three'], 'chosen');
  expect(again.accounts.map(({ connected }) => connected)).toEqual([true, false, true]);
});

test('a choice works once, in its browser, in time', async () => {
  const { token, browser, ids } = await offered(['red', 'blue'], 'once');
  expect(await choose(token, ids, null)).toMatchObject({
    then: 'refused',
    title: { text: 'This was started in another browser' },
  });
  expect(await choose(token, [], browser)).toMatchObject({
    then: 'refused',
    title: { text: 'No account is selected' },
  });
  expect(await choose('x'.repeat(43), ids, browser)).toMatchObject({ then: 'refused', status: 400 });
  const both = await Promise.all([choose(token, ids, browser), choose(token, ids, browser)]);
  expect(both.map(({ then }) => then).sort()).toEqual(['connected', 'refused']);
  expect(await choose(token, ids, browser)).toMatchObject({ then: 'refused' });

  const foreign = await offered(['red', 'green'], 'foreign');
  expect(await choose(foreign.token, ['id-of-somebody-else'], foreign.browser)).toMatchObject({ then: 'refused' });

  const late = await offered(['red', 'green'], 'late');
  await world.db.clock.advance(10 * 60_000 + 1_000);
  expect(await choose(late.token, late.ids, late.browser)).toMatchObject({ then: 'refused', status: 410 });
});

test('a consent asks for missing choices with the values', async () => {
  world.toy.settings.audiences = ['ME'];
  const { browser, query } = await consent({ identifier: 'asked', choices: {} });
  const step = await finish(query, browser);
  if (step.then !== 'choose') throw new Error(`No choice: ${JSON.stringify(step)}`);
  expect(step.accounts).toEqual([
    {
      remoteId: 'id-asked',
      username: 'asked',
      displayName: 'Nora',
      connected: false,
      missing: [
        {
          name: 'audience',
          label: 'who can see the posts',
          required: true,
          value: null,
          values: [{ value: 'ME', label: 'To ME' }],
        },
      ],
    },
  ]);
  const done = await choose(step.token, ['id-asked'], browser, { 'id-asked': { audience: 'ME' } });
  expect(done).toMatchObject({ then: 'connected', accounts: [{ username: 'asked', notes: [] }] });
  const id = done.then === 'connected' ? (done.accounts[0]?.id ?? '') : '';
  expect(await world.account(id)).toMatchObject({ choices: { audience: 'ME' } });
  // The choice is now stored, so it is not requested again.
  const again = await consent({ identifier: 'asked', choices: {} });
  expect(await finish(again.query, again.browser)).toMatchObject({ then: 'connected', accounts: [{ id }] });
});

test('each account has its own choice; invalid ones are ignored', async () => {
  world.toy.settings.pages = ['wide', 'odd'];
  const { browser, query } = await consent({ identifier: 'owner-of-two', choices: {} });
  const step = await finish(query, browser);
  if (step.then !== 'choose') throw new Error(`No choice: ${JSON.stringify(step)}`);
  const done = await choose(step.token, ['page-wide', 'page-odd'], browser, {
    'page-wide': { audience: 'ALL', constructor: 'x' },
    'page-odd': { audience: 'FRIENDS' },
  });
  if (done.then !== 'connected') throw new Error(`Not connected: ${JSON.stringify(done)}`);
  const chosen = await Promise.all(done.accounts.map(async ({ id }) => (await world.account(id)).choices));
  expect(chosen).toEqual([{ audience: 'ALL' }, {}]);
  expect(done.accounts[1]?.notes.map(({ text }) => text).join()).toContain('Allowed: ALL (To ALL), ME (To ME)');
});

test('reconnecting one account accepts no other', async () => {
  const first = await consent({ identifier: 'mine' });
  const step = await finish(first.query, first.browser);
  const account = step.then === 'connected' ? (step.accounts[0]?.id ?? '') : '';
  const other = await consent({ identifier: 'another', account });
  const refused = await finish(other.query, other.browser);
  expect(refused).toMatchObject({
    then: 'refused',
    status: 422,
    reason: { text: expect.stringMatching(/^You signed in as another, but the account to reconnect is mine\./) },
  });
  expect(await stepsOf(refused)).toContain('choice failed');
  const same = await consent({ identifier: 'mine', account });
  expect(await finish(same.query, same.browser)).toMatchObject({
    then: 'connected',
    accounts: [{ id: account, again: true }],
  });
});

test('the steps of an attempt are logged with its id', async () => {
  const { browser, query } = await consent({ identifier: 'told' });
  await finish(query, browser);
  expect(await stepsOf(await latest())).toEqual([
    'begun ok',
    'consent ok',
    'answer ok',
    'exchange ok',
    'scopes ok',
    'profile ok',
    'stored ok',
  ]);

  world.toy.settings.consentError = 'access_denied';
  const denied = await consent();
  expect(await stepsOf(await finish(denied.query, denied.browser))).toEqual([
    'begun ok',
    'consent ok',
    'answer failed',
  ]);
  world.toy.settings.consentError = null;

  world.toy.settings.scopes = 'who';
  const narrow = await consent();
  expect((await stepsOf(await finish(narrow.query, narrow.browser)))?.at(-1)).toBe('scopes failed');
  world.toy.settings.scopes = 'who post';

  const wrong = await consent();
  wrong.query.set('code', 'nonsense');
  expect((await stepsOf(await finish(wrong.query, wrong.browser)))?.at(-1)).toBe('exchange failed');

  const login = { userId, platform: 'toy', sandbox: true, actor: 'session', identifier: 'nora', secret: 'wrong' };
  const refusal = await world.accounts.startConnect(login).catch((error: Error) => error.message);
  const reference = /\(Reference ([0-9a-f-]{36})\)$/.exec(String(refusal))?.[1];
  const attempt = await world.accounts.attempt(userId, reference ?? '');
  expect(attempt?.steps.at(-1)).toMatchObject({ step: 'login', ok: false, platformCode: 'wrong_password' });
});

test('attempts are private, without secrets, and expire', async () => {
  const { browser, query } = await consent({ identifier: 'own' });
  await finish(query, browser);
  const id = (await latest()) ?? '';
  expect(await world.accounts.attempt(await world.newUser(), id)).toBeUndefined();
  expect(await world.accounts.attempt(null, id)).toMatchObject({ id, platform: 'toy', sandbox: true });
  expect(await world.accounts.attempt(null, 'no id')).toBeUndefined();
  const [row] = await world.db.query<{ kept: Buffer | null }>('select kept from consent where id = $1', [id]);
  expect(row?.kept).toBeNull();
  expect(JSON.stringify(await world.accounts.attempts(userId))).not.toContain(query.get('code'));
  await consent();
  await world.db.clock.advance(29 * 86_400_000);
  await sweepConsents(world.db);
  expect(await world.accounts.attempt(null, id)).toMatchObject({ id });
  // The tokens of an unfinished consent are kept no longer than its choice.
  expect(await world.db.query('select from consent where kept is not null')).toEqual([]);
  await world.db.clock.advance(2 * 86_400_000);
  await sweepConsents(world.db);
  expect(await world.accounts.attempt(null, id)).toBeUndefined();
});

test('a platform that fetches media requires a public URL', async () => {
  expect(outsideProblem('https://reelay.example.org')).toBeNull();
  expect(outsideProblem('https://93.184.216.34')).toBeNull();
  for (const inside of ['http://localhost:3000', 'https://127.0.0.1', 'https://192.168.1.5', 'https://[fd00::1]:8443'])
    expect(outsideProblem(inside)?.text).toMatch(/reachable only on this machine or in its local network/);
  for (const inside of ['https://reelay.local', 'https://nas', 'https://box.home.arpa'])
    expect(outsideProblem(inside)?.text).toMatch(/in its local network/);
  expect(outsideProblem('http://reelay.example.org')?.text).toBe('it is not https');
});
