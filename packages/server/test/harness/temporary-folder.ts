import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/**
 * A folder in memory if that has enough room, else the system's temporary folder. Tests create and delete files by the
 * thousand, among them whole databases; ext4 spends most of that time searching for inodes that were not freed recently.
 * @param bytes room that must be free
 */
export function temporaryFolder(bytes: number): string {
  return freeBytes(MEMORY) >= bytes && runsPrograms(MEMORY) ? MEMORY : tmpdir();
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Containers often mount it with `noexec`, and tests write programs. */
function runsPrograms(folder: string): boolean {
  try {
    const probe = mkdtempSync(join(folder, 'reelay-probe-'));
    try {
      const program = join(probe, 'program');
      writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
      return spawnSync(program).status === 0;
    } finally {
      rmSync(probe, { recursive: true });
    }
  } catch {
    return false;
  }
}
