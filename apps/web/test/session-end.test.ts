import { ReelayApiError } from '@reelay/sdk';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { UploadJob } from '../src/drafts/upload-machine.ts';
import type { UploadManager } from '../src/drafts/upload-manager.ts';
import { onSessionEnd } from '../src/live/session-end.ts';

const refused = (code: string, status: number) => new ReelayApiError(code, { status, code });
const signedOut = refused('unauthorized', 401);

function watch() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const changed = new EventTarget();
  let job: Partial<UploadJob> | null = null;
  const manager = {
    get: () => job,
    subscribe(listener: () => void) {
      changed.addEventListener('change', listener);
      return () => changed.removeEventListener('change', listener);
    },
  } as UploadManager;
  const listener = vi.fn();
  const end = onSessionEnd(queries, manager, listener);
  return {
    listener,
    end,
    read: (error: Error) =>
      queries.fetchQuery({ queryKey: ['posts'], queryFn: () => Promise.reject(error) }).catch(() => {}),
    act: (error: Error) =>
      new MutationObserver(queries, { mutationFn: () => Promise.reject(error) }).mutate().catch(() => {}),
    upload(next: Partial<UploadJob>) {
      job = next;
      changed.dispatchEvent(new Event('change'));
    },
  };
}

test('reading, acting and uploading without a session are noticed', async () => {
  const { listener, read, act, upload } = watch();
  await read(signedOut);
  expect(listener).toHaveBeenCalledTimes(1);
  await act(signedOut);
  expect(listener).toHaveBeenCalledTimes(2);
  upload({ status: 'failed', error: signedOut });
  expect(listener).toHaveBeenCalledTimes(3);
});

test('other failures are not taken for a session that ended', async () => {
  const { listener, read, act, upload } = watch();
  await read(refused('not_found', 404));
  await act(refused('second_factor_required', 401));
  upload({ status: 'failed', error: refused('storage_full', 503) });
  upload({ status: 'sending', error: null });
  expect(listener).not.toHaveBeenCalled();
});

test('nothing is noticed after the end', async () => {
  const { listener, end, read, act, upload } = watch();
  end();
  await read(signedOut);
  await act(signedOut);
  upload({ status: 'failed', error: signedOut });
  expect(listener).not.toHaveBeenCalled();
});
