/** Files that are received in pieces, and assembled from blobs. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Blobs, SimulatorStore } from '../contract.ts';

/** A piece of an uploaded file. */
export interface Chunk {
  blob: string;
  bytes: number;
}

export function totalBytes(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Receives the next piece of an upload. Each attempt writes its own blob, because only one of two concurrent attempts is
 * recorded.
 * @param upload kind and key of the upload's record
 * @param change returns further changes of the record, once the piece is stored; null rejects the piece
 * @returns the current record, and whether the piece was recorded
 */
export async function appendChunk<T extends { chunks: Chunk[] }>(
  { store, blobs }: { store: SimulatorStore; blobs: Blobs },
  [kind, key]: readonly [kind: string, key: string],
  { offset, body }: { offset: number; body: Readable },
  change: (bytes: number) => Partial<T> | null | Promise<Partial<T> | null>,
): Promise<{ record: T | undefined; bytes: number; recorded: boolean }> {
  const blob = `${key}-${offset}-${randomUUID()}`;
  const { bytes } = await blobs.put(blob, body);
  const values = await change(bytes);
  let recorded = false;
  const record = await store.change<T>(kind, key, (current) => {
    recorded = values !== null && current !== undefined && totalBytes(current.chunks) === offset;
    return current && recorded ? { ...current, ...values, chunks: [...current.chunks, { blob, bytes }] } : undefined;
  });
  if (!recorded) await blobs.remove(blob);
  return { record, bytes, recorded };
}
