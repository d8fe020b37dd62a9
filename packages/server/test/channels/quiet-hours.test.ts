import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeQuietHours } from '../../src/channels/channel-store.ts';
import { markRead } from '../../src/notifications/notification-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { failPost } from '../notifications/world.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import {
  addUser,
  type ChannelUser,
  type ChannelWorld,
  createWorld,
  HOUR,
  MINUTE,
  PATHS,
  SECOND,
  targetsAt,
} from './world.ts';

let db: TestDatabase;
let receiver: Receiver;
let world: ChannelWorld;
let user: ChannelUser;
let count = 0;
/** The clock only moves forward, so each test has a later year. */
let year = 2030;
beforeAll(async () => {
  db = await createTestDatabase();
  receiver = await startReceiver();
  world = createWorld(db, receiver);
});
beforeEach(async () => {
  user = await addUser(db, `user-${count++}`);
  year++;
  receiver.requests.length = 0;
});
afterAll(async () => {
  expect(world.errors).toEqual([]);
  world.close();
  await receiver[Symbol.asyncDispose]();
  await db.drop();
});

const NIGHT = { from: '22:00', to: '07:00' };
const sent = () => receiver.take(PATHS.slack).length;
const at = (time: string) => db.clock.advanceTo(new Date(`${year}-${time}Z`));

/** Adds a channel in the zone, at a moment of this test's year in UTC. */
async function begin(zone: string, time: string, times: { from: string; to: string } | null = NIGHT): Promise<void> {
  await at(time);
  await db.execute('update auth."user" set zone = $2 where id = $1', [user.id, zone]);
  await writeQuietHours(db, user.id, times);
  await world.channels.add(user.id, { name: 'chat', target: targetsAt(receiver, user).slack, replaces: null });
}

test('a message of the night is sent at its end', async () => {
  await begin('Asia/Kolkata', '06-01T17:00:00');
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  expect(sent()).toBe(0);
  // Midnight has passed, and it is 06:59.
  await at('06-02T01:29:00');
  await world.run();
  expect(sent()).toBe(0);
  await at('06-02T01:30:05');
  await world.run();
  expect(sent()).toBe(1);
});

test('a message of the day is sent at once', async () => {
  await begin('Asia/Kolkata', '06-01T16:00:00');
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  expect(sent()).toBe(1);
});

test('facts of one night are one message', async () => {
  await begin('UTC', '06-01T22:00:00');
  for (let posts = 0; posts < 3; posts++) {
    await failPost(db, user.id, [user.account]);
    await world.deliver(HOUR);
  }
  await at('06-02T07:00:05');
  await world.run();
  expect(JSON.parse(receiver.requests[0]?.body.toString() ?? '').text).toContain('3 things need your attention');
  expect(sent()).toBe(1);
});

test('a notification that was read at night is not sent', async () => {
  await begin('UTC', '06-01T22:30:00');
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  const [row] = await db.query<{ id: string }>('select id from notification where user_id = $1', [user.id]);
  await markRead(db, user.id, row?.id ?? '');
  await at('06-02T08:00:00');
  await world.run();
  expect(sent()).toBe(0);
});

/** Sunday of the change of clocks in Germany: the last of the month. */
function lastSunday(month: number): string {
  const day = new Date(Date.UTC(year, month, 0));
  day.setUTCDate(day.getUTCDate() - day.getUTCDay());
  return day.toISOString().slice(5, 10);
}

test('the night is an hour shorter in spring', async () => {
  const sunday = lastSunday(3);
  await begin('Europe/Berlin', `${sunday}T00:00:00`);
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  await at(`${sunday}T04:59:00`);
  await world.run();
  expect(sent()).toBe(0);
  await at(`${sunday}T05:00:05`);
  await world.run();
  expect(sent()).toBe(1);
});

test('the night is an hour longer in autumn', async () => {
  const sunday = lastSunday(10);
  await begin('Europe/Berlin', `${sunday}T00:00:00`);
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  await at(`${sunday}T05:59:00`);
  await world.run();
  expect(sent()).toBe(0);
  await at(`${sunday}T06:00:05`);
  await world.run();
  expect(sent()).toBe(1);
});

test('turning quiet hours off sends what waited', async () => {
  await begin('UTC', '06-01T22:30:00');
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  await writeQuietHours(db, user.id, null);
  await world.run();
  expect(sent()).toBe(1);
});

test('longer quiet hours keep what waited', async () => {
  await begin('UTC', '06-01T22:30:00');
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  await writeQuietHours(db, user.id, { from: '22:00', to: '09:00' });
  await at('06-02T08:59:00');
  await world.run();
  expect(sent()).toBe(0);
  await db.clock.advance(MINUTE + SECOND);
  await world.run();
  expect(sent()).toBe(1);
});

test('a test is sent in quiet hours', async () => {
  await begin('UTC', '06-01T23:00:00');
  const [channel] = await world.channels.list(user.id);
  await world.channels.test(user.id, channel?.id ?? '');
  expect(sent()).toBe(1);
});
