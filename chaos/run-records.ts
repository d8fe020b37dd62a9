/** Keeps what is needed to find the cause of a failed run, in a folder that git ignores. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ROOT } from '../bench/kit/service.ts';
import type { Case } from './cases.ts';
import type { Platform } from './platforms.ts';

export interface RunRecords {
  options: object;
  /** Every check with all its problems. */
  checks: readonly (readonly [string, readonly string[]])[];
  cases: readonly Case[];
  /** What explains findings about posts from phones. */
  phoneCases: readonly object[];
  platforms: readonly Pick<Platform, 'name' | 'requests'>[];
  /** Removed from everything that is written. */
  secrets: ReadonlySet<string>;
}

/** Copies the logs of the processes into the emptied folder. @returns its path */
export async function keepLogs(logs: readonly string[]): Promise<string> {
  const folder = join(ROOT, '.cache', 'chaos');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const path of logs) await copyFile(path, join(folder, basename(path)));
  return folder;
}

/**
 * Writes the problems with their rows and posts (`findings.json`), and all requests to each platform
 * (`requests-NAME.jsonl`).
 */
export async function writeRecords(folder: string, records: RunRecords): Promise<void> {
  const { options, checks, cases, phoneCases, platforms, secrets } = records;
  const write = (name: string, text: string) =>
    writeFile(
      join(folder, name),
      [...secrets].reduce((left, secret) => left.replaceAll(secret, '[secret]'), text),
    );
  await write(
    'findings.json',
    JSON.stringify({ options, problems: Object.fromEntries(checks), cases, phoneCases }, null, 2),
  );
  for (const { name, requests } of platforms)
    await write(`requests-${name}.jsonl`, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
}
