import { useCallback, useState } from 'react';
import { type Draft, emptyDraft, keepDraft, readDraft } from './draft.ts';

const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** The draft, stored in the browser on every change. */
export function useDraft() {
  const [draft, setDraft] = useState(() => readDraft(localStorage, newKey()));
  const store = useCallback((change: (before: Draft) => Draft) => {
    setDraft((before) => {
      const after = change(before);
      keepDraft(localStorage, after);
      return after;
    });
  }, []);
  const change = useCallback((fields: Partial<Draft>) => store((before) => ({ ...before, ...fields })), [store]);
  /** After posting: everything but the accounts, which most people use again. */
  const clear = useCallback(() => store(({ accounts }) => ({ ...emptyDraft(newKey()), accounts })), [store]);
  return { draft, change, clear };
}
