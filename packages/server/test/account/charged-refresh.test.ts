/** Reading an account takes from the budget of its application. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tokens } from '../../src/connectors/contract.ts';
import { DAY, MINUTE } from '../../src/lib/time.ts';
import { consentsIn } from './consents.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let id: string;
let calls = 0;
beforeAll(async () => {
  world = await createAccountWorld();
  id = await world.connect(await world.newUser());
});
afterAll(() => world.close());
beforeEach(async () => {
  calls = 0;
  await world.db.execute('truncate budget cascade');
  await world.db.execute('update access_grant set expires_at = null');
});

const { ticketFor, responseOf } = consentsIn(
  () => world,
  () => '',
);

const TOKENS: Tokens = {
  secret: { accessToken: 'toy' },
  scopes: ['who', 'post'],
  expiresIn: null,
  refreshExpiresIn: null,
  service: '',
};

/** Accounts of a platform whose application may read them ten times a day. */
function limited() {
  const { connector } = world.toy;
  const identify: typeof connector.identify = async (context, tokens) => {
    calls++;
    return connector.identify(context, tokens);
  };
  return world.node({
    connectors: {
      toy: {
        ...connector,
        budgets: [{ name: 'units', scope: 'app', limit: 10, windowMs: DAY, kind: 'daily', forReading: true }],
        identifyBudget: 'units',
        oauth: connector.oauth && { ...connector.oauth, exchange: async () => TOKENS },
        identify,
        identifyAll: async (context, tokens) => [await identify(context, tokens)],
      },
    },
  });
}

/** The account counts as a real one. Its server does not respond, but is asked. */
const asReal = () => world.db.execute('update account set sandbox = false where id = $1', [id]);
const asSimulated = () => world.db.execute('update account set sandbox = true where id = $1', [id]);

test('a user cannot use up the budget by refreshing', async () => {
  await asReal();
  const { refresh } = limited();
  for (let turn = 0; turn < 8; turn++) await refresh(id);
  expect(calls).toBe(5);
  expect(await refresh(id)).toBe(false);
  expect(await world.account(id)).toMatchObject({ status: 'CONNECTED' });
});

test('the daily reading waits for the budget', async () => {
  await asReal();
  const { refresh, loops } = limited();
  for (let turn = 0; turn < 5; turn++) await refresh(id);
  const daily = async () => {
    await world.db.execute('update account set due_at = app_now() where id = $1', [id]);
    await loops.facts.runOnce();
  };
  for (let turn = 0; turn < 6; turn++) await daily();
  expect(calls).toBe(10);
  const [row] = await world.db.query<{ ms: number }>(
    'select (extract(epoch from due_at - app_now()) * 1000)::float8 as ms from account where id = $1',
    [id],
  );
  expect(row?.ms).toBeGreaterThan(DAY - 5 * MINUTE);
});

test('sandbox accounts use no budget', async () => {
  await asSimulated();
  const { refresh } = limited();
  for (let turn = 0; turn < 12; turn++) expect(await refresh(id)).toBe(true);
  expect(calls).toBe(12);
  expect(await world.db.query('select from budget_use')).toEqual([]);
});

/** A consent at the real platform, whose server does not respond. */
async function connectReal(node: ReturnType<typeof limited>, userId: string): Promise<string> {
  const ticket = await ticketFor({ userId });
  const step = await node.startConsent({ platform: 'toy', ticket, browser: null, signedIn: userId });
  if (step.then !== 'redirect') throw new Error(`No redirect: ${JSON.stringify(step)}`);
  await world.db.execute('update consent set sandbox = false where user_id = $1', [userId]);
  const end = await node.finishConsent({ platform: 'toy', query: await responseOf(step.url), browser: step.browser });
  return end.then === 'refused' ? end.reason.text : end.then;
}

test('connecting an account takes a use', async () => {
  const userId = await world.newUser();
  expect(await connectReal(limited(), userId)).toContain('could not be reached');
  expect(calls).toBe(1);
  expect(await world.db.query('select user_id from budget_use')).toEqual([{ user_id: userId }]);
  await world.db.execute(
    `insert into budget_use (key, user_id) select key, $1 from budget_use, generate_series(1, 9)`,
    [await world.newUser()],
  );
  expect(await connectReal(limited(), userId)).toContain('allows no more requests');
  expect(calls).toBe(1);
});
