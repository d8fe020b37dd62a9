/**
 * An example platform. Videos are uploaded under a key chosen by the caller; a post refers to a video, and each key
 * creates at most one post.
 *
 *     PUT  /videos/KEY   the bytes; may be repeated
 *     POST /posts        {"key","video","text"}: 201 with the post; 409 if the key was already used
 *     GET  /posts/KEY    the post of that key, else 404
 *     GET  /me           the owner of the token
 *
 * An error response is `{"error": WORD}`.
 */
import {
  faultTagIn,
  type Route,
  type Simulator,
  type SimulatorModule,
  type SimulatorOptions,
  type SimulatorRequest,
  type SimulatorResponse,
} from '@reelay/sandbox/contract.ts';
import type { JsonObject } from '../../../src/connectors/contract.ts';

const MAX_LETTERS = 200;

interface Video {
  blob: string;
  bytes: number;
  sha256: string;
}

export const simulator: SimulatorModule = {
  platform: 'example',
  create,
  endpoints: (baseUrl) => ({ api: baseUrl }),
};

const refusal = (status: number, error: string, headers: Record<string, string> = {}): SimulatorResponse => ({
  status,
  headers,
  body: { error },
});

function create(options: SimulatorOptions): Simulator {
  const { store, blobs, now, baseUrl } = options;

  /** A route that requires a valid token; records of kind `token` store its owner. */
  const route = (
    method: Route['method'],
    path: string,
    handle: (request: SimulatorRequest, username: string) => Promise<SimulatorResponse>,
  ): Route => ({
    method,
    path,
    async handle(request) {
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const username = await store.get<string>('token', token);
      return username ? handle(request, username) : refusal(401, 'token_unknown');
    },
  });

  async function makePost(request: SimulatorRequest, username: string): Promise<SimulatorResponse> {
    const asked = (await request.json()) as { key?: unknown; video?: unknown; text?: unknown } | undefined;
    const { key, video: videoKey, text } = asked ?? {};
    if (typeof key !== 'string' || typeof text !== 'string') return refusal(400, 'incomplete');
    if ([...text].length > MAX_LETTERS || faultTagIn(text) === 'reject') return refusal(422, 'text_refused');
    const video = await store.get<Video>('video', `${username} ${String(videoKey)}`);
    if (!video) return refusal(422, 'video_unknown');
    const post = { id: `p${key}`, url: `${baseUrl}/p/${key}`, made: now() };
    // The first to insert the record has posted.
    if (!(await store.insert<JsonObject>('post', `${username} ${key}`, post))) return refusal(409, 'key_used');
    const { blob, bytes, sha256 } = video;
    const entry = { username, text, bytes, sha256, blobs: [blob], mime: 'video/mp4' };
    await store.publish({ ...entry, id: post.id, url: post.url, publishedAt: post.made }, post.id);
    return { status: 201, body: post };
  }

  return {
    platform: 'example',
    routes: [
      route('GET', '/me', async (_request, username) => ({ status: 200, body: { id: `u-${username}`, username } })),
      route('PUT', '/videos/:key', async ({ params, body }, username) => {
        const blob = `${username}/${params.key}`;
        const facts = await blobs.put(blob, body);
        await store.put<Video>('video', `${username} ${params.key}`, { blob, ...facts });
        return { status: 204 };
      }),
      route('POST', '/posts', makePost),
      route('GET', '/posts/:key', async ({ params }, username) => {
        const post = await store.get<JsonObject>('post', `${username} ${params.key}`);
        return post ? { status: 200, body: post } : refusal(404, 'post_unknown');
      }),
    ],
    refusal(kind) {
      if (kind === 'server-error') return { status: 503, body: 'Back soon' };
      if (kind === 'rate-limited') return refusal(429, 'slow_down');
      if (kind === 'rate-limited-with-wait') return refusal(429, 'slow_down', { 'retry-after': '7' });
      return refusal(401, 'token_unknown');
    },
    unknownRoute: () => refusal(404, 'nothing_here'),
    async enrol(username) {
      const secret = `token-of-${username}`;
      await store.put('token', secret, username);
      return { remoteId: `u-${username}`, username, tokenAnswer: null, credentials: { identifier: username, secret } };
    },
  };
}
