import {
  type CreatedPost,
  fileVideo,
  isFinal,
  type NewPost,
  type NodeClient,
  type Post,
  type Retry,
  type VideoStream,
} from '@reelay/sdk/node';
import { ERROR, TEXT } from '../messages.ts';
import { Interrupted, json, line, note, safe } from '../output.ts';
import { local } from '../when.ts';
import { stateOf } from './columns.ts';
import { type Source, type WhatToPost, whatToPost } from './what.ts';

export interface PostOptions extends WhatToPost {
  wait?: boolean;
}

/** A video larger than this (bytes) is uploaded first, so that a lost connection does not restart it. */
const LARGE = 32 * 1024 * 1024;

export async function post(client: NodeClient, file: string | undefined, options: PostOptions): Promise<void> {
  const { zone, source, fields } = whatToPost(file, options);
  const terminal = process.stderr.isTTY === true && !options.json;
  const upload = terminal ? (await import('./progress.ts')).showUpload() : null;
  const created = await send(client, source, { ...fields, onProgress: upload?.update, onRetry: reportRetry }).finally(
    () => upload?.stop(),
  );
  const id = created.historyId;
  if (!options.wait && options.json) return json(created);
  const count = created.result.length;
  const outcome = created.scheduled ? TEXT.scheduled(count, id, local(created.date, zone)) : TEXT.queued(count, id);
  if (!options.wait) return line(outcome);
  // Must precede the note: once the note is printed, Ctrl-C only ends the waiting.
  const waiting = interruption(TEXT.interruptedWhileWaiting);
  note(outcome);
  await wait(client, id, { terminal, json: options.json, signal: waiting });
}

/** Sends the video with the post, or uploads it first if it is large. */
async function send(client: NodeClient, source: Source, post: Omit<NewPost, 'video'>): Promise<CreatedPost> {
  const video = 'file' in source ? await fileVideo(source.file) : null;
  if (!video) return client.posts.create({ ...post, ...source, signal: interruption(TEXT.interruptedWhilePosting) });
  if (video.length <= LARGE)
    return client.posts.create({ ...post, video, signal: interruption(TEXT.interruptedWhilePosting) });
  const uploadId = await uploadFirst(client, video, post);
  const signal = interruption(TEXT.interruptedWhilePosting);
  return client.posts.create({ ...post, uploadId, signal }).catch(async (error: unknown) => {
    // No one else knows this upload id.
    if (isFinal(error)) await client.uploads.remove(uploadId).catch(() => {});
    throw error;
  });
}

function reportRetry({ error, delayMs }: Retry): void {
  note(safe(TEXT.retrying(error.message, Math.ceil(delayMs / 1_000))));
}

async function uploadFirst(
  client: NodeClient,
  video: VideoStream,
  { platforms, onProgress, onRetry }: Omit<NewPost, 'video'>,
): Promise<string> {
  const signal = interruption(TEXT.interruptedWhileUploading);
  // Report invalid accounts before the upload, not half an hour later.
  const known = new Set((await client.platforms.list()).map(({ id }) => id));
  const missing = platforms.find((id) => !known.has(id));
  if (missing !== undefined) throw new Error(ERROR.accountNotFound(missing));
  return client.uploads.send(video, { onProgress, onRetry, signal });
}

async function wait(
  client: NodeClient,
  id: string,
  { terminal, json: machine, signal }: { terminal: boolean; json?: boolean; signal: AbortSignal },
): Promise<void> {
  const waiting = terminal ? (await import('./progress.ts')).showWaiting() : null;
  const onUpdate = (seen: Post) => waiting?.update(outcomes(seen));
  const ended = await client.posts.waitFor(id, { signal, onUpdate }).finally(() => waiting?.stop());
  if (machine) json(ended);
  else for (const each of outcomes(ended)) line(each);
  if (ended.result.some((result) => result.status === 'FAILED')) process.exitCode = 1;
}

/** On Ctrl-C, aborts the current work with this message and exit status 130. */
function interruption(sentence: string): AbortSignal {
  const controller = new AbortController();
  process.removeAllListeners('SIGINT').once('SIGINT', () => {
    controller.abort(new Interrupted(sentence));
  });
  return controller.signal;
}

/** One line per account. */
function outcomes({ result }: Pick<Post, 'result'>): string[] {
  return result.map((each) => {
    const { platform, username, url, message, detail, trouble } = each;
    const why = trouble?.text ?? [message, detail].filter(Boolean).join(': ');
    return safe([stateOf(each).padEnd(7), platform, username, url ?? why].filter(Boolean).join(' '));
  });
}
