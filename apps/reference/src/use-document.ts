import { useCallback, useEffect, useState } from 'react';
import { type ApiDocument, readDocument } from './document.ts';

export interface DocumentState {
  document: ApiDocument | null;
  error: Error | null;
  retry(): void;
}

/** Reads the document once, and again on request. Neither a document nor an error: it is loading. */
export function useDocument(): DocumentState {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Omit<DocumentState, 'retry'>>({ document: null, error: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reads it again
  useEffect(() => {
    const controller = new AbortController();
    readDocument(controller.signal).then(
      (document) => setState({ document, error: null }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ document: null, error: error as Error });
      },
    );
    return () => controller.abort();
  }, [attempt]);
  const retry = useCallback(() => {
    setState({ document: null, error: null });
    setAttempt((count) => count + 1);
  }, []);
  return { ...state, retry };
}
