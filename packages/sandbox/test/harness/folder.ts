import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty temporary folder. */
export async function createFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-sandbox-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs with an empty temporary folder that is removed at the end. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const { folder, remove } = await createFolder();
  try {
    return await use(folder);
  } finally {
    await remove();
  }
}
