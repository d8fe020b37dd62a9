/** Scenario: canceling a scheduled post. Afterwards nothing of it is left, and nothing is ever published. */
import { HOUR } from '../../../src/lib/time.ts';
import { addPost } from '../../harness/rows.ts';
import { persistently, type Sent, watch } from './client.ts';
import type { Scenario } from './scenario.ts';

export function cancelOn(platform: string): Scenario {
  return {
    name: 'cancel',
    withinMs: 60_000,
    async prepare(world) {
      const { db } = world.service;
      const { userId } = world.owner;
      const account = await world.accountOn(platform);
      const mediaId = await world.store(userId);
      const counted = async () => {
        const [row] = await db.query<{ posts: number }>(
          `select (select sum(posts) from usage where user_id = $1)::int + (select posts from user_counter where user_id = $1)::int as posts`,
          [userId],
        );
        return row?.posts ?? 0;
      };
      const { id } = await addPost(db, { userId, mediaId, accounts: [account], dueInMs: HOUR });
      const before = await counted();
      let sent: Sent | null = null;
      return {
        begin: () => {
          sent = watch(persistently(() => world.owner.get('/post/cancelSchedule', { id })));
        },
        atRest: async () => sent?.ended() ?? false,
        async problems() {
          const left = await db.query('select from post where id = $1', [id]);
          const media = await db.query('select from media where id = $1', [mediaId]);
          const given = before - (await counted());
          return [
            ...(sent?.got(200) ? [] : [`the client got ${sent?.told()}`]),
            ...(left.length + media.length === 0 ? [] : ['the post or its video is still there']),
            ...(given === 2 ? [] : [`${given} instead of 2 counts were given back`]),
          ];
        },
      };
    },
  };
}
