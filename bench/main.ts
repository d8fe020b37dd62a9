/**
 * npm run bench -- [--quick] [NAME ...]: measures the service and compares each result with its goal. Everything runs
 * on loopback and in temporary folders. Nothing else should run on the machine meanwhile.
 * npm run bench -- against COMMIT[,COMMIT] [--rounds N] [NAME ...]: measures these commits and the working tree in turn,
 * and prints ratios to the first commit. Without NAME: start, memory at rest, and uploads.
 */
import { parseArgs } from 'node:util';
import { type Finding, say, table } from './kit/figures.ts';

type Measure = (options: { quick: boolean }) => Promise<Finding[]>;

/** Loaded on demand, in this order. */
const MEASURES: Record<string, () => Promise<Measure>> = {
  receiving: async () => (await import('./measures/upload.ts')).receiving,
  resumable: async () => (await import('./measures/tus.ts')).resumable,
  memory: async () => (await import('./measures/memory.ts')).memory,
  master: async () => (await import('./measures/master.ts')).master,
  beside: async () => (await import('./measures/beside.ts')).beside,
  accept: async () => (await import('./measures/accept.ts')).accept,
  history: async () => (await import('./measures/history.ts')).history,
  rest: async () => (await import('./measures/rest.ts')).rest,
  recovery: async () => (await import('./measures/recovery.ts')).recovery,
  due: async () => (await import('./measures/due.ts')).due,
  graph: async () => (await import('./measures/graph.ts')).graph,
  sweeps: async () => (await import('./measures/sweeps.ts')).sweeps,
  reposts: async () => (await import('./measures/reposts.ts')).reposts,
  watching: async () => (await import('./measures/watching.ts')).watching,
  dashboard: async () => (await import('./measures/dashboard.ts')).dashboard,
  lighthouse: async () => (await import('./measures/lighthouse.ts')).lighthouse,
  worst: async () => (await import('./measures/worst.ts')).worst,
  transcode: async () => (await import('./measures/transcode.ts')).transcode,
};

const options = { quick: { type: 'boolean' }, rounds: { type: 'string' } } as const;
const { values, positionals: words } = parseArgs({ options, allowPositionals: true });
const [commits, positionals] = words[0] === 'against' ? [words[1]?.split(','), words.slice(2)] : [undefined, words];
const unknown = positionals.filter((name) => !Object.hasOwn(MEASURES, name));
if (unknown.length > 0) {
  console.error(`There is no measure ${unknown.join(', ')}. There are: ${Object.keys(MEASURES).join(', ')}.`);
  process.exit(1);
}

if (commits) {
  const { against } = await import('./against.ts');
  await against(commits, { names: positionals, rounds: Number(values.rounds ?? 9) });
  process.exit(0);
}

const findings: Finding[] = [];
const chosen = positionals.length > 0 ? positionals : Object.keys(MEASURES);
for (const name of chosen) {
  say(`== ${name}`);
  const began = performance.now();
  const measure = await MEASURES[name]?.();
  const found = (await measure?.({ quick: values.quick === true })) ?? [];
  for (const { what, figure, goal } of found) console.log(`   ${what}: ${figure}${goal ? ` (goal: ${goal})` : ''}`);
  findings.push(...found);
  say(`== ${name} took ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
console.log(`\n${table(findings)}`);
