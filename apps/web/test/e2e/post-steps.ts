/** Posts and accounts of a new user: made by the API, shown by a page. */
import type { BrowserContextOptions } from 'playwright-core';
import type { SessionUser } from '../../../../packages/server/test/harness/service.ts';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { eventually, sendPost } from '../../../../packages/server/test/post/world.ts';
import type { E2eWorld } from './browser.ts';

/** A page of a new user with simulated accounts. @param url of the service, or of a proxy */
export async function visit(world: E2eWorld, screen: BrowserContextOptions, url = world.service.url) {
  const user = await world.service.newSession();
  await user.post('/accounts/connect-sandbox');
  return { user, page: await world.open({ ...screen, user, url }) };
}

/** Posts by the API. @returns the post's id */
export async function post(
  world: E2eWorld,
  user: SessionUser,
  description: string,
  platforms: readonly string[],
  fields: readonly [string, string][] = [],
): Promise<string> {
  const rows = await Promise.all(platforms.map((platform) => accountRow(world, user, platform)));
  const video = await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 });
  const to = rows.map(({ id }) => id);
  const { body } = await sendPost(user, { video, to, fields: [['description', description], ...fields] });
  const id: string = body.historyId;
  await eventually(
    'the post is written',
    async () => (await world.service.db.query('select from post where id = $1', [id])).length > 0,
  );
  return id;
}

export async function accountRow({ service }: E2eWorld, { userId }: SessionUser, platform: string) {
  const [row] = await service.db.query<{ id: string; identityId: string }>(
    'select id, identity_id as "identityId" from account where user_id = $1 and platform = $2',
    [userId, platform],
  );
  if (!row) throw new Error(`There is no account at ${platform}.`);
  return row;
}
