import type { ConfirmResult, Session } from '../contract.ts';
import { at } from '../kit/json.ts';

export type Posted = Extract<ConfirmResult, { then: 'posted' }>;

/** A post that is there, with its address. @param publishedAt ms since the epoch, or null */
export function posted(session: Session, id: string, publishedAt: number | null, note: string): Posted {
  // The name in an address does not matter, and `i/web` is for posts whose author is not known.
  const who = session.username ? `${encodeURIComponent(session.username)}/status` : 'i/web/status';
  const url = `${session.endpoints.www}/${who}/${id}`;
  const detail = 'The account is protected: only its followers see the post.';
  const published = { remoteId: id, url, publishedAt };
  const isProtected = at(session.extra, 'protected') === true;
  return { then: 'posted', published: isProtected ? { ...published, detail } : published, note };
}
