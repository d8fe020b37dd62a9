/** Draws an arrow, by dragging or by selecting two accounts in sequence. */
import type { Platform } from '@reelay/sdk';
import { useState } from 'react';
import { useAddRule } from '../../../queries/add-rule.ts';
import { useRemoveRule } from '../../../queries/rules.ts';
import { type Verdict, verdictOf } from './drawing.ts';
import type { Arrow } from './graph.ts';

export interface Refused {
  from: string;
  to: string;
  verdict: Verdict;
}

export interface Drawing {
  /** The account at which the arrow starts; null while no arrow is drawn. */
  from: string | null;
  /** The refused arrow under the pointer, or the last refused one. */
  refused: Refused | null;
  added: { id: string; from: string; to: string } | null;
  error: Error | null;
  isUndoing: boolean;
  start(from: string): void;
  /** @param to the account under the pointer */
  hover(to: string | null): void;
  /** Adds the rule, or shows why it is refused. @param to null: the arrow was not dropped on an account */
  end(to: string | null): void;
  undo(): void;
  dismiss(): void;
}

export function useDrawing(accounts: readonly Platform[], arrows: readonly Arrow[]): Drawing {
  const [from, setFrom] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [last, setLast] = useState<Refused | null>(null);
  const [added, setAdded] = useState<Drawing['added']>(null);
  const add = useAddRule();
  const remove = useRemoveRule();
  const refusedAt = (to: string | null): Refused | null => {
    const verdict = from && to ? verdictOf(accounts, arrows, from, to) : null;
    return from && to && verdict ? { from, to, verdict } : null;
  };
  const dismiss = () => {
    setLast(null);
    setAdded(null);
    add.reset();
    remove.reset();
  };
  return {
    from,
    refused: from ? refusedAt(over) : last,
    added,
    error: add.error ?? remove.error,
    isUndoing: remove.isPending,
    start(account) {
      dismiss();
      setOver(null);
      setFrom(account);
    },
    hover: setOver,
    end(to) {
      const refused = refusedAt(to);
      setFrom(null);
      setOver(null);
      // Dropping the arrow on its own account cancels it.
      if (!from || !to || from === to) return;
      if (refused) setLast(refused);
      else add.mutate({ from, to: [to] }, { onSuccess: (id) => setAdded({ id, from, to }) });
    },
    undo() {
      if (added) remove.mutate(added.id, { onSuccess: () => setAdded(null) });
    },
    dismiss,
  };
}
