/** Scenario: a client uploads a video in two chunks and posts it, retrying requests without a response. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { placesOf } from '../../../src/media/media-store.ts';
import { pollPause } from '../../harness/world.ts';
import { formOf } from '../../post/world.ts';
import { ask, PIECE, withKey } from '../../uploads/world.ts';
import { PAUSE_MS, persistently, type Reply, type Sent, watch } from './client.ts';
import { publishProblems, TWO_LEASES_MS } from './invariants.ts';
import type { Scenario } from './scenario.ts';
import type { Account, DatabaseWorld } from './world.ts';

/** The client's own delays, the lease of an upload (and of an idempotency key), and those of the publish, in ms. */
const PAUSES_MS = 100_000;

export function uploadAndPost(platform: string): Scenario {
  return {
    name: 'upload and post',
    withinMs: TWO_LEASES_MS + PAUSES_MS,
    async prepare(world) {
      const { db, context } = world.service;
      const account = await world.accountOn(platform);
      const video = await readFile(join(context.config.storageFolder, placesOf(world.owner.mediaId).video));
      const text = world.text();
      let sent: Sent | null = null;
      const targets = () =>
        db.query<{ id: string; settled: boolean }>(
          `select t.id, t.due_at is null as settled from target t join post p on p.id = t.post_id where p.description = $1`,
          [text],
        );
      return {
        begin: () => {
          sent = watch(send(world, account, video, text));
        },
        async atRest() {
          if (!sent?.ended()) return false;
          return (await targets()).every(({ settled }) => settled);
        },
        async problems() {
          const made = await targets();
          return [
            ...(sent?.got(200) ? [] : [`the client got ${sent?.told()}`]),
            ...(made.length === 1 ? [] : [`${made.length} posts were made`]),
            ...(await publishProblems(world, platform, made[0]?.id ?? '', text)),
          ];
        },
      };
    },
  };
}

/** Creates an upload, sends chunks from its current offset, and posts it. */
async function send({ service, owner }: DatabaseWorld, account: Account, video: Buffer, text: string): Promise<Reply> {
  const uploader = withKey(service, owner);
  const request = async (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) => {
    const reply = await ask(uploader, method, path, headers, body);
    return { ...reply, body: { code: reply.code } };
  };
  const begun = await persistently(() => request('POST', '/uploads', { 'upload-length': String(video.length) }));
  const path = (begun.headers.get('location') ?? '').replace(/^\/api\/v1/, '');
  if (begun.status !== 201) return begun;
  for (let failures = 0; failures < 24; ) {
    const head = await persistently(() => request('HEAD', path));
    if (head.status !== 200) return head;
    const offset = head.offset ?? 0;
    if (offset === video.length) break;
    const piece = video.subarray(offset, Math.max(offset + 1, offset === 0 ? video.length / 2 : video.length));
    const sent = await request('PATCH', path, { ...PIECE, 'upload-offset': String(offset) }, piece).catch(() => null);
    if (sent?.status === 204) continue;
    failures++;
    await pollPause(PAUSE_MS);
  }
  const uploadId = path.split('/').at(-1) ?? '';
  const fields = [
    ['platforms', JSON.stringify([account.id])],
    ['description', text],
    ['uploadId', uploadId],
  ] as const;
  const headers = { 'idempotency-key': hash('sha256', text) };
  const keyed = service.clientWith(uploader.headers);
  return persistently(async () =>
    keyed.call('POST', '/post', { body: await formOf({ video: null, fields }), headers }),
  );
}
