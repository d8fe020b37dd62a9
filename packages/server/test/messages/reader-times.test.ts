/** Times in sentences: in the zone of the rule, else of the reader, with the zone's name. */
import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestUser } from '../harness/service.ts';
import { setUpRules } from '../repost/rule-scene.ts';
import type { RuleWorld } from '../repost/rule-world.ts';

let world: RuleWorld;
let user: TestUser;
let a: AccountRow;
let b: AccountRow;
setUpRules((scene) => {
  ({ world, user, a, b } = scene);
});

const live = async (zone: string) =>
  world.service.db.execute('update auth."user" set zone = $2 where id = $1', [user.userId, zone]);

const written = (iso: string, zone: string) =>
  new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: zone,
  })
    .format(new Date(iso))
    .replaceAll('\u202f', ' ');

async function delayed(options: object = {}) {
  const id = await world.rule(user, a, [b], { delayMinutes: 120, ...options });
  await world.own(user, a);
  await world.fire();
  return id;
}

const itemOf = async (ruleId: string) => {
  const [item] = await world.activity(user, ruleId);
  if (!item?.waitingUntil) throw new Error('Nothing waits.');
  return item as typeof item & { waitingUntil: string };
};

test('a new user reads times in UTC', async () => {
  const { text, waitingUntil } = await itemOf(await delayed());
  expect(text).toBe(`Waiting until ${written(waitingUntil, 'UTC')}, as the rule says.`);
  expect(text).toContain(' UTC');
});

test("API keys get times in their user's zone", async () => {
  await live('America/New_York');
  const { text, waitingUntil } = await itemOf(await delayed());
  expect(text).toBe(`Waiting until ${written(waitingUntil, 'America/New_York')}, as the rule says.`);
});

test.each([{ zone: 'Asia/Kolkata' }, { quietHours: { from: '03:00', to: '03:01', zone: 'Asia/Kolkata' } }])(
  "a rule's zone precedes its user's zone: %j",
  async (options) => {
    await live('America/New_York');
    const { text, waitingUntil } = await itemOf(await delayed(options));
    expect(text).toBe(`Waiting until ${written(waitingUntil, 'Asia/Kolkata')}, as the rule says.`);
  },
);

test('a session reads times in the zone of its user', async () => {
  const reader = { ...(await world.service.newSession()), key: '' };
  const zoned = await reader.call('PATCH', '/user', { json: { zone: 'Asia/Tokyo' } });
  expect(zoned.body.data.zone).toBe('Asia/Tokyo');
  const [source, destination] = [await world.account(reader), await world.account(reader)];
  const id = await world.rule(reader, source, [destination], { delayMinutes: 120 });
  await world.own(reader, source);
  await world.fire();
  const [item] = await world.activity(reader, id);
  expect(item?.text).toContain(written(String(item?.waitingUntil), 'Asia/Tokyo'));
});

test('sentence and waitingUntil agree after the wait is moved', async () => {
  const id = await delayed();
  const before = await itemOf(id);
  await world.service.db.execute(
    `update firing set due_at = due_at + interval '3 hours' where rule_id = $1 and state = 'waiting'`,
    [id],
  );
  const after = await itemOf(id);
  expect(Date.parse(after.waitingUntil) - Date.parse(before.waitingUntil)).toBe(3 * HOUR);
  expect(after.text).toBe(`Waiting until ${written(after.waitingUntil, 'UTC')}, as the rule says.`);
});

test('the daily limit names the minute of waitingUntil', async () => {
  const id = await world.rule(user, a, [b], { maxPerDay: 1, zone: 'America/New_York' });
  for (const text of ['First', 'Second', 'Third']) await world.own(user, a, text);
  await world.fire();
  const waiting = (await world.activity(user, id)).filter((item) => item.waitingUntil);
  expect(waiting).toHaveLength(2);
  for (const { text, waitingUntil } of waiting)
    expect(text).toContain(`Waiting until ${written(String(waitingUntil), 'America/New_York')}.`);
  const [one, other] = waiting.map((item) => Date.parse(String(item.waitingUntil)));
  expect(Math.abs((one ?? 0) - (other ?? 0))).toBeGreaterThanOrEqual(MINUTE);
});
