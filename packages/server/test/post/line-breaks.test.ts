/** Line breaks of texts: whatever a client or a platform sends, line feeds are stored, shown and sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lineFeedsIn } from '../../src/client-text.ts';
import { withLineFeeds } from '../../src/text.ts';
import type { TestUser } from '../harness/service.ts';
import { createRuleWorld, type RuleWorld } from '../repost/rule-world.ts';
import { addReadyAccount, sendPost, smallVideo } from './world.ts';

let world: RuleWorld;
let user: TestUser;
beforeAll(async () => {
  world = await createRuleWorld();
  user = await world.service.newUser();
});
afterAll(() => world.service.close());

test.each([
  ['a\r\nb', 'a\nb'],
  ['a\rb', 'a\nb'],
  ['\r\n\r\n', '\n\n'],
  ['\r\r\n', '\n\n'],
  ['a\nb', 'a\nb'],
])('%j becomes %j', (sent, kept) => {
  expect(withLineFeeds(sent)).toBe(kept);
});

test('strings at any depth have line feeds; names stay', () => {
  expect(lineFeedsIn({ 'a\r': ['x\r\ny', { z: 'p\rq' }, 1, null, true] })).toEqual({
    'a\r': ['x\ny', { z: 'p\nq' }, 1, null, true],
  });
});

test('a form stores and sends line feeds', async () => {
  const { db } = world.service;
  const account = await addReadyAccount(db, user.userId);
  const { body } = await sendPost(user, {
    to: [account.id],
    fields: [
      ['description', 'One\r\nTwo\rThree'],
      ['options', JSON.stringify({ [account.id]: { caption: 'Own\r\ncaption' } })],
    ],
    video: await smallVideo(),
  });
  const post = (await user.get(`/post/${body.historyId}`)).body;
  expect(post.data.description).toBe('One\nTwo\nThree');
  const [target] = await db.query<{ text: string }>(
    `select to_jsonb(t)::text as text from target t join post p on p.id = t.post_id where p.user_id = $1`,
    [user.userId],
  );
  expect(target?.text).toContain('Own\\ncaption');
});

test('a JSON body stores line feeds', async () => {
  const [source, destination] = [await world.account(user), await world.account(user)];
  const id = await world.rule(user, source, [destination], { caption: { append: 'From\r\nthere' } });
  const rules = (await user.get('/reposts')).body.data as { id: string; options: { caption: { append: string } } }[];
  expect(rules.find((rule) => rule.id === id)?.options.caption.append).toBe('From\nthere');
});

test('a found post is reposted with line feeds', async () => {
  const other = await world.service.newUser();
  const [source, destination] = [await world.account(other), await world.account(other)];
  await world.rule(other, source, [destination]);
  await world.foreign(source, { text: 'Found\r\nthere' });
  await world.settle(other);
  expect(await world.texts(other)).toEqual(['Found\nthere']);
});
