/** A service that only publishes to a simulated TikTok: database, platform, workers, and the rows for them. */
import { randomBytes } from 'node:crypto';
import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { secretsFrom } from '../../packages/server/src/config/secrets.ts';
import { createSealer } from '../../packages/server/src/lib/encryption/seal.ts';
import type { TikTokOptions, TikTokQuestion, TikTokReady, TikTokSeen } from '../programs/tiktok.ts';
import { type OwnDatabase, startDatabase } from './database.ts';
import { type Program, startProgram } from './program.ts';
import { type Account, addMedia, addUsers, connectAccounts, schedule } from './rows.ts';
import { freePort, type Running, startService } from './service.ts';
import { smallVideo } from './video.ts';

export interface Publishing {
  database: OwnDatabase;
  tiktok: Program<TikTokReady, TikTokQuestion, TikTokSeen>;
  /** @param databaseUrl if the worker must not connect to the database directly */
  startWorker(databaseUrl?: string): Promise<Running>;
  /** Connects every account of the platform, distributed over `users` users. */
  connect(users: number): Promise<Account[]>;
  /** Schedules a post on each account. */
  post(accounts: readonly Account[], due: Date): Promise<void>;
}

export async function startPublishing(
  folder: string,
  later: (undo: () => Promise<unknown>) => void,
  options: Omit<TikTokOptions, 'port'>,
): Promise<Publishing> {
  const database = await startDatabase(folder);
  later(database.close);
  const { db } = database;
  const port = await freePort();
  const tiktok = await startProgram<TikTokReady, TikTokQuestion, TikTokSeen>('tiktok.ts', { ...options, port });
  later(tiktok.stop);
  const key = randomBytes(32);
  const files = join(folder, 'files');
  const mediaOf = new Map<string, string>();
  return {
    database,
    tiktok,
    async startWorker(databaseUrl = database.url) {
      const worker = await startService(folder, {
        ROLE: 'worker',
        DATABASE_URL: databaseUrl,
        STORAGE_URL: pathToFileURL(files).href,
        SECRET_KEY: key.toString('base64'),
        // A worker calls the simulators at PUBLIC_URL.
        PUBLIC_URL: `http://127.0.0.1:${port}`,
      });
      later(worker.stop);
      return worker;
    },
    async connect(count) {
      const users = await addUsers(db, count);
      const path = join(folder, 'video.mp4');
      const media = await addMedia(db, users, await smallVideo(path));
      await mkdir(join(files, 'videos'), { recursive: true });
      for (const { storageKey } of media) await link(path, join(files, storageKey));
      for (const [index, user] of users.entries()) mediaOf.set(user, media[index]?.id ?? '');
      return connectAccounts(db, createSealer(secretsFrom(key).sealing), users, tiktok.ready.accounts);
    },
    post: (accounts, due) => schedule(db, accounts, (user) => mediaOf.get(user) ?? '', due),
  };
}
