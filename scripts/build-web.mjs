/**
 * Builds the dashboard and the API reference if their sources have changed since the last build. If nothing has changed, it takes a few
 * milliseconds. A reader never sees half a build: it is made beside the old one and then moved.
 *   node scripts/build-web.mjs [--force]
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'apps', 'web', 'dist');
/** Each is a build of its own, so that neither loads a byte for the other. Apps by folder below `dist`. */
const APPS = { app: 'web', docs: 'reference' };
const STAMP = join(ROOT, 'node_modules', '.cache', 'web.json');
const SOURCES = ['apps', 'packages/sdk/src', 'package-lock.json'];
const NO_SOURCES = ['dist', 'node_modules', 'test'];

/** Smaller files do not become smaller by compression. In bytes. */
const MIN_COMPRESSED = 1_024;

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCES.includes(name) && !name.startsWith('dist.'))
    .flatMap(({ name }) => filesBelow(join(path, name)));
}

/** Identifies the sources without reading them. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((path) => filesBelow(join(ROOT, path))).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(ROOT, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function builtFrom() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8')).sources;
  } catch {
    return null;
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

const sources = fingerprint();
if (
  process.argv.includes('--force') ||
  builtFrom() !== sources ||
  !Object.keys(APPS).every((folder) => existsSync(join(DIST, folder)))
) {
  console.log('Building the dashboard (some seconds after a change) ...');
  const made = `${DIST}.${process.pid}`;
  const previous = `${made}.previous`;
  const { build } = await import('vite');
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
    mkdirSync(dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, JSON.stringify({ sources }));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    const root = ROOT.replace(/\/$/, '');
    console.error(
      `The dashboard cannot be built: ${error.message}. Run "npm run build:web" as a user who may write ${root}.`,
    );
    process.exitCode = 1;
  } finally {
    for (const folder of [made, previous]) rmSync(folder, { recursive: true, force: true });
  }
}
