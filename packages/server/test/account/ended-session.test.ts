import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suspendUser } from '../../src/users/service.ts';
import { endSessions } from '../../src/users/user-store.ts';
import { consentsIn } from './consents.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let userId = '';
beforeAll(async () => {
  world = await createAccountWorld();
});
afterAll(() => world.close());

const { consent, finish, choose } = consentsIn(
  () => world,
  () => userId,
);

/** Begins a session of a new user, and follows a consent that it requests up to the platform's callback. */
async function consentInSession() {
  userId = await world.newUser();
  const [row] = await world.db.query<{ id: string }>(
    `insert into auth.session (user_id, token, expires_at) values ($1::uuid, $1::text, now() + interval '1 day') returning id`,
    [userId],
  );
  return consent({ userId, sessionId: row?.id, identifier: `u${userId.slice(-6)}` });
}

const suspend = async () => {
  const [row] = await world.db.query<{ email: string }>('select email from auth."user" where id = $1', [userId]);
  await suspendUser(world.db, row?.email ?? '');
};
const accounts = () => world.db.query('select from account where user_id = $1', [userId]);
const refused = { then: 'refused', status: 403 };

describe('a consent in progress', () => {
  test('connects while its session lasts', async () => {
    const { query, browser } = await consentInSession();
    expect(await finish(query, browser)).toMatchObject({ then: 'connected' });
    expect(await accounts()).toHaveLength(1);
  });

  test.each([
    ['the user is suspended', suspend],
    ['its session ends', () => endSessions(world.db, userId)],
  ])('connects nothing once %s', async (_what, end) => {
    const { query, browser } = await consentInSession();
    await end();
    expect(await finish(query, browser)).toMatchObject(refused);
    expect(await accounts()).toEqual([]);
  });

  test('of the command line ends with a suspension', async () => {
    userId = await world.newUser();
    const { query, browser } = await consent({ userId, actor: 'command line' });
    await suspend();
    expect(await finish(query, browser)).toMatchObject(refused);
  });

  test('connects nothing if the session ends before the choice', async () => {
    world.toy.settings.pages = ['one', 'two'];
    const { query, browser } = await consentInSession();
    const step = await finish(query, browser);
    world.toy.settings.pages = [];
    if (step.then !== 'choose') throw new Error(`No choice: ${JSON.stringify(step)}`);
    await endSessions(world.db, userId);
    const chosen = step.accounts.map(({ remoteId }) => remoteId);
    expect(await choose(step.token, chosen, browser)).toMatchObject(refused);
    expect(await accounts()).toEqual([]);
  });
});
