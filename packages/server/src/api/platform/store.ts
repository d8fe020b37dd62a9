import type { Queryable } from '../../db/database.ts';

export interface PlatformRow {
  id: string;
  platform: string;
  display_name: string;
  username: string;
  avatar: string | null;
  status: 'CONNECTED' | 'EXPIRED' | 'REVOKED';
  sandbox: boolean;
  kind: 'oauth' | 'credentials' | null;
  expiresAt: Date | null;
  refreshExpiresAt: Date | null;
}

/** The user's accounts by time of connection, without disconnected ones. Indexes: `account_listing`, primary key. */
export function listPlatforms(db: Queryable, userId: string): Promise<PlatformRow[]> {
  return db.query<PlatformRow>(
    `select a.id, a.platform, a.display_name, a.username, a.avatar, a.status, a.sandbox, g.kind,
       g.expires_at as "expiresAt", g.refresh_expires_at as "refreshExpiresAt"
     from account a left join access_grant g on g.id = a.grant_id
     where a.user_id = $1 and a.status <> 'DISCONNECTED' order by a.connected_at, a.id`,
    [userId],
  );
}
