/** Fetches a video from a URL into a scratch file. */
import type { IncomingMessage } from 'node:http';
import { apiError } from '../../errors/reelay-error.ts';
import type { AddressGuard, Resolve } from '../../outbound/address-guard.ts';
import { openAddress } from '../../outbound/open-address.ts';
import type { MakeHasher } from '../../storage/incoming/hasher.ts';
import { createVideoReceiver, type ReceivedVideo, tooLarge } from '../../storage/incoming/video.ts';
import { failed, refusalOf, tooSlow } from './refusals.ts';
import { announcedBytes, responseProblem, startProblem } from './response-head.ts';

export interface FetchOptions {
  /** Folder of the scratch file, on the storage's file system. */
  folder: string;
  /** Created by {@link createSourceGuard}. */
  guard: AddressGuard;
  hasher: MakeHasher;
  maxBytes: number;
  /** Total timeout in ms. */
  deadlineMs: number;
  /** Called before each chunk is taken, with its length in bytes. Throwing ends the fetch. */
  onBytes(bytes: number): void;
  /** Aborted when the requester disconnects. */
  signal: AbortSignal;
  /** Timeout for the headers of each response, in ms. Default: 10,000. */
  headMs?: number;
  userAgent?: string;
  /** Further headers, sent only to the origin of the URL. */
  headers?: Readonly<Record<string, string>>;
  /** Resolves names; default: the system's resolver. */
  resolve?: Resolve;
}

const MAX_REDIRECTS = 5;

/**
 * Fetches a video into a scratch file that the caller then owns; it is not synced to disk. Memory use does not depend
 * on the video's size. On any error, no file is left and the connection is closed.
 * @throws ReelayError `video_source_refused` (URL not allowed), `video_source_failed` (no complete video),
 * `video_source_slow`, `video_too_large`, `storage_full`, `storage_unavailable`; errors of `onBytes`; the signal's
 * reason
 */
export async function fetchVideo(
  address: string,
  options: FetchOptions,
): Promise<Pick<ReceivedVideo, 'path' | 'bytes' | 'sha256'>> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(tooSlow()), options.deadlineMs);
  const signal = AbortSignal.any([options.signal, deadline.signal]);
  try {
    return await openAndStore(address, options, signal);
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
    mostRedirects: MAX_REDIRECTS,
    headMs: options.headMs ?? 10_000,
    headers: {
      'user-agent': options.userAgent ?? 'Reelay',
      accept: 'video/*, application/octet-stream;q=0.9, */*;q=0.5',
      'accept-encoding': 'identity',
    },
    ownHeaders: options.headers,
    signal,
    resolve: options.resolve,
  });
  if ('problem' in opened) throw refusalOf(opened.problem);
  try {
    return await store(opened, options, signal);
  } finally {
    opened.response.destroy();
  }
}

async function store(
  { response, origin }: { response: IncomingMessage; origin: string },
  { folder, hasher, maxBytes, onBytes }: FetchOptions,
  signal: AbortSignal,
): Promise<Pick<ReceivedVideo, 'path' | 'bytes' | 'sha256'>> {
  const head = { status: response.statusCode ?? 0, headers: response.headers };
  const problem = responseProblem(head);
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
    pause: () => response.pause(),
    resume: () => response.resume(),
    onError: failure.reject,
  });
  try {
    const { data } = receiver.open(undefined);
    const take = (chunk: Buffer) => {
      const isText = receiver.bytes() === 0 ? startProblem(head, chunk) : null;
      if (isText) throw failed(isText, origin);
      data(chunk);
    };
    await Promise.race([read(response, take, origin, signal), failure.promise]);
    if (receiver.bytes() === 0) throw failed(apiError('source_empty'), origin);
    const { path, bytes, sha256 } = await receiver.finish();
    return { path, bytes, sha256 };
  } catch (error) {
    // Stop further data before the file is removed.
    response.destroy();
    await receiver.discard();
    throw error;
  }
}

/** Passes on every chunk of a complete response. Passes on nothing after it has rejected. */
function read(
  response: IncomingMessage,
  take: (chunk: Buffer) => void,
  origin: string,
  signal: AbortSignal,
): Promise<void> {
  const done = Promise.withResolvers<void>();
  const stop = (error: unknown) => {
    response.off('data', onData);
    done.reject(error);
  };
  const broken = () => stop(failed(apiError('source_interrupted'), origin));
  const onData = (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      stop(error);
    }
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  response.on('data', onData);
  // Emitted only for a complete response: a truncated one ends with an error.
  response.on('end', () => done.resolve());
  response.on('error', broken);
  response.on('close', broken);
  if (signal.aborted) onAbort();
  return done.promise.finally(() => signal.removeEventListener('abort', onAbort));
}
