/** Pages whose size in bytes is bounded, not only their number of entries. */

/** Entries per statement. */
const BATCH = 10;
/** A page ends with the batch in which its JSON reaches this many UTF-16 units. Larger ones block the process. */
const MAX_SIZE = 500_000;

/**
 * Reads the entries of a page in batches until they are enough.
 * @param keys of the page @param read entries of some keys; those deleted meanwhile may be missing
 * @returns the entries, and how many keys they are of: at least one if there is any
 */
export async function readPageOf<Key, Entry>(
  keys: readonly Key[],
  read: (batch: readonly Key[]) => Promise<readonly Entry[]>,
): Promise<{ entries: Entry[]; keys: number }> {
  const entries: Entry[] = [];
  let size = 0;
  let at = 0;
  for (; at < keys.length && size < MAX_SIZE; at += BATCH) {
    const batch = await read(keys.slice(at, at + BATCH));
    entries.push(...batch);
    size += JSON.stringify(batch).length;
  }
  return { entries, keys: Math.min(at, keys.length) };
}
