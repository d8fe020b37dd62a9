/**
 * Runs the cases that `npm test` draws from: a slice of them, and all cases of platforms that changed.
 *   npm run campaign                 the slice of the next landing, by .ci/landed.json
 *   npm run campaign -- --full       all cases
 *   npm run campaign -- --slice 3/8  one slice
 *   npm run campaign -- --plan       prints what would run
 *   npm run campaign -- --within N   after the first slice, starts nothing more once N seconds have passed
 *   npm run campaign -- --full --cases FILE    also appends the name of each case to a file
 *   npm run campaign -- --compare FULL SLICES  compares two such files: what the slices lack
 *   npm run ci:next                  advances .ci/landed.json; belongs in the last commit before a landing
 * The last line is always "N passed, N failed" (", N skipped").
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { platformFolders } from '../packages/server/test/harness/platforms.ts';
import { createImportSearch, DRAW_HARNESS, testFiles } from '../packages/server/test/harness/test-files.ts';
import { differences } from './campaign/cases.ts';
import { advance, changedSince, readLanded } from './campaign/landed.ts';
import { type CampaignPlan, planCampaign, SLICES } from './campaign/plan.ts';
import type { Count } from './reporter.ts';
import { countVitest, end } from './run-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// The campaign runs on the embedded database.
delete process.env.TEST_DATABASE_URL;

interface Run {
  name: string;
  files: readonly string[];
  env: Record<string, string>;
}

const draws = createImportSearch();
const drawing = testFiles().filter((file) => draws(file, DRAW_HARNESS));

/** The files that draw cases for one platform. */
const isOf = (file: string, platform: string) =>
  /\/conformance\/(?:connectors|killed)\.test\.ts$/.test(file) || file.includes(`/connectors/${platform}-`);

/** The runs of Vitest that a plan needs. The first one is never left out. */
function runsOf({ slices, platforms }: CampaignPlan): Run[] {
  const full = { REELAY_TEST_FULL: '1' };
  if (!slices) return [{ name: 'all cases', files: drawing, env: full }];
  return [
    ...slices.map((slice) => ({
      name: `slice ${slice} of ${SLICES}`,
      files: drawing,
      env: { REELAY_TEST_SLICE: `${slice}/${SLICES}` },
    })),
    ...platforms.map((platform) => ({
      name: `all cases of ${platform}`,
      files: drawing.filter((file) => isOf(file, platform)),
      env: { ...full, REELAY_TEST_PLATFORMS: platform },
    })),
  ];
}

function planOfLanding(): CampaignPlan {
  const { commit, slice } = readLanded(ROOT);
  return planCampaign(slice, changedSince(ROOT, commit), platformFolders());
}

const flag = { type: 'boolean' } as const;
const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  options: { full: flag, plan: flag, next: flag, compare: flag, slice: text, cases: text, within: text },
  allowPositionals: true,
});
if (values.next) {
  const { commit, slice } = advance(ROOT);
  console.log(
    `Next: slice ${slice} of ${SLICES}, and all cases of platforms that changed since ${commit.slice(0, 8)}.`,
  );
  process.exit(0);
}
if (values.compare) {
  const [full = '', slices = ''] = await Promise.all(positionals.map((path) => readFile(path, 'utf8')));
  const { cases, missing, more } = differences(full, slices);
  for (const name of missing) console.log(`missing: ${name}`);
  for (const name of more) console.log(`only in the slices: ${name}`);
  console.log(`${cases} cases; the slices lack ${missing.length} and have ${more.length} more.`);
  process.exit(missing.length === 0 && cases > 0 ? 0 : 1);
}
const chosen = values.slice ? [Number.parseInt(values.slice, 10)] : null;
const plan = values.full || chosen ? { slices: chosen, platforms: [] } : planOfLanding();
const runs = runsOf(plan);
console.log(`To run: ${runs.map(({ name }) => name).join(', ')}`);
if (!values.plan) {
  const sum: Count = { passed: 0, failed: 0, skipped: 0 };
  const withinMs = Number(values.within ?? Number.POSITIVE_INFINITY) * 1_000;
  for (const [at, { name, files, env }] of runs.entries()) {
    if (at > 0 && performance.now() > withinMs) {
      console.log(`Not run, because the time for further cases has passed: ${name}`);
      sum.skipped += 1;
      continue;
    }
    console.log(`-- ${name}`);
    const list = values.cases ? { REELAY_TEST_CASES: resolve(values.cases) } : {};
    const count = await countVitest(ROOT, files, { ...process.env, ...env, ...list });
    for (const name of ['passed', 'failed', 'skipped'] as const) sum[name] += count[name] ?? 0;
  }
  end(sum);
}
