/** Helpers for tests of checks and of video sources: checks, finished uploads, and a video host. */
import { readFile } from 'node:fs/promises';
import type { Queryable } from '../../src/db/database.ts';
import type { Client, TestResponse } from '../harness/service.ts';
import { begin, idOf, send, type Uploader } from '../uploads/world.ts';
import { formOf, type SendOptions, smallVideo } from './world.ts';

/** Checks a post; accepts the same options as creating one. */
export async function sendCheck(
  user: Client,
  { to, headers, fields = [], ...rest }: SendOptions,
): Promise<TestResponse> {
  const all = to ? ([['platforms', JSON.stringify(to)], ...fields] as const) : fields;
  return user.call('POST', '/post/check', { body: await formOf({ ...rest, fields: all }), headers });
}

/** Uploads a complete video with tus. @returns id of the upload */
export async function finishedUpload(uploader: Uploader, path?: string): Promise<string> {
  const bytes = await readFile(path ?? (await smallVideo()));
  const place = await begin(uploader, bytes.length);
  const { status, text } = await send(uploader, place, 0, bytes);
  if (status !== 204) throw new Error(`The upload was refused: ${text}`);
  return idOf(place);
}

/** Gives an account access that expires or lacks permissions. */
export async function grantAccess(
  db: Queryable,
  { id, userId, platform }: { id: string; userId: string; platform: string },
  { days = 1, scopes = [] }: { days?: number; scopes?: readonly string[] },
): Promise<void> {
  const [grant] = await db.query<{ id: string }>(
    `insert into access_grant (user_id, platform, service, kind, sandbox, sealed, scopes, expires_at, refresh_expires_at)
     values ($1, $2, '', 'oauth', false, '', $3, app_now() + $4 * interval '1 day', app_now() + $4 * interval '1 day')
     returning id`,
    [userId, platform, scopes, days],
  );
  await db.execute('update account set grant_id = $2 where id = $1', [id, grant?.id]);
}
