/** The repository as a list of files, so that a test can plant one. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Blanked, blank } from './blank.ts';

export interface SourceFile extends Blanked {
  /** Relative to the top of the repository, with `/`. */
  path: string;
  text: string;
  imports: Import[];
}

export interface Import {
  /** Path relative to the top of the repository, also for our own packages; else the name of a package. */
  to: string;
  /** A type import, which is erased. */
  type: boolean;
  /** A dynamic `import('…')`. */
  late: boolean;
}

const TOP = fileURLToPath(new URL('../../../../', import.meta.url));
const LEFT_OUT = ['node_modules', '.git', '.cache', 'data', 'coverage', 'dist', 'generated'];
const READ = ['.ts', '.tsx', '.mjs', '.js', '.json', '.md', '.sql', '.yaml', '.yml', ''];

/** Reads all source files and documents of the repository. */
export async function readTree(): Promise<SourceFile[]> {
  const paths = await walk('');
  return Promise.all(paths.map(async (path) => sourceFile(path, await readFile(join(TOP, path), 'utf8'))));
}

async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(join(TOP, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (LEFT_OUT.includes(entry.name)) return [];
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() && READ.includes(extname(entry.name)) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

/** Parses a file for the rules. */
export function sourceFile(path: string, text: string): SourceFile {
  const blanked = /\.(tsx?|mjs|js)$/.test(path) ? blank(text) : { code: text, bare: text };
  return { path, text, ...blanked, imports: importsOf(path, blanked) };
}

const STATEMENT = /^(?:import|export)( type)?\b[^;'"]*?from '([^']+)'|^import '([^']+)'/gm;
const CALL = /\bimport\('([^']+)'\)/g;

const APPS = ['web', 'reference'];

/** `@reelay/server/log.ts` → `packages/server/src/lib/log.ts`; names of other packages are unchanged. */
function ownPackage(name: string): string {
  const [, own, file = 'index.ts'] = /^@reelay\/(\w+)(?:\/(.+))?$/.exec(name) ?? [];
  return own ? `${APPS.includes(own) ? 'apps' : 'packages'}/${own}/src/${file}` : name;
}

/** Extracts a file's imports, assuming the formatter's style. */
function importsOf(path: string, { code, bare }: Blanked): Import[] {
  const resolve = (name: string) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : ownPackage(name));
  /** Matches outside of strings. */
  const found = (pattern: RegExp) => [...code.matchAll(pattern)].filter(({ index }) => /\w/.test(bare[index] ?? ''));
  const early = found(STATEMENT).map(([, type, name, only]) => ({
    to: resolve(name ?? only ?? ''),
    type: type !== undefined,
    late: false,
  }));
  const late = found(CALL).map(([, name]) => ({ to: resolve(name ?? ''), type: false, late: true }));
  return [...early, ...late];
}
