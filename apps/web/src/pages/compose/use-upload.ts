/** Sends the chosen video while the user types. */
import { ReelayApiError } from '@reelay/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../../service/service-client.ts';
import type { Draft } from './draft.ts';

export interface UploadState {
  /** Bytes that the service has. */
  sent: number;
  total: number;
  /** Bytes a second, over the whole upload. */
  speed: number;
  /** The connection was lost, and the upload goes on by itself. */
  isWaiting: boolean;
}

export function useUpload(onUploaded: (upload: NonNullable<Draft['upload']>) => void) {
  const client = useClient();
  const [state, setState] = useState<UploadState | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = useCallback(
    async (file: File) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const began = performance.now();
      const show = (sent: number, isWaiting = false) =>
        setState({
          sent,
          total: file.size,
          speed: sent / Math.max(0.1, (performance.now() - began) / 1000),
          isWaiting,
        });
      let furthest = 0;
      setError(null);
      show(0);
      try {
        const id = await client.uploads.send(file, {
          signal: controller.signal,
          onProgress({ sent }) {
            furthest = sent;
            show(sent);
          },
          onRetry: () => show(furthest, true),
        });
        if (!controller.signal.aborted) onUploaded({ id, name: file.name, bytes: file.size });
      } catch (problem) {
        if (controller.signal.aborted) return;
        setError(
          problem instanceof Error ? problem : new ReelayApiError(String(problem), { status: 0, code: 'unknown' }),
        );
      } finally {
        if (running.current === controller) setState(null);
      }
    },
    [client, onUploaded],
  );
  const cancel = useCallback(() => {
    running.current?.abort();
    setState(null);
  }, []);
  return { state, error, send, cancel };
}
