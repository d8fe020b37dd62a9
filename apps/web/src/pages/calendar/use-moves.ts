import { ReelayApiError } from '@reelay/sdk';
import { useState } from 'react';
import { useReschedule } from '../../queries/calendar.ts';
import type { Entry } from './entries.ts';
import { type Move, type MoveProblem, problemOfMove } from './moves.ts';

export type Notice =
  | { kind: 'moved'; id: string; from: number; to: number; skipped?: Move['skipped'] }
  | { kind: 'restored'; to: number }
  | { kind: 'refused'; reason: RefusalReason; to: number; text: string };

export type RefusalReason = Exclude<MoveProblem, 'unchanged'> | 'started' | 'gone' | 'offline' | 'other';

const REASONS: Readonly<Record<string, RefusalReason>> = {
  scheduled_in_past: 'inPast',
  scheduled_too_far: 'tooFar',
  not_editable: 'started',
  unknown_post: 'gone',
};

/** Why the service did not move a post. */
export function reasonOf(error: Error): RefusalReason {
  if (!(error instanceof ReelayApiError)) return 'other';
  return error.status === 0 ? 'offline' : (REASONS[error.code] ?? 'other');
}

/** Moves posts, reports the result, and undoes the last move. */
export function useMoves() {
  const reschedule = useReschedule();
  const [notice, setNotice] = useState<Notice | null>(null);
  const send = (id: string, from: number, to: number, done: Notice) => {
    const problem = problemOfMove(from, to, Date.now());
    if (problem === 'unchanged') return;
    if (problem) return setNotice({ kind: 'refused', reason: problem, to, text: '' });
    setNotice(null);
    // React Query does not call the callbacks of `mutate` if another move follows.
    reschedule.mutateAsync({ id, at: to }).then(
      // Keeps the reason why an earlier move was refused.
      () => setNotice((shown) => (shown?.kind === 'refused' ? shown : done)),
      (error: Error) => setNotice({ kind: 'refused', reason: reasonOf(error), to, text: error.message }),
    );
  };
  return {
    notice,
    move: ({ id, at }: Pick<Entry, 'id' | 'at'>, { to, skipped }: Move) =>
      send(id, at, to, { kind: 'moved', id, from: at, to, skipped }),
    undo: ({ id, from, to }: Extract<Notice, { kind: 'moved' }>) => send(id, to, from, { kind: 'restored', to: from }),
    close: () => setNotice(null),
    announce: setNotice,
  };
}
