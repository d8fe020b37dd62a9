/** Scenario: moving a scheduled post to the drafts. Afterwards there is the draft with its video, and no post. */
import { uuidv7 } from '../../../src/lib/ids.ts';
import { HOUR } from '../../../src/lib/time.ts';
import { sweepUploads } from '../../../src/uploads/remove.ts';
import { addPost } from '../../harness/rows.ts';
import { persistently, type Sent, watch } from './client.ts';
import type { Scenario } from './scenario.ts';

export function moveOn(platform: string): Scenario {
  return {
    name: 'move to drafts',
    withinMs: 60_000,
    async prepare(world) {
      const { db } = world.service;
      const { userId } = world.owner;
      const account = await world.accountOn(platform);
      const mediaId = await world.store(userId);
      const { id } = await addPost(db, { userId, mediaId, accounts: [account], dueInMs: HOUR });
      const json = { draftId: uuidv7(), videoName: 'clip.mp4', values: {} };
      let sent: Sent | null = null;
      return {
        begin: () => {
          sent = watch(persistently(() => world.owner.call('POST', `/dashboard/posts/${id}/draft`, { json })));
        },
        atRest: async () => sent?.ended() ?? false,
        async problems() {
          const posts = await db.query('select from post where id = $1', [id]);
          const drafts = await db.query('select from draft where user_id = $1', [userId]);
          // A try that failed may leave a copy, which expires within a day.
          const kept = await db.query(
            `select from upload u join draft d on d.upload_id = u.id
             where d.id = $1 and u.sha256 is not null and u.expires_at > app_now() + interval '29 days'`,
            [json.draftId],
          );
          const more = await db.query(
            `select from upload where user_id = $1 and used_at is null and expires_at > app_now() + interval '25 hours'`,
            [userId],
          );
          await db.execute('delete from draft where user_id = $1', [userId]);
          await db.execute('update upload set expires_at = app_now() where user_id = $1', [userId]);
          await sweepUploads(db);
          return [
            ...(sent?.got(200) ? [] : [`the client got ${sent?.told()}`]),
            ...(posts.length === 0 ? [] : ['the post is still there']),
            ...(drafts.length === 1 ? [] : [`there are ${drafts.length} drafts`]),
            ...(kept.length === 1 ? [] : ['the video of the draft is not kept']),
            ...(more.length === 1 ? [] : [`${more.length} videos are kept for a month`]),
          ];
        },
      };
    },
  };
}
