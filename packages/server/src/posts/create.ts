/** `POST /post`: receives the form and writes the rows that publishers claim. */
import type { Queryable } from '../db/database.ts';
import { uuidv7 } from '../ids.ts';
import { announceMedia, fileRemoved, forgetUnused, placesOf } from '../media/media-store.ts';
import { assertPostsLeft } from '../plans/service.ts';
import { openDiskSpaceGuard } from '../storage/disk-space.ts';
import { storageError } from '../storage/storage-error.ts';
import { chooseAccounts, findAccounts } from './accounts.ts';
import { contentHash } from './content.ts';
import { type PostFields, parseFieldsSoFar, parsePostFields } from './fields.ts';
import { type Every, type Lease, openKey, replay } from './idempotency.ts';
import { createScratch, type PreparedVideo, prepareVideo } from './prepare.ts';
import { assertOneVideo, bringVideo, findIdentity, identityOf, type ScratchVideo } from './source.ts';
import { databaseNow } from './store.ts';
import type { CreatedPost, PostNeeds } from './types.ts';
import { type When, whenToPost } from './when.ts';
import { writePost } from './write.ts';

/** A received form. Its file lies in the scratch folder and is now owned by the caller. */
export interface Received {
  fields: ReadonlyMap<string, readonly string[]>;
  /** null: the video is not in the form. */
  video: ScratchVideo | null;
}

export interface ReceiveHooks {
  /** Called with the length of each chunk of the video. Throwing ends the upload. */
  onBytes(bytes: number): void;
  /** Called when the video begins, with the fields before it; the video waits. Throwing ends the upload. */
  onVideo(fields: ReadonlyMap<string, readonly string[]>): Promise<void>;
}

/** One request. */
export interface PostRequest {
  userId: string;
  idempotencyKey: string | null;
  receive(hooks: ReceiveHooks): Promise<Received>;
  /** Called in the transaction that writes the post. @throws ReelayError `unauthorized` */
  assertStillAuthorized(tx: Queryable): Promise<void>;
  every: Every;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Receives, checks, stores and queues a video. Never waits for a platform. On any failure nothing is left behind.
 * @throws ReelayError for every rejection of the operation
 */
export async function createPost(
  needs: PostNeeds,
  request: PostRequest,
): Promise<{ post: CreatedPost; replayed: boolean }> {
  const { db } = needs;
  const space = await openDiskSpaceGuard(needs.storage, needs.config.leastFreeBytes);
  // A scheduled time that was in the future when the upload began stays valid, however long the upload takes.
  const arrived = await databaseNow(db);
  const key = request.idempotencyKey;
  const opened = key === null ? null : await openKey(db, request.userId, key, request.every);
  const finished = opened && 'finished' in opened ? opened.finished : null;
  const lease = opened && 'lease' in opened ? opened.lease : null;
  const scratch = createScratch(needs);
  try {
    if (!finished) await assertPostsLeft(db, needs.config.plans, request.userId);
    const form = await request.receive({
      onBytes: space.take,
      onVideo: async (fields) => {
        const soFar = parseFieldsSoFar(fields);
        if (!finished) await check(needs, request.userId, soFar, arrived);
      },
    });
    if (form.video) scratch.add(form.video.path);
    const fields = parsePostFields(form.fields);
    assertOneVideo(fields, form.video);
    const asked = { userId: request.userId, source: fields.source, file: form.video };
    if (finished) {
      const content = contentHash(await findIdentity(needs, asked), fields);
      return { post: replay(finished, content), replayed: true };
    }
    const when = await check(needs, request.userId, fields, arrived);
    const brought = await bringVideo(needs, asked, { onBytes: space.take, signal: request.signal });
    scratch.add(brought.path);
    const video = await prepareVideo(needs, brought, fields, { scratch, signal: request.signal });
    const content = contentHash(identityOf(fields.source, brought), fields);
    const post = await keep(needs, request, { fields, content, when, lease, video });
    return { post, replayed: false };
  } finally {
    await scratch.clear();
    await lease?.end();
  }
}

/** Checks everything that needs no video, for the fields known so far. @param now ms since the epoch */
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

/** Moves the files into the storage and writes the rows; undoes both on any failure. */
async function keep(
  needs: PostNeeds,
  request: PostRequest,
  made: { fields: PostFields; content: Buffer; when: When; lease: Lease | null; video: PreparedVideo },
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
      facts: video.facts,
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

/** Files that cannot be removed now have rows for it: the file-removal loop or the orphan sweep deletes them. */
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
