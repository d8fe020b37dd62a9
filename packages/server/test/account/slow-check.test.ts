import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { SECOND } from '../../src/lib/time.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
beforeAll(async () => {
  world = await createAccountWorld();
});
afterEach(() => vi.useRealTimers());
afterAll(() => world.close());

test('an account with a slow server is checked once', async () => {
  const { db, toy } = world;
  const id = await world.connect(await world.newUser());
  let looks = 0;
  let respond = () => {};
  const slowly = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const { connector } = toy;
  const look = async () => {
    looks++;
    await slowly;
  };
  const { identifyAll } = connector;
  const { facts } = world.node({
    connectors: {
      toy: {
        ...connector,
        identify: async (...args: Parameters<typeof connector.identify>) => {
          await look();
          return connector.identify(...args);
        },
        ...(identifyAll && {
          identifyAll: async (...args: Parameters<typeof identifyAll>) => {
            await look();
            return identifyAll(...args);
          },
        }),
      },
    },
  }).loops;
  await db.execute('update access_grant set expires_at = null, due_at = null');
  await db.execute('update account set due_at = app_now() where id = $1', [id]);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const renewed = async () =>
    (
      await db.query<{ ms: number }>(
        `select (extract(epoch from lease_until - app_now()) * 1000)::float8 as ms from account where id = $1`,
        [id],
      )
    )[0]?.ms ?? 0;
  const running = facts.runOnce();
  await vi.waitFor(() => expect(looks).toBe(1));
  // Each of its requests may take 30 s.
  for (let time = 0; time < 120; time += 20) {
    await db.clock.advance(20 * SECOND);
    vi.advanceTimersByTime(20 * SECOND);
    await vi.waitFor(async () => expect(await renewed()).toBeGreaterThan(50 * SECOND));
    expect(await facts.runOnce()).toBe(0);
  }
  respond();
  expect(await running).toBe(1);
  expect(looks).toBe(1);
  expect(await db.query('select due_at > app_now() as later, lease_until from account where id = $1', [id])).toEqual([
    { later: true, lease_until: null },
  ]);
});
