/**
 * Compares generated histories of posts, rules and crashes with the reference model of reposting.
 *   npm run model -- --runs N --seed S      histories on pure functions (default: 10,000, and a random seed)
 *   npm run model -- --steps --runs N       the same on PostgreSQL and a simulated platform, step by step (default: 50)
 *   npm run model -- --database --runs N    histories on PostgreSQL and several simulated platforms (default: 50)
 *   npm run model -- [--steps | --database] --replay 'JSON'    one history, as a failure prints it
 * With --database, --survey SECONDS does not stop at the first contradiction, but lists all kinds; --parts N sets the
 * maximum size of a history, and --attempts N how often a failing one is run again to make it shorter.
 * The last line is always "N passed, N failed", which counts campaigns.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const kinds = { pure: flag, steps: flag, database: flag };
const { values } = parseArgs({
  options: { runs: text, seed: text, replay: text, survey: text, attempts: text, parts: text, ...kinds },
});
const kind = values.database ? 'reference' : values.steps ? 'database' : 'pure';
const replay = values.replay && JSON.parse(values.replay);
const runs = replay ? 1 : Number(values.runs ?? (kind === 'pure' ? 10_000 : 50));
const seed = Number(values.seed ?? Date.now() % 100_000);
const given = { attempts: values.attempts, parts: values.parts, survey: values.survey };
const numbers = Object.fromEntries(
  Object.entries(given).flatMap(([name, value]) => (value ? [[name, Number(value)]] : [])),
);
if (![runs, seed, ...Object.values(numbers)].every(Number.isSafeInteger))
  throw new Error('--runs, --seed and other numbers must be whole.');

console.log(replay ? `One ${kind} history` : `${runs} ${kind} histories, seed ${seed}`);
const test = fileURLToPath(new URL('test.mjs', import.meta.url));
const onServer = process.env.TEST_DATABASE_URL && kind !== 'pure' ? ['--on-server'] : [];
const file = `packages/server/test/model/${kind === 'reference' ? 'reference-' : ''}histories.test.ts`;
const child = spawn(process.execPath, [test, '--no-types', ...onServer, file], {
  stdio: 'inherit',
  env: { ...process.env, REELAY_MODEL: JSON.stringify({ kind, runs, seed, replay, ...numbers }) },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (status) => process.exit(status ?? 1));
