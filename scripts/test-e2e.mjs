/**
 * Builds the dashboard and runs the browser tests. Needs Chromium: on `PATH`, or named by CHROMIUM_PATH.
 *   npm run test:e2e [-- FILE ...]    further arguments are passed on to Playwright
 *   npm run test:e2e -- --slow        the stress mode: a slow processor and random pauses (apps/web/test/e2e/slow.ts)
 * The last line is always "N passed, N failed" (", N skipped"). A test that passes only when it is repeated is printed as
 * flaky; with --fail-on-flaky-tests it fails the run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countRunner, end } from './run-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
}

const browser = findChromium();
if (!browser) {
  console.error('The browser tests need Chromium: sudo apt install chromium. Or name one by CHROMIUM_PATH.');
  end({ failed: 1 });
}
const built = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), 'web'], { cwd: ROOT, stdio: 'inherit' });
if (built.status !== 0) end({ failed: 1 });

const isSlow = process.argv.includes('--slow');
const rest = process.argv.slice(2).filter((argument) => argument !== '--slow');
const playwright = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
const env = {
  ...process.env,
  CHROMIUM_PATH: browser,
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'v8'),
  REELAY_E2E_SLOW: isSlow ? '1' : '',
  // Node itself strips the types, as in the service.
  PW_DISABLE_TS_ESM: '1',
};
end(await countRunner(ROOT, [playwright, 'test', '-c', 'apps/web/playwright.config.ts', ...rest], env));
