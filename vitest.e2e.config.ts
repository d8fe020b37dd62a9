import { defineConfig } from 'vitest/config';

/** Limits only end a test that hangs. */
const LIMIT_MS = 900_000;

/** The dashboard in a real browser, on a real service. */
export default defineConfig({
  test: {
    include: ['apps/web/test/e2e/**/*.e2e.ts'],
    globalSetup: ['packages/server/test/harness/global-setup.ts'],
    reporters: ['default', './scripts/reporter.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: 120_000 } },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: { REELAY_TEST_SEED: '0' },
  },
});
