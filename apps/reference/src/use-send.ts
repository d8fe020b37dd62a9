import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestPlan } from './request.ts';
import { type Result, send as sendRequest } from './send.ts';

/** Sends one request at a time. Leaving the page stops it. */
export function useSend() {
  const [result, setResult] = useState<Result | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isPending, setIsPending] = useState(false);
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => stop, [stop]);
  const send = async (plan: RequestPlan, apiKey: string | null) => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    setResult(null);
    setError(null);
    setIsPending(true);
    try {
      await sendRequest(plan, apiKey, controller.signal, setResult);
    } catch (cause) {
      if (!controller.signal.aborted) setError(cause as Error);
    } finally {
      if (running.current === controller) setIsPending(false);
    }
  };
  return { result, error, isPending, send, stop };
}
