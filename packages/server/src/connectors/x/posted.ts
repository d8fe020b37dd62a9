/** Builds the result for a published post. */
import type { ConfirmResult, Session } from '../contract.ts';
import { at } from '../kit/json.ts';

export type Posted = Extract<ConfirmResult, { then: 'posted' }>;

/** The result for a published post, with its URL. @param publishedAt ms since the epoch, or null */
export function posted(session: Session, id: string, publishedAt: number | null, note: string): Posted {
  // X ignores the username in a post URL; `i/web` works without one.
  const who = session.username ? `${encodeURIComponent(session.username)}/status` : 'i/web/status';
  const url = `${session.endpoints.www}/${who}/${id}`;
  const detail = 'The account is protected: only its followers see the post.';
  const published = { remoteId: id, url, publishedAt };
  const isProtected = at(session.extra, 'protected') === true;
  return { then: 'posted', published: isProtected ? { ...published, detail } : published, note };
}
