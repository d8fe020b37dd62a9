import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs with a temporary folder that is always deleted at the end. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-bench-'));
  try {
    return await use(folder);
  } finally {
    // A database that was killed with its service may still be writing its last pages.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Always runs the registered cleanup steps, last first. */
export async function withCleanUp<T>(use: (later: (undo: () => Promise<unknown>) => void) => Promise<T>): Promise<T> {
  const undos: (() => Promise<unknown>)[] = [];
  try {
    return await use((undo) => undos.push(undo));
  } finally {
    for (const undo of undos.reverse()) await undo().catch((error) => console.error(error));
  }
}
