/** SQL of a rule's activity: what it saw, and what happened. */

import type { Queryable } from '../db/database.ts';
import { isAfter, microsOf, type Position } from '../errors/cursor.ts';
import { TARGET_TEXT } from '../lineage/target-text.ts';
import type { MessageRef } from '../messages/message.ts';
import { FOREIGN_CONTENT, type ForeignContentRow, type OwnContentRow } from './content-store.ts';

export interface RepostTarget {
  platform: string;
  username: string;
  state: string;
  code: string | null;
  detail: string | null;
}

export interface ActivityRow extends ForeignContentRow {
  id: string;
  seenAt: Date;
  /** `seenAt`, for cursors. */
  micros: Position['micros'];
  firingState: 'waiting' | 'reposted' | 'skipped';
  reason: MessageRef | null;
  byHand: boolean;
  dueAt: Date | null;
  postId: string | null;
  origin: 'own' | 'foreign';
  publishedAt: Date | null;
  caption: string;
  shownUrl: string | null;
  shownDurationMs: number | null;
  /** Our own post, while it or its copy exists. */
  own: Omit<OwnContentRow, 'username'> | null;
  goneAt: Date | null;
  /** When the text was found changed after the repost had begun. */
  editedAt: Date | null;
  fileDueAt: Date | null;
  /** null if the repost was removed, or not made. */
  targets: RepostTarget[] | null;
}

/**
 * Reads items of a rule, newest first. What was removed is filled in from what is left. Indexes: firing_activity,
 * primary keys, unique keys of placement, watched_post and source_file, target_post.
 */
export function readActivity(
  db: Queryable,
  rule: { id: string; fit: string },
  { after, id, limit }: { after: Position | null; id: string | null; limit: number },
): Promise<ActivityRow[]> {
  return db.query<ActivityRow>(
    `select f.id, f.created_at as "seenAt", ${microsOf('f.created_at')} as micros,
       f.state as "firingState", f.reason, f.by_hand as "byHand", f.due_at as "dueAt", r.id as "postId",
       case when f.target_id is null then 'foreign' else 'own' end as origin,
       coalesce(t.published_at, w.published_at, pl.published_at) as "publishedAt",
       coalesce(${TARGET_TEXT}, f.copy->>'description', w.text, r.description, '') as caption,
       coalesce(t.url, f.copy->>'url', w.url) as "shownUrl",
       coalesce((pm.facts->>'durationMs')::float8, (f.copy->>'durationMs')::float8, w.duration_ms, pl.duration_ms)
         as "shownDurationMs",
       case when p.id is not null then jsonb_build_object('description', ${TARGET_TEXT}, 'url', t.url,
           'durationMs', pm.facts->'durationMs', 'isPublic', t.is_public, 'mediaState', pm.state)
         else f.copy end as own,
       w.gone_at as "goneAt", case when w.edited_at > coalesce((select min(rt.begun_at) from target rt
         where rt.post_id = r.id), case when r.id is null then f.decided_at end) then w.edited_at end as "editedAt", s.due_at as "fileDueAt",
       (select json_agg(json_build_object('platform', ra.platform, 'username', ra.username, 'state', rt.state,
           'code', rt.code, 'detail', rt.detail) order by rt.position)
        from target rt join account ra on ra.id = rt.account_id where rt.post_id = r.id) as targets,
       ${FOREIGN_CONTENT}
     from firing f join rule on rule.id = f.rule_id join account a on a.id = rule.from_account
       left join target t on t.id = f.target_id
       left join post p on p.id = t.post_id
       left join media pm on pm.id = p.media_id
       left join placement pl on pl.target_id = f.target_id
       left join watched_post w on w.id = coalesce(f.watched_post_id, (select o.id from watched_post o
         where o.identity_id = pl.identity_id and o.remote_id = pl.remote_id))
       left join source_file s on s.watched_post_id = f.watched_post_id and s.user_id = f.user_id and s.fit = $2
       left join media m on m.id = s.media_id
       left join post r on r.id = f.post_id
     where f.rule_id = $1
       and ${isAfter({ time: 'f.created_at', id: 'f.id' }, 3)}
       and ($5::uuid is null or f.id = $5)
     order by f.created_at desc, f.id desc limit $6`,
    [rule.id, rule.fit, after?.micros ?? null, after?.id ?? null, id, limit],
  );
}
