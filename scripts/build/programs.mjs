/** The programs that are bundled. */
import { join } from 'node:path';
import { buildBundle } from './bundle.mjs';
import { ROOT } from './stamps.mjs';

/** By package: paths of other programs by what imports of them end with. */
const PROGRAMS = {
  server: {},
  // `reelay start` runs the service that is beside it.
  cli: { '@reelay/server/main.ts': '../../server/dist/main.js' },
};

/** @param name folder below `packages` @param dist the folder that is written */
export async function buildProgram(name, dist) {
  await buildBundle(join(ROOT, 'packages', name, 'src/main.ts'), dist, PROGRAMS[name]);
}
