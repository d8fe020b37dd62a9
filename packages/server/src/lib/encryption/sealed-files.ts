/**
 * Encrypted files in one folder: a write-ahead copy of values the database does not accept yet. An unusable file is
 * renamed, never deleted, so that a later start with the right key can read it.
 */
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sealer } from './seal.ts';

export interface SealedFilesOptions {
  folder: string;
  sealer: Sealer;
  /** File name extension, including the dot. */
  ending: string;
  /** The purpose the values are sealed for. */
  purpose: string;
}

export interface SealedFile<T> {
  name: string;
  /** undefined: no key opens it. */
  value: T | undefined;
  /** Set aside by an earlier start. */
  aside: boolean;
}

export interface SealedFiles<T> {
  /** Writes atomically; durable when this resolves. @param name without the extension */
  put(name: string, value: T): Promise<void>;
  /** undefined: the file does not exist, or no key opens it. */
  get(name: string): Promise<T | undefined>;
  remove(name: string): Promise<void>;
  /** All files, including those set aside. */
  readAll(): Promise<SealedFile<T>[]>;
  setAside(name: string): Promise<void>;
  /** Number of files set aside. */
  countAside(): Promise<number>;
  /** Seals values of earlier keys with the current key. @returns how many were sealed, and how many no key opens */
  reseal(): Promise<{ renewed: number; lost: number }>;
}

const ASIDE = '.unreadable';

export function createSealedFiles<T>({ folder, sealer, ending, purpose }: SealedFilesOptions): SealedFiles<T> {
  const pathOf = (name: string) => join(folder, `${name}${ending}`);
  const asideOf = (name: string) => `${pathOf(name)}${ASIDE}`;
  const listed = async (suffix: string) => {
    const names = await readdir(folder).catch(() => []);
    return names.filter((each) => each.endsWith(suffix)).map((each) => each.slice(0, -suffix.length));
  };
  const write = async (path: string, sealed: Buffer) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, sealed, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
    await flushFolder(folder);
  };
  const opened = async (path: string): Promise<T | undefined> => {
    try {
      return sealer.open<T>(await readFile(path), purpose);
    } catch {
      return undefined;
    }
  };
  return {
    put: (name, value) => write(pathOf(name), sealer.seal(value, purpose)),
    get: (name) => opened(pathOf(name)),
    async remove(name) {
      await rm(pathOf(name), { force: true });
      await rm(asideOf(name), { force: true });
    },
    async readAll() {
      const read = async (name: string, aside: boolean): Promise<SealedFile<T>> => ({
        name,
        aside,
        value: await opened(aside ? asideOf(name) : pathOf(name)),
      });
      const names = await listed(ending);
      const asideNames = await listed(`${ending}${ASIDE}`);
      return Promise.all([...names.map((name) => read(name, false)), ...asideNames.map((name) => read(name, true))]);
    },
    setAside: (name) => rename(pathOf(name), asideOf(name)),
    countAside: async () => (await listed(`${ending}${ASIDE}`)).length,
    async reseal() {
      const counted = { renewed: 0, lost: 0 };
      for (const suffix of [ending, `${ending}${ASIDE}`])
        for (const name of await listed(suffix)) {
          const path = join(folder, `${name}${suffix}`);
          const sealed = await readFile(path).catch(() => null);
          if (!sealed || sealer.isCurrent(sealed, purpose)) continue;
          const value = await opened(path);
          if (value === undefined) counted.lost++;
          else {
            await write(path, sealer.seal(value, purpose));
            counted.renewed++;
          }
        }
      return counted;
    },
  };
}

/** Makes a rename durable by syncing its folder. Where folders cannot be synced, the system does it. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
