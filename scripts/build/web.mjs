/** Builds the dashboard and the API reference. A reader never sees half a build: it is made beside the old one and then moved. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { BUILDS, filesBelow, ROOT } from './stamps.mjs';

const DIST = join(ROOT, BUILDS.web.output);
/** Each is a build of its own, so that neither loads a byte for the other. Apps by folder below `dist`. */
const APPS = { app: 'web', docs: 'reference' };

/** Smaller files do not become smaller by compression. In bytes. */
const MIN_COMPRESSED = 1_024;

export async function buildWeb() {
  const made = `${DIST}.${process.pid}`;
  const previous = `${made}.previous`;
  try {
    for (const [folder, app] of Object.entries(APPS)) {
      const root = join(ROOT, 'apps', app);
      const output = { outDir: join(made, folder), emptyOutDir: true };
      await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: output });
    }
    await compress(made);
    // Deleting takes longer than renaming, and the service reads the folder meanwhile.
    if (existsSync(DIST)) renameSync(DIST, previous);
    renameSync(made, DIST);
  } finally {
    for (const folder of [made, previous]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes compressed copies, so that the service never compresses. */
async function compress(folder) {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  for (const file of filesBelow(folder).filter((path) => /\.(?:css|html|js|svg|webmanifest)$/.test(path))) {
    const content = readFileSync(file);
    if (content.length < MIN_COMPRESSED) continue;
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, quality));
    writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}
