/** The client for Node: a video may be a file path and is streamed from disk. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createClient as createUniversalClient, type ReelayClient } from './client.ts';
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
  const create: NodeClient['posts']['create'] = async ({ video, ...post }) =>
    client.posts.create({ ...post, video: typeof video === 'string' ? await fileVideo(video) : video });
  const check: NodeClient['posts']['check'] = async ({ video, ...post }) =>
    client.posts.check({ ...post, video: typeof video === 'string' ? await fileVideo(video) : video });
  const send: NodeClient['uploads']['send'] = async (video, options) =>
    client.uploads.send(typeof video === 'string' ? await fileVideo(video) : video, options);
  return { ...client, posts: { ...client.posts, create, check }, uploads: { ...client.uploads, send } };
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
