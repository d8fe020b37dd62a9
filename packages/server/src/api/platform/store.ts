import type { Queryable } from '../../db/database.ts';

export interface PlatformRow {
  id: string;
  platform: string;
  display_name: string;
  username: string;
  avatar: string | null;
  status: 'CONNECTED' | 'EXPIRED' | 'REVOKED';
  sandbox: boolean;
}

/** The user's accounts by time of connection, without disconnected ones. Index: `account_listing`. */
export function listPlatforms(db: Queryable, userId: string): Promise<PlatformRow[]> {
  return db.query<PlatformRow>(
    `select id, platform, display_name, username, avatar, status, sandbox from account
     where user_id = $1 and status <> 'DISCONNECTED' order by connected_at, id`,
    [userId],
  );
}
