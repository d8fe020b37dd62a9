/** Browser tests: the built dashboard and API reference in Chromium, on a real service. */
import { defineConfig } from '@playwright/test';
import { DESKTOP, PHONE } from './test/e2e/screens.ts';

/** One step, in ms. A step waits for what it needs, so this only ends a test that hangs. */
const STEP_MS = 30_000;

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: '../../node_modules/.cache/e2e',
  globalSetup: '../../packages/server/test/harness/global-setup.ts',
  reporter: [['list'], ['../../scripts/e2e-reporter.ts']],
  fullyParallel: true,
  workers: 2,
  // A test that passes only then is printed as flaky, and fails the full run.
  retries: 1,
  timeout: 120_000,
  expect: { timeout: STEP_MS },
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    actionTimeout: STEP_MS,
    navigationTimeout: STEP_MS,
    trace: 'on-first-retry',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' },
  },
  projects: [
    { name: 'desktop', use: DESKTOP, grepInvert: /@phone\b/ },
    // Tests of the layout run on both screens, tests of the phone's own layout only there.
    { name: 'phone', use: PHONE, grep: /@layout\b|@phone\b/ },
  ],
});
