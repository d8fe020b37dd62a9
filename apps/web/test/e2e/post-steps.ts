/** Posts and accounts of a user, made by the API. The user has simulated accounts. */
import type { SessionUser, TestService } from '../../../../packages/server/test/harness/service.ts';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { sendPost } from '../../../../packages/server/test/post/world.ts';

const HOUR_MS = 3_600_000;

/** In ms since the epoch. */
export const inHours = (hours: number) => Date.now() + hours * HOUR_MS;

export interface PostOptions {
  /** ms since the epoch; default: now. */
  at?: number;
  /** By platform, as in the API. */
  options?: Record<string, Record<string, unknown>>;
  /** In seconds. */
  previewTime?: number;
  /** Path; default: one of 6 seconds. */
  video?: string;
}

/** Posts by the API. @returns the post's id */
export async function post(
  service: TestService,
  user: SessionUser,
  description: string,
  platforms: readonly string[],
  { at, options = {}, previewTime = 0, video }: PostOptions = {},
): Promise<string> {
  const rows = await Promise.all(platforms.map((platform) => accountRow(service, user, platform)));
  const { status, body } = await sendPost(user, {
    video: video ?? (await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 })),
    to: rows.map(({ id }) => id),
    fields: [
      ['description', description],
      ['options', JSON.stringify(options)],
      ['previewTime', String(previewTime)],
      ...(at === undefined ? [] : ([['scheduled', String(at)]] as const)),
    ],
  });
  if (body.historyId === undefined) throw new Error(`The post was refused: ${status} ${JSON.stringify(body)}`);
  return body.historyId;
}

export async function accountRow({ db }: TestService, { userId }: SessionUser, platform: string) {
  const [row] = await db.query<{ id: string; identityId: string }>(
    'select id, identity_id as "identityId" from account where user_id = $1 and platform = $2',
    [userId, platform],
  );
  if (!row) throw new Error(`There is no account at ${platform}.`);
  return row;
}
