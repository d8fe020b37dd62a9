/**
 * Runs the cases that `npm test` draws from: a slice of them, and all cases of platforms that changed.
 *   npm run campaign                 the slice of the next landing, by .ci/landed.json
 *   npm run campaign -- --full       all cases
 *   npm run campaign -- --slice 3/8  one slice
 *   npm run campaign -- --plan       prints what would run
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
  files: readonly string[];
  env: Record<string, string>;
}

const draws = createImportSearch();
const drawing = testFiles().filter((file) => draws(file, DRAW_HARNESS));

/** The files that draw cases for one platform. */
const isOf = (file: string, platform: string) =>
  /\/conformance\/(?:connectors|killed)\.test\.ts$/.test(file) || file.includes(`/connectors/${platform}-`);

/** The runs of Vitest that a plan needs. */
function runsOf({ slices, platforms }: CampaignPlan): Run[] {
  const full = { REELAY_TEST_FULL: '1' };
  if (!slices) return [{ files: drawing, env: full }];
  const files = drawing.filter((file) => platforms.some((platform) => isOf(file, platform)));
  const whole = { files, env: { ...full, REELAY_TEST_PLATFORMS: platforms.join(',') } };
  const slice = { files: drawing, env: { REELAY_TEST_SLICE: `${slices.join(',')}/${SLICES}` } };
  return platforms.length > 0 ? [whole, slice] : [slice];
}

function textOf({ slices, platforms }: CampaignPlan): string {
  const which = slices ? `Cases of slice ${slices.join(' and ')} of ${SLICES}` : 'All cases';
  return platforms.length > 0 ? `${which}, and all of ${platforms.join(', ')}` : which;
}

function planOfLanding(): CampaignPlan {
  const { commit, slice } = readLanded(ROOT);
  return planCampaign(slice, changedSince(ROOT, commit), platformFolders());
}

const flag = { type: 'boolean' } as const;
const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  options: { full: flag, plan: flag, next: flag, compare: flag, slice: text, cases: text },
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
console.log(textOf(plan));
if (!values.plan) {
  const sum: Count = { passed: 0, failed: 0, skipped: 0 };
  for (const { files, env } of runsOf(plan)) {
    const list = values.cases ? { REELAY_TEST_CASES: resolve(values.cases) } : {};
    const count = await countVitest(ROOT, files, { ...process.env, ...env, ...list });
    for (const name of ['passed', 'failed', 'skipped'] as const) sum[name] += count[name] ?? 0;
  }
  end(sum);
}
