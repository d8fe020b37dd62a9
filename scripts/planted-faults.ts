/**
 * Plants faults of repost rules in copies of the working tree, one at a time, and runs the model on PostgreSQL there.
 *   node scripts/planted-faults.ts                     all faults, 300 histories each
 *   node scripts/planted-faults.ts --fault NAME        one fault; can be repeated
 *   node scripts/planted-faults.ts --database          several simulated platforms, instead of step by step on one
 *   node scripts/planted-faults.ts --runs N --seed S   number of histories, and the seed (default: 1)
 *   node scripts/planted-faults.ts --list              names the faults
 * Prints for each fault how many histories were needed: not of those that contradict the model without it, too, which it
 * prints to stderr. Exits 1 if a fault is not found.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { applyEdit, FAULTS, OTHER_FAULTS, type SourceEdit } from './planted-faults/faults.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Are not copied. */
const LEFT_OUT = ['.git', 'data', 'node_modules'];

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const { values } = parseArgs({
  options: { fault: { type: 'string', multiple: true }, runs: text, seed: text, list: flag, database: flag },
});
const ALL_FAULTS = { ...FAULTS, ...OTHER_FAULTS };
const names = values.fault ?? Object.keys(ALL_FAULTS);
const kind = values.database ? '--database' : '--steps';
const [runs, seed] = [values.runs ?? '300', values.seed ?? '1'];

if (values.list) console.log(names.join('\n'));
else for (const name of names) await report(name);

async function report(name: string): Promise<void> {
  const edits = ALL_FAULTS[name];
  if (!edits) throw new Error(`Unknown fault "${name}".`);
  const began = Date.now();
  const { needed, finding } = await plant(edits);
  if (needed === null) process.exitCode = 1;
  const result = needed === null ? `not found in ${runs}` : `found by history ${needed}`;
  console.log([name, `seed ${seed}`, result, `${Math.round((Date.now() - began) / 1_000)} s`, finding].join('\t'));
}

/** A contradiction counts if the same history agrees without the fault. */
async function plant(edits: readonly SourceEdit[]): Promise<{ needed: number | null; finding: string }> {
  const copy = await mkdtemp(join(tmpdir(), 'planted-'));
  try {
    await copyTree(copy);
    for (const edit of edits) {
      const path = join(copy, edit.file);
      await writeFile(path, applyEdit(await readFile(path, 'utf8'), edit));
    }
    let count = 0;
    for (let round = 0; count < Number(runs); round++) {
      const left = ['--runs', String(Number(runs) - count), '--seed', String(Number(seed) + round)];
      const failure = runModel(copy, left);
      if (!failure) break;
      count += failure.count;
      const other = runModel(ROOT, ['--replay', failure.replay]);
      if (!other) return { needed: count, finding: failure.finding };
      console.error(`Contradicts without the fault, too: ${other.finding}\n  ${other.replay}`);
    }
    return { needed: null, finding: '' };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** @returns the first contradiction; null if nothing contradicts */
function runModel(cwd: string, options: string[]): { count: number; finding: string; replay: string } | null {
  const args = ['scripts/model.mjs', kind, '--attempts', '0', ...options];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const output = stripVTControlCharacters(`${stdout}\n${stderr}`);
  if (/\b0 failed/.test(output)) return null;
  const [, count = '1', finding = ''] = /^\W*\+ After (\d+) histories: ([^\n]*)/m.exec(output) ?? [];
  const [, replay] = /--replay '([^']*)'/.exec(output) ?? [];
  if (replay === undefined) throw new Error(`The model did not run:\n${output}`);
  return { count: Number(count), finding, replay };
}

/** Copies the sources. Installed packages are linked. */
async function copyTree(copy: string): Promise<void> {
  const links: string[] = [];
  const filter = (path: string) => {
    const name = relative(ROOT, path);
    if (name.split('/').at(-1) === 'node_modules') links.push(name);
    return !LEFT_OUT.includes(name.split('/').at(-1) ?? '');
  };
  await cp(ROOT, copy, { recursive: true, filter });
  for (const link of links) await symlink(join(ROOT, link), join(copy, link));
}
