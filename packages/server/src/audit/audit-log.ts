/** The audit log for the operator, in pages, newest first. */

import type { Queryable } from '../db/database.ts';
import { cursorText, parseCursor } from '../errors/cursor.ts';
import { isUuid } from '../lib/ids.ts';

interface AuditRow {
  id: string;
  at: Date;
  micros: string;
  user_id: string | null;
  email: string | null;
  actor: string;
  action: string;
  subject: string;
  address: string | null;
}

export interface AuditPageRequest {
  /** Only entries of this user. */
  userId?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** @throws ReelayError `invalid_request` for a cursor that is not ours */
export async function auditPage(db: Queryable, { userId, cursor, limit }: AuditPageRequest) {
  if (userId !== undefined && !isUuid(userId)) return { data: [], next: null };
  const rows = await readAudit(db, userId ?? null, parseCursor(cursor), limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const emails = await emailsOf(db, shown.map(subjectUser).filter(isUuid));
  return {
    data: shown.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      user: row.user_id === null ? null : { id: row.user_id, email: row.email },
      actor: row.actor,
      action: row.action,
      subject: row.subject,
      subjectEmail: emails.get(subjectUser(row)) ?? null,
      address: row.address,
    })),
    next: last && rows.length > limit ? cursorText(last) : null,
  };
}

/** Subjects of changes to a user begin with the user's id. */
const subjectUser = ({ subject }: AuditRow) => subject.split(' ', 1)[0] ?? '';

/** Indexes: audit_listing, or audit_user for one user; primary key. */
function readAudit(
  db: Queryable,
  userId: string | null,
  after: { micros: string; id: string } | null,
  limit: number,
): Promise<AuditRow[]> {
  const ofUser = userId === null ? '' : 'and a.user_id = $4';
  return db.query<AuditRow>(
    `select a.id, a.at, (extract(epoch from a.at) * 1000000)::bigint::text as micros, a.user_id, u.email, a.actor,
       a.action, a.subject, a.address
     from (select * from audit a
       where (a.at, a.id) < (coalesce(timestamptz 'epoch' + $1::bigint * interval '1 microsecond', 'infinity'),
         coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')) ${ofUser}
       order by a.at desc, a.id desc limit $3) a
     left join auth."user" u on u.id = a.user_id order by a.at desc, a.id desc`,
    [after?.micros ?? null, after?.id ?? null, limit, ...(userId === null ? [] : [userId])],
  );
}

/** Index: primary key. */
async function emailsOf(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; email: string }>(
    'select id, email from auth."user" where id = any($1::uuid[])',
    [ids],
  );
  return new Map(rows.map(({ id, email }) => [id, email]));
}
