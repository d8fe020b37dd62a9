/**
 * Builds the dashboard and runs the browser tests; further arguments are passed on to Vitest. Needs Chromium: on `PATH`,
 * or named by CHROMIUM_PATH. The last line is always "N passed, N failed" (", N skipped").
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countVitest, end } from './run-vitest.ts';

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
const built = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build-web.mjs')], { cwd: ROOT, stdio: 'inherit' });
if (built.status !== 0) end({ failed: 1 });

const args = ['--config', 'vitest.e2e.config.ts', ...process.argv.slice(2)];
end(await countVitest(ROOT, args, { ...process.env, CHROMIUM_PATH: browser }));
