/** `POST /post`: from the first byte of the form to the rows that publishers find. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import { storageError } from '../media/disk.ts';
import type { VideoFacts } from '../media/types.ts';
import { assertPostsLeft } from '../plans/service.ts';
import { chooseAccounts, findAccounts } from './accounts.ts';
import { contentHash } from './content.ts';
import { type PostFields, parseFieldsSoFar, parsePostFields } from './fields.ts';
import { hashFile } from './hash-file.ts';
import { type Every, type Lease, openKey, replay } from './idempotency.ts';
import { announceMedia, fileRemoved, forgetUnused, placesOf } from './media-store.ts';
import { openRoom } from './room.ts';
import { databaseNow } from './store.ts';
import type { CreatedPost, PostNeeds } from './types.ts';
import { type When, whenToPost } from './when.ts';
import { writePost } from './write.ts';

/** A form as it was received; its file lies in the scratch folder and is ours now. */
export interface Received {
  fields: ReadonlyMap<string, readonly string[]>;
  video: { path: string; bytes: number; sha256: string };
}

export interface ReceiveHooks {
  /** Called with the length of every chunk of the video. What it throws ends the upload. */
  onBytes(bytes: number): void;
  /** Called when the video begins, with the fields before it; the video waits. What it throws ends the upload. */
  onVideo(fields: ReadonlyMap<string, readonly string[]>): Promise<void>;
}

/** One request. */
export interface PostRequest {
  userId: string;
  idempotencyKey: string | null;
  receive(hooks: ReceiveHooks): Promise<Received>;
  /** Asked in the transaction that writes the post. @throws ReelayError `unauthorized` */
  assertStillAuthorized(tx: Queryable): Promise<void>;
  every: Every;
  /** Ends when the client has gone away. */
  signal: AbortSignal;
}

/**
 * Takes a video, checks it, stores it and queues it; never waits for a platform. Whatever fails, nothing is left behind.
 * @throws ReelayError every refusal of the operation
 */
export async function createPost(
  needs: PostNeeds,
  request: PostRequest,
): Promise<{ post: CreatedPost; replayed: boolean }> {
  const { db } = needs;
  const room = await openRoom(needs.storage, needs.config.leastFreeBytes);
  // A time that was ahead when the upload began is not held against an upload that took long.
  const arrived = await databaseNow(db);
  const key = request.idempotencyKey;
  const opened = key === null ? null : await openKey(db, request.userId, key, request.every);
  const finished = opened && 'finished' in opened ? opened.finished : null;
  const lease = opened && 'lease' in opened ? opened.lease : null;
  const scratch: string[] = [];
  try {
    if (!finished) await assertPostsLeft(db, needs.config.plans, request.userId);
    const form = await request.receive({
      onBytes: room.take,
      onVideo: async (fields) => {
        const soFar = parseFieldsSoFar(fields);
        if (!finished) await check(needs, request.userId, soFar, arrived);
      },
    });
    scratch.push(form.video.path);
    const fields = parsePostFields(form.fields);
    const content = contentHash(form.video.sha256, fields);
    if (finished) return { post: replay(finished, content), replayed: true };
    const when = await check(needs, request.userId, fields, arrived);
    const video = await prepare(needs, request, form, fields, scratch);
    const post = await keep(needs, request, { fields, content, when, lease, video });
    return { post, replayed: false };
  } finally {
    await Promise.all(scratch.map((path) => rm(path, { force: true }).catch(() => {})));
    await lease?.end();
  }
}

/** Everything that needs no video, as far as the fields are known. @param now ms since the epoch */
async function check(needs: PostNeeds, userId: string, fields: Partial<PostFields>, now: number): Promise<When> {
  const when = whenToPost(fields.scheduled ?? null, now);
  if (fields.platforms) {
    const found = await findAccounts(needs.db, userId, fields.platforms);
    chooseAccounts(
      found,
      { ids: fields.platforms, description: fields.description, options: fields.options },
      { sandbox: needs.config.sandbox, connectors: needs.connectors },
    );
  }
  return when;
}

