/**
 * One piece of an upload, from the first byte of its request to the answer. What was taken stays, however the request
 * ends, unless the piece came with a hash of its own: then all of it counts or nothing. Bytes count as there once they
 * are on disk; the very last only together with the hash of the whole, so that an upload with all its bytes is finished.
 */
import { createHash } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { storageError } from '../media/disk.ts';
import { openRoom } from '../posts/room.ts';
import type { UploadFile } from './files.ts';
import type { Checksum } from './headers.ts';
import { type Keeper, keepLease, ownFile, takeOver } from './lease.ts';
import { createPieceWriter, type PieceWriter } from './piece-writer.ts';
import { removeUpload } from './remove.ts';
import { endLease, findUpload, finishUpload, noteDurable } from './store.ts';
import type { Claim, Every, Hasher, Taker, UploadNeeds } from './types.ts';

export interface Piece {
  userId: string;
  uploadId: string;
  /** Where the client goes on, in bytes. */
  offset: number;
  /** Bytes of the body, where they are announced. */
  length: number | null;
  checksum: Checksum | null;
  /** Brings the body to the taker; resolves at its end. */
  pour(taker: Taker): Promise<void>;
  /** Asked before the upload is finished. @throws ReelayError `unauthorized` */
  assertStillAuthorized(tx: Queryable): Promise<void>;
  every: Every;
}

export interface Standing {
  /** So many bytes are there for certain. */
  offset: number;
  expiresAt: Date;
}

/**
 * @throws ReelayError `unknown_upload`, `upload_locked`, `wrong_offset`, `video_too_large`, `checksum_mismatch`,
 *   `storage_full`, `storage_unavailable`, `unauthorized`, and what `pour` throws
 */
export async function receivePiece(needs: UploadNeeds, piece: Piece): Promise<Standing> {
  const claim = await takeOver(needs, piece);
  if (!claim) return receiveNothing(needs, piece);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  let nudge = () => {};
  const end = (why: unknown) => {
    keeper.ended();
    failure.reject(why);
  };
  const keeper = keepLease(needs, claim, { every: piece.every, onTick: () => nudge(), end });
  const leave = needs.uploadWriters.add(claim.id, end);
  try {
    assertFits(claim, piece);
    const opened = await openPiece(needs, claim, piece, end);
    nudge = opened.writer.nudge;
    return await receiveInto(needs, claim, piece, { ...opened, failure: failure.promise, keeper });
  } finally {
    leave();
    keeper.stop();
    // Where that does not succeed the lease runs out, and the next writer finds that we vanished.
    await endLease(needs.db, claim).catch(() => {});
  }
}

/** What comes to a finished upload can only be nothing. */
async function receiveNothing(needs: UploadNeeds, piece: Piece): Promise<Standing> {
  const found = await findUpload(needs.db, piece.userId, piece.uploadId);
  if (!found) throw new ReelayError('unknown_upload');
  assertFits(found, piece);
  await piece.pour({
    take: () => {
      throw tooLong(found.bytes);
    },
    whenRoom: () => {},
    failure: new Promise(() => {}),
  });
  return { offset: found.durable, expiresAt: found.expiresAt };
}

function assertFits({ bytes, durable }: Pick<Claim, 'bytes' | 'durable'>, { offset, length }: Piece): void {
  if (offset !== durable)
    throw new ReelayError('wrong_offset', `The upload stands at byte ${durable}, not at ${offset}.`);
  if (length !== null && offset + length > bytes) throw tooLong(bytes);
}

function tooLong(bytes: number): ReelayError {
  return new ReelayError('video_too_large', `The upload was announced with ${bytes.toLocaleString('en')} bytes.`);
}

interface Opened {
  file: UploadFile;
  writer: PieceWriter;
  /** Of the whole, where this request brings the whole. */
  hasher: Hasher | null;
  /** Whether the piece is what its checksum says. */
  matches(): boolean;
  taker: Omit<Taker, 'failure'>;
  /** Notes what is on disk for certain. @throws ReelayError where the lease was lost */
  note(durable: number): Promise<Date>;
  /** The most that may have been noted: an answer of the database can be lost. */
  noted: { most: number };
}

