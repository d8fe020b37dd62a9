import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { FULL } from './packages/server/test/harness/draw.ts';
import { platformFolders } from './packages/server/test/harness/platforms.ts';
import { temporaryFolder } from './packages/server/test/harness/temporary-folder.ts';
import { createImportSearch, DATABASE_HARNESS, testFiles } from './packages/server/test/harness/test-files.ts';

/** Runs for each platform; a new platform is covered by being there. */
const FOR_EACH_PLATFORM = 'packages/server/test/conformance/connectors.test.ts';
/**
 * Processes are not shared between projects, and a new one imports everything again. `--project NAME` selects one
 * platform. All cases of several platforms in one process would open too many connections.
 */
const ONE_EACH = FULL || process.argv.some((argument) => argument.startsWith('--project'));
const PLATFORM_PROJECTS = ONE_EACH ? Number.POSITIVE_INFINITY : 2;
/** Files that put something else in the place of a module. */
const isApart = (file: string) => file.endsWith('.apart.test.ts');
const isImported = createImportSearch();
const usesDatabase = (file: string) => isImported(file, DATABASE_HARNESS);
/** They have JSX and styles, and run in a simulated page. */
const isComponentTest = (file: string) => file.endsWith('.test.tsx');
/** Of the packed package, by `npm run test:package` only. */
const isOfPackage = (file: string) => file.includes('/test/installed/');
const all = testFiles().filter((file) => isOfPackage(file) === (process.env.REELAY_PACKAGE === '1'));
const files = all.filter((file) => file !== FOR_EACH_PLATFORM && !isComponentTest(file));
/** A run on another server leaves out tests whose result no database can change. */
const onServer = process.env.TEST_DATABASE_URL !== undefined;
/** Room for the tests' files, in bytes: services want 2 GB free, and the databases 3 GB. */
const ROOM_FOR_FILES = 8 * 1024 ** 3;
const env = {
  TMPDIR: process.env.TMPDIR ?? temporaryFolder(ROOM_FOR_FILES),
  /** Tests start programs of ours by the hundred; compiled once, a start takes a third. */
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/v8', import.meta.url)),
  /** One seed for all processes of a run. */
  REELAY_TEST_SEED: process.env.REELAY_TEST_SEED ?? String(Date.now() % 100_000),
};
/**
 * As in `npm start`, code may collect explicitly. Short-lived objects fit into a larger young generation; threads of the
 * collector only compete with other workers.
 */
const execArgv = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', '--single-threaded-gc'];
/** Limits only end a test that hangs. A busy machine is ten times slower than a quiet one. */
const limits = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 60_000 } } };
const each = { pool: 'forks', ...limits, env, execArgv };
/**
 * Nothing of ours keeps state in a module, so files that share a process share what they import. Node itself imports it,
 * from its compile cache; the transforming module runner is only needed to replace modules.
 */
const shared = { ...each, isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } };

/** Distributes items over at most this many groups. */
function inGroups<T>(items: readonly T[], most: number): T[][] {
  const count = Math.min(items.length, most);
  return Array.from({ length: count }, (_, group) => items.filter((_, index) => index % count === group));
}

export default defineConfig({
  test: {
    // Twice the cores that are counted on: most files wait for a process, a conversion or a clock now and then.
    maxWorkers: 4,
    globalSetup: ['packages/server/test/harness/global-setup.ts'],
    reporters: ['default', './scripts/reporter.ts'],
    // Some files and groups draw no case of a slice.
    passWithNoTests: FULL,
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          include: onServer ? [] : files.filter((file) => !isApart(file) && !usesDatabase(file)),
        },
      },
      {
        test: { ...shared, name: 'database', include: files.filter((file) => !isApart(file) && usesDatabase(file)) },
      },
      {
        test: {
          ...each,
          name: 'apart',
          include: files.filter((file) => isApart(file) && (!onServer || usesDatabase(file))),
          isolate: true,
        },
      },
      {
        plugins: [react()],
        test: {
          ...each,
          name: 'components',
          include: onServer ? [] : all.filter(isComponentTest),
          environment: 'happy-dom',
          // Like the browser of the browser tests.
          env: { ...env, TZ: 'UTC' },
          setupFiles: ['apps/web/test/components/set-up.ts'],
          css: { include: [] },
        },
      },
      ...inGroups(platformFolders(), PLATFORM_PROJECTS).map((platforms) => ({
        test: { ...shared, name: platforms.join('+'), include: [FOR_EACH_PLATFORM], provide: { platforms } },
      })),
    ],
  },
});