interface Prepared {
  path: string;
  sha256: string;
  facts: VideoFacts;
  thumbnailPath: string;
}

/** Checks the video, makes it 9:16 where that was asked for, and takes its thumbnail. */
async function prepare(
  { media, storage }: PostNeeds,
  { signal }: PostRequest,
  { video }: Received,
  fields: PostFields,
  scratch: string[],
): Promise<Prepared> {
  const scratchFile = (extension: string) => {
    const path = join(storage.scratch, `${uuidv7()}.${extension}`);
    scratch.push(path);
    return path;
  };
  const { fit, previewTime } = fields;
  const thumbnailPath = scratchFile('jpg');
  if (!fit) {
    const accept = (found: VideoFacts) => assertInVideo(previewTime, found);
    const wanted = { atSeconds: previewTime, outPath: thumbnailPath };
    const facts = await media.checkWithThumbnail(video.path, wanted, { accept, signal });
    return { ...video, facts, thumbnailPath };
  }
  let { path, sha256 } = video;
  let facts = await media.check(path, { signal, fit });
  // Too late a preview is refused before minutes are spent on it.
  assertInVideo(previewTime, facts);
  if (media.needsFit(facts)) {
    const fitted = scratchFile('mp4');
    facts = await media.fit(path, fit, fitted, facts, signal);
    path = fitted;
    sha256 = await hashFile(fitted);
  }
  await media.thumbnail(path, previewTime, thumbnailPath, facts, signal);
  return { path, sha256, facts, thumbnailPath };
}

function assertInVideo(seconds: number, { durationMs }: VideoFacts): void {
  // The length is known to the millisecond; what a player shows of it may be a fraction more.
  if (Math.floor(seconds * 1000) <= durationMs) return;
  throw new ReelayError(
    'preview_time_out_of_range',
    `previewTime must lie between 0 and the length of the video, ${durationMs / 1000} seconds.`,
  );
}

/** Moves the files into the storage and writes the rows; on any failure both are gone again. */
async function keep(
  needs: PostNeeds,
  request: PostRequest,
  made: { fields: PostFields; content: Buffer; when: When; lease: Lease | null; video: Prepared },
): Promise<CreatedPost> {
  const { db, storage } = needs;
  const { fields, video } = made;
  const mediaId = uuidv7();
  const { video: videoKey, picture } = placesOf(mediaId);
  request.signal.throwIfAborted();
  await announceMedia(db, { id: mediaId, userId: request.userId, sha256: video.sha256, facts: video.facts });
  try {
    await storage.adopt(picture, video.thumbnailPath).catch(refuse);
    await storage.adopt(videoKey, video.path).catch(refuse);
    request.signal.throwIfAborted();
    const found = await findAccounts(db, request.userId, fields.platforms);
    return await writePost(needs, {
      ...made,
      postId: uuidv7(),
      userId: request.userId,
      identityIds: found.map((account) => account.identityId),
      mediaId,
      previewTimeMs: Math.min(Math.round(fields.previewTime * 1000), video.facts.durationMs),
      assertStillAuthorized: request.assertStillAuthorized,
    });
  } catch (error) {
    await discard(needs, mediaId);
    throw error;
  }
}

function refuse(cause: unknown): never {
  throw storageError(cause);
}

/** What cannot be removed now has rows that say so: the loop that removes files, or the sweep of orphans, finds it. */
async function discard({ db, storage }: PostNeeds, mediaId: string): Promise<void> {
  const { video, picture } = placesOf(mediaId);
  const mayGo = await db.transaction((tx) => forgetUnused(tx, mediaId)).catch(() => false);
  if (!mayGo) return;
  const remove = async (key: string) => {
    await storage.remove(key);
    await fileRemoved(db, key);
  };
  await Promise.allSettled([remove(video), remove(picture)]);
}
