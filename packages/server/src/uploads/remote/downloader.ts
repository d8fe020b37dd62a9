/**
 * Runs the operator's external downloader for posts whose platform gives no files. It runs under the same kind of limits
 * as ffmpeg, in a folder of its own.
 */
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DownloaderCommand, downloaderArgs } from '../../config/downloader.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createSharedSemaphore } from '../../lib/semaphore.ts';
import { cleanText, TEXT_LIMITS } from '../../lib/text.ts';
import { MINUTE } from '../../lib/time.ts';
import { type Limiter, runGuarded } from '../../media/guard.ts';
import { hashFile } from '../../media/hash-file.ts';
import { MAX_VIDEO } from '../../storage/incoming/video.ts';

/** The downloader ended without a video. `reason`: its own last words. */
export class DownloaderFailed extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The downloader failed: ${reason}`);
    this.name = 'DownloaderFailed';
    this.reason = reason;
  }
}

/** Downloads the video of a public post into a scratch file that the caller then owns. Users share the slots. */
export type Download = (
  url: string,
  options: { userId: string; signal: AbortSignal },
) => Promise<{ path: string; bytes: number; sha256: string }>;

const LIMITS = {
  addressBytes: 4 * 1024 ** 3,
  cpuSeconds: 10 * 60,
  wallMs: 10 * MINUTE,
  outputBytes: 1024 ** 2,
  /** One byte more than a video may have, so that a larger one is noticed. */
  fileBytes: MAX_VIDEO + 1,
  nice: 10,
};
const AT_ONCE = 2;
/** Programs find their own helpers here. The service's environment is not passed on. */
const PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * Creates the function that runs a downloader.
 * @param scratch folder on the storage's file system
 */
export function createDownloader(command: DownloaderCommand, scratch: string, limiter: Limiter): Download {
  const slots = createSharedSemaphore({ slots: AT_ONCE });
  return (url, { userId, signal }) =>
    slots.run(userId, () => download(command, url, { scratch, limiter, signal }), signal);
}

async function download(
  command: DownloaderCommand,
  url: string,
  { scratch, limiter, signal }: { scratch: string; limiter: Limiter; signal: AbortSignal },
) {
  // A URL cannot be taken for an option.
  if (!/^https?:\/\//.test(url)) throw new DownloaderFailed('the post has no web address');
  const name = uuidv7();
  const folder = join(scratch, name);
  await mkdir(folder);
  try {
    const file = join(folder, 'video.mp4');
    const env = { PATH, HOME: folder, TMPDIR: folder };
    const run = await runGuarded(command.program, downloaderArgs(command, { url, file }), {
      ...LIMITS,
      limiter,
      env,
      signal,
    });
    const bytes = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    if (bytes > MAX_VIDEO) throw new ReelayError('video_too_large');
    if (run.timedOut) throw new DownloaderFailed('it took too long');
    if (run.code !== 0 || bytes === 0) throw new DownloaderFailed(lastWords(run.stderr) || `exit code ${run.code}`);
    const path = join(scratch, `${name}.upload`);
    await rename(file, path);
    return { path, bytes, sha256: await hashFile(path) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function lastWords(stderr: string): string {
  return cleanText(stderr.trim().split('\n').at(-1) ?? '', TEXT_LIMITS.name);
}
