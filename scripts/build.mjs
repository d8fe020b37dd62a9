/**
 * Builds the dashboard and the service, each if its sources have changed since the last build. If nothing has changed, it
 * takes a few milliseconds.
 *   node scripts/build.mjs [web] [server] [--force]
 */
import { join } from 'node:path';
import { BUILDS, fingerprint, isCurrent, ROOT, writeStamp } from './build/stamps.mjs';

/** By name: what it is called, and who builds it. */
const BUILDERS = {
  web: { what: 'dashboard', build: async () => (await import('./build/web.mjs')).buildWeb() },
  server: { what: 'service', build: buildServer },
};

async function buildServer() {
  const { buildProgram } = await import('./build/programs.mjs');
  await buildProgram('server', join(ROOT, BUILDS.server.output));
}

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
for (const name of named.length > 0 ? named : Object.keys(BUILDERS)) {
  if (isCurrent(name) && !args.includes('--force')) continue;
  const { what, build } = BUILDERS[name];
  const sources = fingerprint(name);
  console.log(`Building the ${what} (some seconds after a change) ...`);
  try {
    await build();
    writeStamp(name, sources);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    const root = ROOT.replace(/\/$/, '');
    console.error(
      `The ${what} cannot be built: ${error.message}. Run "npm run build" as a user who may write ${root}.`,
    );
    process.exitCode = 1;
  }
}
