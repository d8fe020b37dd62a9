import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/lib/time.ts';
import { removePost } from '../../src/posts/change.ts';
import type { AccountRow } from '../harness/rows.ts';
import { makeVideo } from '../media/fixtures.ts';
import { type Source, serveVideo } from '../post/video-address-world.ts';
import { createWatchWorld, type ShownPost, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
let files: Source;
let userId: string;
let [a, b, c]: AccountRow[] = [];
beforeAll(async () => {
  world = await createWatchWorld();
  files = await serveVideo(await makeVideo());
});
afterAll(async () => {
  await files.close();
  await world.close();
});
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, placement, post, media cascade');
  world.shown.clear();
  world.flow.file = async () => ({ found: 'file', url: `${files.origin}/video.mp4` });
  userId = await world.newUser();
  [a, b, c] = [await world.account(userId), await world.account(userId), await world.account(userId)];
});
afterEach(() => {
  expect(world.errors.splice(0)).toEqual([]);
});

const from = () => a as AccountRow;

/** A rule whose source shows a post. */
async function found(options: object, post: Partial<ShownPost> = {}) {
  const rule = await world.rule(userId, from(), [b as AccountRow]);
  await world.db.execute('update rule set options = $2 where id = $1', [rule, JSON.stringify(options)]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1', ...post });
  await world.check();
  return rule;
}

/** A rule whose source shows a post that was made through us. @returns the rule and the post */
async function posted(options: object, shown = 'Sunset run') {
  const rule = await world.rule(userId, from(), [b as AccountRow]);
  await world.db.execute('update rule set options = $2 where id = $1', [rule, JSON.stringify(options)]);
  const target = await world.send(userId, from());
  await world.posted(target, '1');
  await world.show(from(), { remoteId: '1', text: shown });
  await world.check();
  const [post] = await world.db.query<{ id: string }>('select post_id as id from target where id = $1', [target]);
  return { rule, postId: post?.id ?? '' };
}

/** Changes what the source shows, and checks it. */
async function change(to: (posts: ShownPost[]) => ShownPost[], checks = 1) {
  for (const [key, posts] of world.shown) world.shown.set(key, to(posts));
  for (let count = 0; count < checks; count++) await world.later(15 * MINUTE);
}

const remove = () => change(() => [], 2);
const edit = (text: string) => change((posts) => posts.map((post) => ({ ...post, text })));
const reposts = () =>
  world.db.query<{ description: string; state: string }>(
    'select p.description, t.state from post p join target t on t.post_id = p.id where p.is_repost order by p.date, t.position',
  );

describe('a post that is removed while its repost waits', () => {
  const delayed = { delayMinutes: 120 };

  test('is not reposted', async () => {
    const rule = await found(delayed);
    expect(await world.firings(rule)).toEqual(['1: waiting delayed']);
    await remove();
    await world.later(120 * MINUTE);
    expect(await world.firings(rule)).toEqual(['1: skipped gone']);
  });

  test('is not reposted if it was posted through us', async () => {
    const { rule } = await posted(delayed);
    await remove();
    await world.later(120 * MINUTE);
    expect(await world.firings(rule)).toEqual(['1: skipped gone']);
  });

  test('is not reposted if its history entry was deleted', async () => {
    const { rule, postId } = await posted(delayed);
    await removePost({ db: world.db }, userId, postId);
    await remove();
    await world.later(120 * MINUTE);
    expect(
      await world.db.query(`select state, reason->>'code' as code from firing where rule_id = $1`, [rule]),
    ).toEqual([{ state: 'skipped', code: 'gone' }]);
  });

  test('is reposted when it returns', async () => {
    const rule = await found(delayed);
    const shown = new Map(world.shown);
    await remove();
    await world.later(120 * MINUTE);
    expect(await world.firings(rule)).toEqual(['1: skipped gone']);
    await change(() => [...shown.values()].flat());
    expect(await world.firings(rule)).toEqual(['1: reposted']);
  });

  test('is reposted when it returns and its file was gone', async () => {
    world.flow.file = async () => ({ found: 'gone' });
    const rule = await found({});
    expect(await world.firings(rule)).toEqual(['1: skipped gone']);
    // While it is listed, the platform's word about the file counts.
    await world.later();
    expect(await world.firings(rule)).toEqual(['1: skipped gone']);
    const shown = new Map(world.shown);
    await remove();
    world.flow.file = async () => ({ found: 'file', url: `${files.origin}/video.mp4` });
    await change(() => [...shown.values()].flat());
    expect(await world.firings(rule)).toEqual(['1: reposted']);
  });

  test('is reposted if the user asks for it', async () => {
    const rule = await found(delayed);
    await remove();
    await world.db.execute('update firing set by_hand = true, due_at = app_now() where rule_id = $1', [rule]);
    await world.check();
    expect(await world.firings(rule)).toEqual(['1: reposted']);
  });
});

test('deleting an entry in the history is no removal', async () => {
  const { rule, postId } = await posted({ delayMinutes: 120 });
  await removePost({ db: world.db }, userId, postId);
  await world.later(120 * MINUTE);
  expect(await reposts()).toMatchObject([{ description: 'Sunset run' }]);
  expect(await world.db.query('select state from firing where rule_id = $1', [rule])).toEqual([{ state: 'reposted' }]);
});

test('an unreadable source does not stop its repost', async () => {
  const rule = await found({ delayMinutes: 120 });
  world.flow.list = () => Promise.reject(new Error('The source is not available.'));
  for (let round = 0; round < 9; round++) await world.later(15 * MINUTE);
  delete world.flow.list;
  expect(await world.firings(rule)).toEqual(['1: reposted']);
  world.errors.length = 0;
});

test('an edited post is reposted with the new text', async () => {
  await posted({ delayMinutes: 120 });
  await edit('Sunset ride');
  await world.later(120 * MINUTE);
  expect(await reposts()).toMatchObject([{ description: 'Sunset ride' }]);
});

test('an edit before the first check is followed', async () => {
  await posted({ delayMinutes: 120 }, 'Sunset run #dogs');
  await world.later(120 * MINUTE);
  expect(await reposts()).toMatchObject([{ description: 'Sunset run #dogs' }]);
});

test('a title that the list adds is no edit', async () => {
  await posted({ delayMinutes: 120 }, 'My title\n\nSunset run');
  await world.later(120 * MINUTE);
  expect(await reposts()).toMatchObject([{ description: 'Sunset run' }]);
});

test('a truncated text does not replace the sent one', async () => {
  const text = 'A long walk along the river with the dog and a heavy backpack full of apples. '.repeat(3).trim();
  await world.rule(userId, from(), [b as AccountRow]);
  await world.db.execute(`update rule set options = '{"delayMinutes": 60}'`);
  const target = await world.send(userId, from(), text);
  await world.posted(target, '1');
  await world.show(from(), { remoteId: '1', text });
  await world.check();
  await edit(`${text.slice(0, 150)}…`);
  await world.later(60 * MINUTE);
  expect(await reposts()).toMatchObject([{ description: text }]);
});

describe('a queued repost', () => {
  test('follows an edit before the first check', async () => {
    await posted({}, 'Sunset ride');
    expect(await reposts()).toMatchObject([{ description: 'Sunset ride', state: 'scheduled' }]);
  });

  const usage = () => world.db.query('select posts from usage where user_id = $1', [userId]);

  test.each(['found', 'posted through us'])('is withdrawn when its source is removed: %s', async (how) => {
    const rule = how === 'found' ? await found({}) : (await posted({})).rule;
    expect(await reposts()).toMatchObject([{ state: 'scheduled' }]);
    await remove();
    expect(await reposts()).toEqual([]);
    expect(await world.firings(rule)).toEqual(['1: skipped gone']);
  });

  test('comes back when its source returns', async () => {
    const rule = await found({});
    const shown = new Map(world.shown);
    await remove();
    await change(() => [...shown.values()].flat());
    expect(await world.firings(rule)).toEqual(['1: reposted']);
    expect(await reposts()).toHaveLength(1);
  });

  test('continues once a destination has started', async () => {
    const rule = await found({});
    await world.db.execute(`update target set begun_at = app_now() where state = 'scheduled'`);
    await edit('Edited');
    await remove();
    expect(await reposts()).toMatchObject([{ description: 'Post 1' }]);
    expect(await world.firings(rule)).toEqual(['1: reposted']);
    expect(await world.db.query('select from firing where due_at is not null')).toEqual([]);
  });

  test('gets the new text when its source is edited', async () => {
    await found({ caption: { template: '{caption} (again)' } });
    const before = await world.db.query<{ id: string; version: number }>(`select id, version from target`);
    await edit('Edited');
    expect(await reposts()).toMatchObject([{ description: 'Edited (again)', state: 'scheduled' }]);
    const [after] = await world.db.query<{ id: string; version: number }>(`select id, version from target`);
    expect(after?.id).toBe(before[0]?.id);
    expect(after?.version).toBeGreaterThan(before[0]?.version ?? 0);
  });

  test('keeps a text that its user wrote', async () => {
    await found({});
    await world.db.execute(`update post set description = 'Mine' where is_repost`);
    await world.db.execute(
      `insert into timeline (target_id, event, code, params) select id, 'edited', 'description_changed', '{}' from target`,
    );
    await edit('Edited');
    expect(await reposts()).toMatchObject([{ description: 'Mine' }]);
  });

  test('fails where the new text is too long', async () => {
    await found({});
    await edit('x'.repeat(4_000));
    expect(await reposts()).toMatchObject([{ state: 'failed' }]);
    const [row] = await world.db.query('select code, due_at from target');
    expect(row).toEqual({ code: 'caption_rejected', due_at: null });
  });

  test('is withdrawn when its source becomes private', async () => {
    const rule = await found({});
    await change((posts) => posts.map((post) => ({ ...post, isPublic: false })));
    expect(await world.firings(rule)).toEqual(['1: skipped source_private']);
    expect(await reposts()).toEqual([]);
  });

  test('is withdrawn when its new text is filtered', async () => {
    const rule = await found({ filters: { excludes: ['#ad'] } });
    await edit('Bought for me #ad');
    expect(await world.firings(rule)).toEqual(['1: skipped filtered_word']);
    expect(await reposts()).toEqual([]);
  });

  test('of the next rule in a chain stays', async () => {
    const next = await world.rule(userId, b as AccountRow, [c as AccountRow]);
    await found({});
    const [target] = await world.db.query<{ id: string }>('select id from target');
    await world.db.execute('update target set begun_at = app_now()');
    await world.posted(target?.id ?? '', 'b1');
    await world.show(b as AccountRow, { remoteId: 'b1', text: 'Post 1' });
    await world.check();
    const ofSource = [...world.shown.keys()][0] ?? '';
    world.shown.set(ofSource, []);
    for (let count = 0; count < 2; count++) await world.later(15 * MINUTE);
    expect((await world.found())['1']?.gone).toBe(true);
    expect(await world.firings(next)).toEqual(['b1: reposted']);
    expect(await reposts()).toHaveLength(2);
  });

  test('is no longer counted when it was withdrawn', async () => {
    await found({});
    expect(await usage()).toEqual([{ posts: 1 }]);
    await remove();
    expect(await usage()).toEqual([{ posts: 0 }]);
  });
});
