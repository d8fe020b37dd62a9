/** Who can see a pin. */
import type { SentPost } from '../contract.ts';
import { listAt, textAt } from '../kit/json.ts';
import { boardFor, isOpen } from './api.ts';
import { progressOf } from './upload.ts';

/** A pin is as public as its board (`privacy` of "List boards"), as `identify` stored it. */
export function isPublic({ post, session, checkpoint }: SentPost): boolean {
  const board = progressOf(checkpoint).boardId || boardFor(session, post);
  const { boards = {}, openBoards } = session.extra;
  // Accounts that were last read before `openBoards` was stored have the oldest board of each kind.
  const oldest = Object.keys(boards ?? {}).filter((privacy) => isOpen({ privacy }));
  const open =
    openBoards === undefined ? oldest.map((kind) => textAt(boards, kind)) : listAt(session.extra, 'openBoards');
  return board !== '' && open.includes(board);
}
