/**
 * Compares generated histories of posts, rules and crashes with the reference model of reposting.
 *   npm run model -- --runs N --seed S      histories on pure functions (default: 10,000, and a random seed)
 *   npm run model -- --database --runs N    histories on PostgreSQL and a simulated platform (default: 50)
 *   npm run model -- [--database] --replay 'JSON'    one history, as a failure prints it
 *   --attempts N    maximum number of runs that make a failing history shorter (default: 1,000 or 40)
 * The last line is always "N passed, N failed", which counts campaigns.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values } = parseArgs({
  options: { runs: text, seed: text, replay: text, attempts: text, database: { type: 'boolean' } },
});
const kind = values.database ? 'database' : 'pure';
const replay = values.replay && JSON.parse(values.replay);
const runs = replay ? 1 : Number(values.runs ?? (values.database ? 50 : 10_000));
const seed = Number(values.seed ?? Date.now() % 100_000);
const attempts = values.attempts && { attempts: Number(values.attempts) };
if (![runs, seed].every(Number.isSafeInteger)) throw new Error('--runs and --seed must be whole numbers.');

console.log(replay ? `One ${kind} history` : `${runs} ${kind} histories, seed ${seed}`);
const test = fileURLToPath(new URL('test.mjs', import.meta.url));
const onServer = process.env.TEST_DATABASE_URL && values.database ? ['--on-server'] : [];
const child = spawn(process.execPath, [test, ...onServer, 'packages/server/test/model/histories.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, REELAY_MODEL: JSON.stringify({ kind, runs, seed, ...attempts, ...(replay && { replay }) }) },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (status) => process.exit(status ?? 1));
