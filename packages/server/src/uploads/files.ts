import { constants, copyFile, type FileHandle, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of one upload, open for writing. */
export interface UploadFile {
  /** Path from which the hasher reads it. */
  path: string;
  /** Writes all chunks in sequence, starting at a position. */
  write(chunks: Buffer[], position: number): Promise<void>;
  /** Flushes written bytes to disk. */
  sync(): Promise<void>;
  /** Truncates the file to this many bytes. */
  cut(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Storage of unfinished uploads. Small, so that a storage without a file system can implement it too. */
export interface UploadFiles {
  /** Opens or creates a file and truncates it to this many bytes. @throws Error if it has fewer */
  open(name: string, bytes: number): Promise<UploadFile>;
  /**
   * Copies the first bytes of one file to a new file. A writer that still has the old file open cannot change the new
   * one.
   */
  copy(from: string, to: string, bytes: number): Promise<void>;
  /** Links or copies a finished file to another path. Removing one leaves the other unchanged. */
  lend(name: string, path: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Names of files not written to for this many ms. */
  old(olderThanMs: number): Promise<string[]>;
  /** The path for reading. */
  pathOf(name: string): string;
}

/**
 * Upload files in a folder that all processes share, by their storage key.
 * @param folder of the storage
 * @param now ms since the epoch
 */
export function createDiskUploadFiles(folder: string, now: () => number = Date.now): UploadFiles {
  const pathOf = (name: string) => join(folder, name);
  const ownFolder = pathOf('uploads');
  const make = async (path: string, flags: number) => {
    await mkdir(ownFolder, { recursive: true, mode: 0o700 });
    const handle = await open(path, flags | constants.O_CREAT, 0o600);
    try {
      // The directory entries of a new file and of its folder must survive a crash as well.
      for (const each of [ownFolder, folder]) await syncFolder(each);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
  return {
    pathOf,
    async open(name, bytes) {
      const path = pathOf(name);
      const handle = bytes === 0 ? await make(path, constants.O_RDWR) : await open(path, 'r+');
      try {
        const { size } = await handle.stat();
        if (size < bytes) throw new Error('The file of the upload is shorter than recorded.');
        if (size > bytes) await handle.truncate(bytes);
      } catch (error) {
        await handle.close();
        throw error;
      }
      return {
        path,
        async write(chunks, position) {
          const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
          const { bytesWritten } = await handle.writev(chunks, position);
          if (bytesWritten === size) return;
          // The system may write fewer bytes than requested, which is how a full disk first shows.
          const rest = Buffer.concat(chunks).subarray(bytesWritten);
          for (let done = 0; done < rest.length; )
            done += (await handle.write(rest, done, rest.length - done, position + bytesWritten + done)).bytesWritten;
        },
        sync: () => handle.datasync(),
        cut: (length) => handle.truncate(length),
        close: () => handle.close(),
      };
    },
    async copy(from, to, bytes) {
      const target = await make(pathOf(to), constants.O_RDWR | constants.O_TRUNC);
      try {
        if (bytes > 0) await copyBytes(pathOf(from), target, bytes);
        await target.datasync();
      } catch (error) {
        await rm(pathOf(to), { force: true });
        throw error;
      } finally {
        await target.close().catch(() => {});
      }
    },
    async lend(name, path) {
      const linked = await link(pathOf(name), path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') throw error;
          return false;
        },
      );
      // Fallback for other file systems and those without hard links.
      if (!linked) await copyFile(pathOf(name), path, constants.COPYFILE_EXCL);
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async old(olderThanMs) {
      const names = await readdir(ownFolder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const found: string[] = [];
      for (const name of names) {
        const known = await stat(join(ownFolder, name)).catch(() => null);
        if (known?.isFile() && now() - known.mtimeMs >= olderThanMs) found.push(`uploads/${name}`);
      }
      return found;
    },
  };
}

/** @throws Error if the file has fewer bytes */
async function copyBytes(from: string, target: FileHandle, bytes: number): Promise<void> {
  const source = await open(from);
  try {
    const buffer = Buffer.allocUnsafe(1024 * 1024);
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
      if (bytesRead === 0) throw new Error('The file of the upload is shorter than recorded.');
      await target.writeFile(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await source.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
