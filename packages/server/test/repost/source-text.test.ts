/** The text that rules use: the caption that was sent to the source. */
import { expect, test } from 'vitest';
import { type RuleScene, setUpRules } from './rule-scene.ts';

const SENT = 'What the source shows #ad';

let { world, user, a, b } = {} as RuleScene;
setUpRules((scene) => {
  ({ world, user, a, b } = scene);
});

/** Posts on the source with a caption of its own. @returns the id of the post */
const post = () => world.own(user, a, 'Text for everybody', { caption: SENT });

const texts = () => world.texts(user);

test('a rule reposts the caption of the source', async () => {
  const id = await world.rule(user, a, [b]);
  await post();
  await world.fire();
  expect(await texts()).toEqual([SENT]);
  expect(await world.activity(user, id)).toMatchObject([{ status: 'reposted', caption: SENT }]);
});

test('filters read the caption of the source', async () => {
  const id = await world.rule(user, a, [b], { filters: { excludes: ['#ad'] } });
  await post();
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ status: 'skipped', reason: 'filtered_word', caption: SENT }]);
});

test('a preview shows the caption of the source', async () => {
  const id = await world.rule(user, a, [b], { filters: { excludes: ['#ad'] } });
  await post();
  const { data } = (await user.post(`/repost/${id}/preview`, {})).body;
  expect(data).toMatchObject({
    items: [{ caption: SENT, status: 'skip', reason: 'filtered_word' }],
    captions: [{ text: SENT }],
  });
});

test('a removed post leaves the caption of the source', async () => {
  const id = await world.rule(user, a, [b]);
  const postId = await post();
  expect((await user.call('DELETE', `/post/${postId}`)).status).toBe(200);
  expect(await world.activity(user, id)).toMatchObject([{ status: 'waiting', caption: SENT }]);
  await world.fire();
  expect(await texts()).toEqual([SENT]);
});
