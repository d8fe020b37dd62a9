/** A temporary service of several processes: database, API and a worker that can be killed. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type OwnDatabase, startDatabase } from '../../bench/kit/database.ts';
import { basics, freePort, ROOT, type Running, startService } from '../../bench/kit/service.ts';

const run = promisify(execFile);

export interface DemoService {
  url: string;
  database: OwnDatabase;
  startWorker(): Promise<Running>;
  /**
   * Runs `npx reelay …` against this service.
   * @returns its output
   * @throws Error with its error output
   */
  reelay(...words: string[]): Promise<string>;
}

/** @param later registers a cleanup step, in the order in which resources are created */
export async function startDemoService(
  folder: string,
  later: (undo: () => Promise<unknown>) => void,
): Promise<DemoService> {
  const database = await startDatabase(folder);
  later(database.close);
  const port = await freePort();
  const settings = {
    DATABASE_URL: database.url,
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: `http://localhost:${port}`,
  };
  /** Also stopped if it is still starting when the demo ends. */
  const start = (env: Record<string, string>) => {
    const starting = startService(folder, { ...settings, ...env });
    later(() => starting.then(({ stop }) => stop()).catch(() => {}));
    return starting;
  };
  await start({ ROLE: 'api', PORT: String(port) });
  return {
    url: settings.PUBLIC_URL,
    database,
    startWorker: () => start({ ROLE: 'worker' }),
    async reelay(...words) {
      const env = { ...basics(), ...settings, DATA_DIR: join(folder, 'data') };
      const { stdout } = await run(join(ROOT, 'packages/cli/bin/reelay'), words, { cwd: ROOT, env });
      return stdout.trim();
    },
  };
}
