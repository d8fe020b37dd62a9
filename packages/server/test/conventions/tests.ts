/** Rules for tests. */
import { DATABASE_HARNESS, DRAW_HARNESS } from '../harness/test-files.ts';
import type { SourceFile } from './tree.ts';

type Find = (files: readonly SourceFile[]) => string[];

const isTest = ({ path }: SourceFile) => /^(?:packages|apps)\/[^/]+\/test\/.*\.tsx?$/.test(path);

/** Plants violations of every rule. */
const PLANTS = 'packages/server/test/conventions/conventions.test.ts';
/** Files that poll something external, so that a short pause between polls is appropriate. */
const POLLING: Record<string, string> = {
  'packages/server/test/harness/world.ts': 'asks a database for what a worker in another process did',
  'packages/server/test/house/setup.test.ts': 'its fake npm waits for a file',
  [PLANTS]: 'plants sleeps',
  'apps/web/test/e2e/slow.ts': 'pauses at random in the stress mode',
  'packages/server/test/harness/test-worker.ts': 'shortens the pauses of the code under test',
};
const SLEEP =
  /\bsetTimeout\((?:resolve|done|r|ok)\b|\bsetTimeout\(\(\) => (?:resolve|done)\(|\bsleep\(|\bwaitForTimeout\(|timers\/promises/;

/** A test that sleeps is slow on a fast machine and fails on a slow one. */
export const sleeps: Find = (files) =>
  files
    .filter((file) => isTest(file) && !(file.path in POLLING))
    .flatMap((file) =>
      file.code
        .split('\n')
        .flatMap((line, index) =>
          SLEEP.test(line) && !/'[^']*sleep\(/.test(line) ? [`${file.path}:${index + 1} sleeps`] : [],
        ),
    );

const NARROWED = /\b(?:it|test|describe|suite)\.(?:only|skip|todo|fails|fixme)\b|\bx(?:it|describe)\(/;

/** To restrict a test to suitable machines, use `runIf` with a comment. */
export const skipped: Find = (files) =>
  files
    .filter(isTest)
    .flatMap((file) =>
      file.bare
        .split('\n')
        .flatMap((line, index) => (NARROWED.test(line) ? [`${file.path}:${index + 1} is skipped or narrowed`] : [])),
    );

/** Files share a process, so fake timers that stay would stop every following test. */
export const lastingTimers: Find = (files) =>
  files
    .filter(isTest)
    .filter(({ code }) => /\bvi\.useFakeTimers\(/.test(code) && !/vi\.useRealTimers\(/.test(code))
    .map(({ path }) => `${path} does not restore the timers`);

/** Returns a rule that only these files contain a pattern. */
const only =
  (pattern: RegExp, owners: readonly string[], says: string): Find =>
  (files) =>
    files
      .filter((file) => isTest(file) && ![...owners, PLANTS].includes(file.path))
      .filter(({ code }) => pattern.test(code))
      .map(({ path }) => `${path} ${says}`);

/** Tests that do not import the harness run once per landing, and not on other database servers. */
export const hiddenDatabases = only(
  /\bprovided\('(?:server|admin)'\)|\benv\.TEST_DATABASE_URL\b/,
  ['packages/server/test/harness/global-setup.ts', DATABASE_HARNESS],
  `uses the test database without ${DATABASE_HARNESS}`,
);

/** Tests with a server of their own. */
const OWN_SERVERS: readonly string[] = [
  'packages/server/test/db/cluster.test.ts',
  'packages/server/test/db/cluster-roles.test.ts',
];

/** A text in quotes. */
const QUOTED = /`[^`]*`|'[^'\n]*'/g;

/** The server has databases of tests that run at the same time, and their sessions wait too. */
export const foreignSessions: Find = (files) =>
  files
    .filter((file) => isTest(file) && ![...OWN_SERVERS, PLANTS].includes(file.path))
    .filter(({ code }) =>
      (code.match(QUOTED) ?? []).some(
        (text) =>
          /\bpg_(?:locks|stat_activity)\b/.test(text) &&
          !/\bdatname\b|\bcurrent_database\(\)|\bapplication_name\b/.test(text),
      ),
    )
    .map(({ path }) => `${path} asks for sessions of all databases`);

/** Files that do not import the harness are not part of the campaign. */
export const hiddenDraws = only(
  /\benv\.REELAY_TEST_(?:FULL|SLICE|SEED)\b/,
  [DRAW_HARNESS],
  `draws without ${DRAW_HARNESS}`,
);
