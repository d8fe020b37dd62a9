import {
  type CreatedPost,
  fileVideo,
  type NewPost,
  type NodeClient,
  type Post,
  ReelayApiError,
  type Retry,
  type VideoStream,
} from '@reelay/sdk/node';
import { Interrupted, json, line, note, safe } from '../output.ts';
import { local } from '../when.ts';
import { type Source, type WhatToPost, whatToPost } from './what.ts';

export interface PostOptions extends WhatToPost {
  wait?: boolean;
}

/** A video larger than this, in bytes, is uploaded first, so that a lost line does not begin again. */
const LARGE = 32 * 1024 * 1024;

export async function post(client: NodeClient, file: string | undefined, options: PostOptions): Promise<void> {
  const { zone, source, fields } = whatToPost(file, options);
  const terminal = process.stderr.isTTY === true && !options.json;
  const upload = terminal ? (await import('./progress.ts')).showUpload() : null;
  const created = await send(client, source, { ...fields, onProgress: upload?.update, onRetry: tellRetry }).finally(
    () => upload?.stop(),
  );
  const id = created.historyId;
  if (!options.wait && options.json) return json(created);
  const count = `${created.result.length} ${created.result.length === 1 ? 'account' : 'accounts'}`;
  const told = created.scheduled ? `Scheduled for ${local(created.date, zone)}` : 'Queued';
  if (!options.wait) return line(`${told} on ${count}: ${id}`);
  // Before the line that tells of it: from then on Ctrl-C means the waiting.
  const waiting = interruption('Interrupted. The post goes on.');
  note(`${told} on ${count}: ${id}`);
  await wait(client, id, { terminal, json: options.json, signal: waiting });
}

/** Sends the video with the post, or a large one before it. */
async function send(client: NodeClient, source: Source, post: Omit<NewPost, 'video'>): Promise<CreatedPost> {
  const video = 'file' in source ? await fileVideo(source.file) : null;
  const uploadId = video && video.length > LARGE ? await uploadFirst(client, video, post) : undefined;
  const signal = interruption(
    'Interrupted. The post may have been accepted: look at the history before you post again.',
  );
  if (!video) return client.posts.create({ ...post, ...source, signal });
  if (uploadId === undefined) return client.posts.create({ ...post, video, signal });
  return client.posts.create({ ...post, uploadId, signal }).catch(async (error: unknown) => {
    // Nobody else knows of the upload.
    if (isFinal(error)) await client.uploads.remove(uploadId).catch(() => {});
    throw error;
  });
}

/** Whether a request was refused. A request with the same key that may still run, and a rate limit, refuse nothing. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ReelayApiError) || error.status < 400 || error.status >= 500) return false;
  return error.code !== 'idempotency_in_progress' && error.code !== 'rate_limited';
}

function tellRetry({ error, delayMs }: Retry): void {
  note(safe(`${error.message} Trying again in ${Math.ceil(delayMs / 1_000)} s.`));
}

async function uploadFirst(
  client: NodeClient,
  video: VideoStream,
  { platforms, onProgress, onRetry }: Omit<NewPost, 'video'>,
): Promise<string> {
  const signal = interruption('Interrupted. Nothing was posted.');
  // What is wrong with the accounts should not be told after half an hour.
  const known = new Set((await client.platforms.list()).map(({ id }) => id));
  const missing = platforms.find((id) => !known.has(id));
  if (missing !== undefined) throw new Error(`There is no connected account ${missing}.`);
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

/** Ends what is going on at Ctrl-C, with this sentence and the status that shells expect. */
function interruption(sentence: string): AbortSignal {
  const controller = new AbortController();
  process.removeAllListeners('SIGINT').once('SIGINT', () => {
    controller.abort(new Interrupted(sentence));
  });
  return controller.signal;
}

/** One line for each account. */
function outcomes({ result }: Pick<Post, 'result'>): string[] {
  return result.map(({ status, platform, username, url, message, detail }) => {
    const why = [message, detail].filter(Boolean).join(': ');
    return safe([status.padEnd(7), platform, username, url ?? why].filter(Boolean).join(' '));
  });
}
