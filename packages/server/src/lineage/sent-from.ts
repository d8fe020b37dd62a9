/**
 * SQL: time just before the first send of a target `t` that may have made a post; null if nothing was sent. Of several
 * sends only the last one's time is known, so all count from the beginning.
 */
export const SENT_FROM = 'case when t.commit_number > 1 then least(t.begun_at, t.committed_at) else t.committed_at end';
