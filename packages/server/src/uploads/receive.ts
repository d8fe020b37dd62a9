/**
 * Receives one piece of an upload. Received bytes are kept however the request ends. A piece with its own checksum
 * counts completely or not at all. Bytes count once they are on disk. The last byte counts only together with the hash
 * of the whole, so that an upload with all its bytes is finished.
 */
import { createHash } from 'node:crypto';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { assertStillAuthorized, type Credential } from '../keys/credential.ts';
import { openDiskSpaceGuard } from '../storage/disk-space.ts';
import { storageError } from '../storage/storage-error.ts';
import type { UploadFile } from './files.ts';
import type { Checksum } from './headers.ts';
import { type Keeper, ownFile, startRenewal, takeOver } from './lease.ts';
import { createPieceWriter, type PieceWriter } from './piece-writer.ts';
import { removeUpload } from './remove.ts';
import type { Claim, Every, Hasher, Taker, UploadDeps } from './types.ts';
import { endLease, findUpload, finishUpload, recordDurable } from './upload-store.ts';

export interface Piece {
  userId: string;
  uploadId: string;
  /** Offset at which the client continues, in bytes. */
  offset: number;
  /** Content length in bytes, if announced. */
  length: number | null;
  checksum: Checksum | null;
  /** Passes the body to the taker; resolves at its end. */
  pour(taker: Taker): Promise<void>;
  /** Verified again before the upload is finished. */
  credential: Credential;
  every: Every;
}

export interface Standing {
  /** Number of durable bytes. */
  offset: number;
  expiresAt: Date;
}

/**
 * Receives one piece.
 * @throws ReelayError `unknown_upload`, `upload_used`, `upload_locked`, `wrong_offset`, `video_too_large`,
 * `checksum_mismatch`, `storage_full`, `storage_unavailable`, `unauthorized`, and what `pour` throws
 */
export async function receivePiece(deps: UploadDeps, piece: Piece): Promise<Standing> {
  const claim = await takeOver(deps, piece);
  if (!claim) return receiveNothing(deps, piece);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  let nudge = () => {};
  const end = (why: unknown) => {
    keeper.ended();
    failure.reject(why);
  };
  const keeper = startRenewal(deps, claim, { every: piece.every, onTick: () => nudge(), end });
  const leave = deps.uploadWriters.add(claim.id, end);
  try {
    assertFits(claim, piece);
    const opened = await openPiece(deps, claim, piece, end);
    nudge = opened.writer.nudge;
    return await receiveInto(deps, claim, piece, { ...opened, failure: failure.promise, keeper });
  } finally {
    leave();
    keeper.stop();
    // If this fails, the lease expires and the next writer treats this one as vanished.
    await endLease(deps.db, claim).catch(() => {});
  }
}

/** A PATCH to a completed upload must have an empty body. */
async function receiveNothing(deps: UploadDeps, piece: Piece): Promise<Standing> {
  const found = await findUpload(deps.db, piece.userId, piece.uploadId);
  if (!found) throw new ReelayError('unknown_upload');
  if (found.postId !== null) throw new ReelayError('upload_used');
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
  if (offset !== durable) throw apiError('wrong_offset_at', { offset: String(offset), current: String(durable) });
  if (length !== null && offset + length > bytes) throw tooLong(bytes);
}

function tooLong(bytes: number): ReelayError {
  return apiError('upload_exceeded', { limit: bytes });
}

interface Opened {
  file: UploadFile;
  writer: PieceWriter;
  /** Hash of the whole file, if this request carries the whole file. */
  hasher: Hasher | null;
  /** Returns whether the piece matches its checksum. */
  matches(): boolean;
  taker: Omit<Taker, 'failure'>;
  /** Records the number of durable bytes. @throws ReelayError if the lease was lost */
  note(durable: number): Promise<Date>;
  /** The highest offset that may have been recorded. The database's response can be lost. */
  noted: { most: number };
}

async function openPiece(
  deps: UploadDeps,
  claim: Claim,
  { length, checksum }: Piece,
  end: (why: unknown) => void,
): Promise<Opened> {
  const space = await openDiskSpaceGuard(deps.storage, deps.config.leastFreeBytes);
  const open = async () => deps.uploadFiles.open(await ownFile(deps, claim), claim.durable);
  const file = await open().catch((cause) => {
    throw storageError(cause);
  });
  const whole = claim.durable === 0 && length === claim.bytes;
  const hasher = whole ? deps.uploads.hasher(file.path, claim.bytes) : null;
  const ofPiece = checksum ? createHash(checksum.algorithm) : null;
  const noted = { most: claim.durable };
  let resume = () => {};
  const note = async (durable: number) => {
    noted.most = durable;
    return (await recordDurable(deps.db, claim, durable)) ?? (await lost(deps, claim));
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
        space.take(chunk.length);
        deps.uploads.used(chunk.length);
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
  deps: UploadDeps,
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
      // Keep the bytes received before the body broke off, as far as possible.
      if (!tooMuch && !piece.checksum && writer.end() > claim.durable)
        await settle()
          .then(() => note(writer.end()))
          .catch(() => {});
      throw broken.error;
    }
    if (complete) keeper.finishing();
    await settle();
    if (!opened.matches()) throw apiError('piece_checksum_mismatch');
    if (!complete) return { offset: writer.end(), expiresAt: await note(writer.end()) };
    noted.most = claim.bytes;
    return { offset: claim.bytes, expiresAt: await finish(deps, claim, piece, { path: file.path, hasher }) };
  } finally {
    hasher?.stop();
    await writer.stop();
    // Bytes that do not count must not take space either.
    if (writer.end() > noted.most) await file.cut(noted.most).catch(() => {});
    await file.close().catch(() => {});
  }
}

/** @returns the expiry time */
async function finish(
  deps: UploadDeps,
  claim: Claim,
  { credential }: Piece,
  { path, hasher }: { path: string; hasher: Hasher | null },
): Promise<Date> {
  const sha256 = await (hasher ? hasher.digest() : hashAgain(deps, claim, path)).catch((cause) => {
    throw storageError(cause);
  });
  if (claim.announcedSha256 !== null && claim.announcedSha256 !== sha256) {
    await removeUpload(deps, claim);
    throw apiError('file_checksum_mismatch');
  }
  return deps.db.transaction(async (tx) => {
    await assertStillAuthorized(tx, credential);
    return (await finishUpload(tx, claim, sha256)) ?? (await lost(deps, claim));
  });
}

/** Hashes a file that arrived in several pieces. Runs in the hashing thread, even for small files. */
function hashAgain({ uploads }: UploadDeps, { bytes }: Claim, path: string): Promise<string> {
  const hasher = uploads.hasher(path, Number.POSITIVE_INFINITY);
  hasher.written(bytes);
  return hasher.digest();
}

/** Throws the error for a lost lease or a deleted upload. */
async function lost({ db }: UploadDeps, { userId, id }: Claim): Promise<never> {
  throw new ReelayError((await findUpload(db, userId, id)) ? 'upload_locked' : 'unknown_upload');
}
