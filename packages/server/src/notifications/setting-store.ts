/** SQL of the settings for notifications. */
import type { Queryable } from '../db/database.ts';
import { DEFAULTS, type Delivery, KINDS, type NotificationKind } from './kinds.ts';

export type NotificationSettings = Record<NotificationKind, Delivery>;

/** Index: primary key. */
export async function readSettings(db: Queryable, userId: string): Promise<NotificationSettings> {
  const rows = await db.query<{ kind: NotificationKind; push: boolean | null } & Omit<Delivery, 'push'>>(
    'select kind, page, mail, push from notification_setting where user_id = $1',
    [userId],
  );
  const stored = new Map(
    rows.map(({ kind, page, mail, push }) => [kind, { page, mail, push: push ?? DEFAULTS[kind]?.push ?? true }]),
  );
  return Object.fromEntries(KINDS.map((kind) => [kind, stored.get(kind) ?? DEFAULTS[kind]])) as Record<
    NotificationKind,
    Delivery
  >;
}

/** Changes where one kind is delivered; what is not given stays. Index: primary key. */
export async function writeSetting(
  db: Queryable,
  userId: string,
  kind: NotificationKind,
  { page, mail, push }: { [Place in keyof Delivery]?: boolean | undefined },
): Promise<void> {
  const initial = DEFAULTS[kind];
  await db.execute(
    `insert into notification_setting as s (user_id, kind, page, mail, push)
       values ($1, $2, coalesce($3::boolean, $5::boolean), coalesce($4::boolean, $6::boolean), $7)
     on conflict (user_id, kind) do update set page = coalesce($3::boolean, s.page), mail = coalesce($4::boolean, s.mail),
       push = coalesce($7::boolean, s.push)`,
    [userId, kind, page ?? null, mail ?? null, initial.page, initial.mail, push ?? null],
  );
}

/** The kinds that a user sees in the dashboard. */
export async function pageKinds(db: Queryable, userId: string): Promise<NotificationKind[]> {
  const settings = await readSettings(db, userId);
  return KINDS.filter((kind) => settings[kind].page);
}
