/** The repository as the rules see it: a list of files, so that a test can plant one. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Blanked, blank } from './blank.ts';

export interface SourceFile extends Blanked {
  /** From the top of the repository, with `/`. */
  path: string;
  text: string;
  imports: Import[];
}

export interface Import {
  /** Path from the top of the repository, or the name of a package. */
  to: string;
  /** Erased before it runs. */
  type: boolean;
  /** `import('…')`: loaded only when it is reached. */
  late: boolean;
}

const TOP = fileURLToPath(new URL('../../../../', import.meta.url));
const LEFT_OUT = ['node_modules', '.git', '.cache', 'data', 'coverage', 'dist', 'generated'];
const READ = ['.ts', '.mjs', '.js', '.json', '.md', '.sql', '.yaml', '.yml', ''];

/** Every file of the repository that people write or read. */
export async function readTree(): Promise<SourceFile[]> {
  const paths = await walk('');
  return Promise.all(paths.map(async (path) => sourceFile(path, await readFile(join(TOP, path), 'utf8'))));
}

async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(join(TOP, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) return LEFT_OUT.includes(entry.name) ? [] : walk(path);
      return entry.isFile() && READ.includes(extname(entry.name)) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

/** A file as the rules take it. */
export function sourceFile(path: string, text: string): SourceFile {
  const blanked = /\.(ts|mjs|js)$/.test(path) ? blank(text) : { code: text, bare: text };
  return { path, text, ...blanked, imports: importsOf(path, blanked) };
}

const STATEMENT = /^(?:import|export)( type)?\b[^;'"]*?from '([^']+)'|^import '([^']+)'/gm;
const CALL = /\bimport\('([^']+)'\)/g;

/** What a file imports; the formatter's style is taken for granted. */
function importsOf(path: string, { code, bare }: Blanked): Import[] {
  const resolve = (name: string) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name);
  /** Not those that stand in quotes themselves. */
  const found = (pattern: RegExp) => [...code.matchAll(pattern)].filter(({ index }) => /\w/.test(bare[index] ?? ''));
  const early = found(STATEMENT).map(([, type, name, only]) => ({
    to: resolve(name ?? only ?? ''),
    type: type !== undefined,
    late: false,
  }));
  const late = found(CALL).map(([, name]) => ({ to: resolve(name ?? ''), type: false, late: true }));
  return [...early, ...late];
}
