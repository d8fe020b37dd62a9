/** A video by its address: from the first look at the address to the scratch file. */
import type { IncomingMessage } from 'node:http';
import type { AddressGuard, Resolve } from '../connectors/kit/address-guard.ts';
import type { MakeHasher } from '../http/receive/hasher.ts';
import { createVideoReceiver, type ReceivedVideo, tooLarge } from '../http/receive/video.ts';
import type { Semaphore } from '../media/semaphore.ts';
import { announcedBytes, answerProblem } from './answer.ts';
import { openAddress } from './open.ts';
import { failed, refusalOf, tooSlow } from './refusals.ts';

export interface FetchOptions {
  /** For the scratch file, on the storage's file system. */
  folder: string;
  /** Of {@link createSourceGuard}. */
  guard: AddressGuard;
  hasher: MakeHasher;
  maxBytes: number;
  /** For everything, the wait for a slot included, in ms. */
  deadlineMs: number;
  /** Bounds how many fetches run at once; unbounded when absent. */
  slots?: Semaphore;
  /** Called before each chunk is taken, with its length in bytes. What it throws ends the fetching. */
  onBytes(bytes: number): void;
  /** Ends when whoever asked has gone away. */
  signal: AbortSignal;
  /** For the head of each answer, in ms; 10,000 when absent. */
  headMs?: number;
  userAgent?: string;
  /** Looks up names; the system's own when absent. */
  resolve?: Resolve;
}

const MOST_REDIRECTS = 5;

/**
 * Fetches a video into a scratch file, which is the caller's from then on; it has not been synced to disk. Memory does not
 * grow with the video. Whatever is thrown, no file is left and the connection is gone.
 * @throws ReelayError `video_source_refused` (no address that may be asked), `video_source_failed` (what came is no whole
 * video), `video_source_slow`, `video_too_large`, `storage_full`, `storage_unavailable`; what `onBytes` throws; the
 * signal's reason
 */
export async function fetchVideo(
  address: string,
  options: FetchOptions,
): Promise<Pick<ReceivedVideo, 'path' | 'bytes' | 'sha256'>> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(tooSlow()), options.deadlineMs);
  const signal = AbortSignal.any([options.signal, deadline.signal]);
  const fetchNow = () => openAndStore(address, options, signal);
  try {
    return await (options.slots ? options.slots.run(fetchNow, signal) : fetchNow());
  } finally {
    clearTimeout(timer);
  }
}

async function openAndStore(
  address: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Pick<ReceivedVideo, 'path' | 'bytes' | 'sha256'>> {
  const opened = await openAddress(address, {
    guard: options.guard,
    mostRedirects: MOST_REDIRECTS,
    headMs: options.headMs ?? 10_000,
    headers: {
      'user-agent': options.userAgent ?? 'Reelay',
      accept: 'video/*, application/octet-stream;q=0.9, */*;q=0.5',
      'accept-encoding': 'identity',
    },
    signal,
    resolve: options.resolve,
  });
  if ('problem' in opened) throw refusalOf(opened.problem);
  try {
    return await store(opened, options, signal);
  } finally {
    opened.answer.destroy();
  }
}

async function store(
  { answer, origin }: { answer: IncomingMessage; origin: string },
  { folder, hasher, maxBytes, onBytes }: FetchOptions,
  signal: AbortSignal,
): Promise<Pick<ReceivedVideo, 'path' | 'bytes' | 'sha256'>> {
  const head = { status: answer.statusCode ?? 0, headers: answer.headers };
  const problem = answerProblem(head);
  if (problem) throw failed(problem, origin);
  const expectedBytes = announcedBytes(head);
  if (expectedBytes > maxBytes) throw tooLarge(maxBytes);

  const failure = Promise.withResolvers<never>();
  const receiver = createVideoReceiver({
    folder,
    maxBytes,
    expectedBytes,
    hasher,
    onBytes,
    pause: () => answer.pause(),
    resume: () => answer.resume(),
    onError: failure.reject,
  });
  try {
    const { data } = receiver.open(undefined);
    await Promise.race([read(answer, data, origin, signal), failure.promise]);
    if (receiver.bytes() === 0) throw failed('The address of the video answered with nothing.', origin);
    const { path, bytes, sha256 } = await receiver.finish();
    return { path, bytes, sha256 };
  } catch (error) {
    // Before the file is removed, nothing more may come for it.
    answer.destroy();
    await receiver.discard();
    throw error;
  }
}

/** Hands every chunk over, to the end of an answer that is whole. Nothing is handed over after it has thrown. */
function read(
  answer: IncomingMessage,
  take: (chunk: Buffer) => void,
  origin: string,
  signal: AbortSignal,
): Promise<void> {
  const done = Promise.withResolvers<void>();
  const stop = (error: unknown) => {
    answer.off('data', onData);
    done.reject(error);
  };
  const broken = () => stop(failed('The video broke off before its end.', origin));
  const onData = (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      stop(error);
    }
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  answer.on('data', onData);
  // Comes for a whole answer only: one that is cut ends with an error.
  answer.on('end', () => done.resolve());
  answer.on('error', broken);
  answer.on('close', broken);
  if (signal.aborted) onAbort();
  return done.promise.finally(() => signal.removeEventListener('abort', onAbort));
}