async function openPiece(
  needs: UploadNeeds,
  claim: Claim,
  { length, checksum }: Piece,
  end: (why: unknown) => void,
): Promise<Opened> {
  const room = await openRoom(needs.storage, needs.config.leastFreeBytes);
  const open = async () => needs.uploadFiles.open(await ownFile(needs, claim), claim.durable);
  const file = await open().catch((cause) => {
    throw storageError(cause);
  });
  const whole = claim.durable === 0 && length === claim.bytes;
  const hasher = whole ? needs.uploads.hasher(file.path, claim.bytes) : null;
  const ofPiece = checksum ? createHash(checksum.algorithm) : null;
  const noted = { most: claim.durable };
  let resume = () => {};
  const note = async (durable: number) => {
    noted.most = durable;
    return (await noteDurable(needs.db, claim, durable)) ?? (await lost(needs, claim));
  };
  const writer = createPieceWriter({
    file,
    from: claim.durable,
    note: checksum
      ? undefined
      : async (durable) => {
          if (durable < claim.bytes) await note(durable);
        },
    onWritten: (bytes) => hasher?.written(bytes),
    onRoom: () => resume(),
    onError: (cause) => end(storageError(cause)),
  });
  return {
    file,
    writer,
    hasher,
    matches: () => !ofPiece || checksum?.digest.equals(ofPiece.digest()) === true,
    taker: {
      take(chunk) {
        if (writer.end() + chunk.length > claim.bytes) throw tooLong(claim.bytes);
        room.take(chunk.length);
        needs.uploads.used(chunk.length);
        hasher?.update(chunk);
        ofPiece?.update(chunk);
        return writer.write(chunk);
      },
      whenRoom: (then) => {
        resume = then;
      },
    },
    note,
    noted,
  };
}

async function receiveInto(
  needs: UploadNeeds,
  claim: Claim,
  piece: Piece,
  opened: Opened & { failure: Promise<never>; keeper: Keeper },
): Promise<Standing> {
  const { file, writer, hasher, keeper, note, noted } = opened;
  const settle = () =>
    writer.settle().catch((cause) => {
      throw storageError(cause);
    });
  try {
    const broken = await piece.pour({ ...opened.taker, failure: opened.failure }).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const complete = writer.end() === claim.bytes;
    const tooMuch = broken?.error instanceof ReelayError && broken.error.code === 'video_too_large';
    if (broken && (tooMuch || piece.checksum || !complete)) {
      // What came before it broke off is worth keeping, as far as that succeeds.
      if (!tooMuch && !piece.checksum && writer.end() > claim.durable)
        await settle()
          .then(() => note(writer.end()))
          .catch(() => {});
      throw broken.error;
    }
    if (complete) keeper.finishing();
    await settle();
    if (!opened.matches()) throw new ReelayError('checksum_mismatch', 'The piece is not what its checksum says.');
    if (!complete) return { offset: writer.end(), expiresAt: await note(writer.end()) };
    noted.most = claim.bytes;
    return { offset: claim.bytes, expiresAt: await finish(needs, claim, piece, { path: file.path, hasher }) };
  } finally {
    hasher?.stop();
    await writer.stop();
    // What counts for nothing takes no room either.
    if (writer.end() > noted.most) await file.cut(noted.most).catch(() => {});
    await file.close().catch(() => {});
  }
}

/** @returns when it expires */
async function finish(
  needs: UploadNeeds,
  claim: Claim,
  { assertStillAuthorized }: Piece,
  { path, hasher }: { path: string; hasher: Hasher | null },
): Promise<Date> {
  const sha256 = await (hasher ? hasher.digest() : hashAgain(needs, claim, path)).catch((cause) => {
    throw storageError(cause);
  });
  if (claim.announcedSha256 !== null && claim.announcedSha256 !== sha256) {
    await removeUpload(needs, claim);
    throw new ReelayError('checksum_mismatch', 'The whole is not what its sha256 says; the upload was removed.');
  }
  return needs.db.transaction(async (tx) => {
    await assertStillAuthorized(tx);
    return (await finishUpload(tx, claim, sha256)) ?? (await lost(needs, claim));
  });
}

/** Of a file that came in several pieces; in the thread that hashes, however small it is. */
function hashAgain({ uploads }: UploadNeeds, { bytes }: Claim, path: string): Promise<string> {
  const hasher = uploads.hasher(path, Number.POSITIVE_INFINITY);
  hasher.written(bytes);
  return hasher.digest();
}

/** The lease is another's, or there is no upload any more. */
async function lost({ db }: UploadNeeds, { userId, id }: Claim): Promise<never> {
  throw new ReelayError((await findUpload(db, userId, id)) ? 'upload_locked' : 'unknown_upload');
}
