/**
 * The client for Node: a video may be a file path and is streamed from disk. A video that is too large for a proxy before
 * the service is sent in pieces.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createClient as createUniversalClient, type ReelayClient } from './client.ts';
import { isFinal, isTooLargeForProxy } from './errors.ts';
import type { Video, VideoStream } from './multipart.ts';
import type { CreatedPost, NewPost, PostCheck, Posts, PostToCheck } from './posts.ts';
import type { ClientOptions } from './transport.ts';
import type { SendOptions, Uploads } from './uploads.ts';

export * from './index.ts';

export interface NodeClient extends Omit<ReelayClient, 'posts' | 'uploads'> {
  posts: Omit<Posts, 'create' | 'check'> & {
    create(post: NewPost<Video | string>): Promise<CreatedPost>;
    check(post: PostToCheck<Video | string>): Promise<PostCheck>;
  };
  uploads: Omit<Uploads, 'send'> & { send(video: Video | string, options?: SendOptions): Promise<string> };
}

export function createClient(options: ClientOptions): NodeClient {
  const client = createUniversalClient(options);
  const create: NodeClient['posts']['create'] = (post) => withVideo(client, post, client.posts.create, isFinal);
  // A check uses nothing up, so its upload is removed.
  const check: NodeClient['posts']['check'] = (post) => withVideo(client, post, client.posts.check, () => true);
  const send: NodeClient['uploads']['send'] = async (video, options) =>
    client.uploads.send(typeof video === 'string' ? await fileVideo(video) : video, options);
  return { ...client, posts: { ...client.posts, create, check }, uploads: { ...client.uploads, send } };
}

type WithVideo<Post, Source> = Omit<Post, 'video'> & { video?: Source };

/**
 * Sends a post with its video. If a proxy refuses its size, the video is uploaded in pieces first.
 * @param isOver whether the upload is of no further use after this error, or after no error
 */
async function withVideo<Post extends PostToCheck, Result>(
  { uploads }: ReelayClient,
  { video: given, ...post }: WithVideo<Post, Video | string>,
  request: (post: Post) => Promise<Result>,
  isOver: (error?: unknown) => boolean,
): Promise<Result> {
  const video = typeof given === 'string' ? await fileVideo(given) : given;
  const send = (source: { video?: Video; uploadId?: string }) => request({ ...post, ...source } as Post);
  if (!video) return send({});
  try {
    return await send({ video });
  } catch (error) {
    if (!isTooLargeForProxy(error)) throw error;
  }
  const { onProgress, onRetry, signal } = post as Pick<Post, 'onProgress' | 'onRetry' | 'signal'>;
  const uploadId = await uploads.send(video, { onProgress, onRetry, signal });
  const removed = () => uploads.remove(uploadId).catch(() => {});
  try {
    const result = await send({ uploadId });
    if (isOver()) await removed();
    return result;
  } catch (error) {
    if (isOver(error)) await removed();
    throw error;
  }
}

/**
 * Returns a file as a video. Each attempt reopens it.
 * @throws Error if the file does not exist
 */
export async function fileVideo(path: string): Promise<VideoStream> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Error(`The file ${path} cannot be read.`, { cause });
  });
  if (!found.isFile()) throw new Error(`${path} is not a file.`);
  return {
    length: found.size,
    name: basename(path),
    stream: () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
    streamFrom: (start) => Readable.toWeb(createReadStream(path, { start })) as ReadableStream<Uint8Array>,
  };
}
