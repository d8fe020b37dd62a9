/** Storage quota of all simulators together: their data is never swept. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The simulators' quota is used up. */
export class SandboxFull extends Error {
  constructor() {
    super('The sandbox is full.');
    this.name = 'SandboxFull';
  }
}

export interface Quota {
  /** @throws SandboxFull */
  assertRoom(): Promise<void>;
  /** Counts bytes being written. @throws SandboxFull as soon as they exceed the quota */
  add(bytes: number): void;
}

/** In bytes. */
export const SANDBOX_BYTES = 10 * 1024 ** 3;
/** Usage is measured again, because other processes write too and files are removed by hand. */
const MEASURE_EVERY_MS = 300_000;
const MEASURE_FULL_EVERY_MS = 10_000;

/**
 * @param deps.measure bytes currently stored
 * @param deps.free free bytes of the disk; null: unknown
 * @param deps.now in ms
 */
export function createQuota(deps: {
  maxBytes: number;
  leastFreeBytes: number;
  measure: () => Promise<number>;
  free: () => Promise<number | null>;
  now: () => number;
}): Quota {
  let bytes = 0;
  let measuring: Promise<void> | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;
  const measure = async () => {
    const [kept, free] = await Promise.all([deps.measure(), deps.free()]);
    // A full disk counts as a used-up quota.
    const room = free === null ? deps.maxBytes : free - deps.leastFreeBytes;
    bytes = Math.max(kept, deps.maxBytes - room);
    nextAt = deps.now() + (bytes < deps.maxBytes ? MEASURE_EVERY_MS : MEASURE_FULL_EVERY_MS);
  };
  const refuse = () => {
    if (bytes >= deps.maxBytes) throw new SandboxFull();
  };
  return {
    async assertRoom() {
      if (deps.now() >= nextAt) {
        measuring ??= measure().finally(() => {
          measuring = null;
        });
        await measuring;
      }
      refuse();
    },
    add(more) {
      bytes += more;
      refuse();
    },
  };
}

/** Total bytes of all files below a folder; 0 if it does not exist. */
export async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  let sum = 0;
  for (const entry of entries)
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  return sum;
}
