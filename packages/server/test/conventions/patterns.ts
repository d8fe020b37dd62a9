/** Regular expressions whose time grows faster than the text they read (`scslre` finds them without running them). */
import { analyse } from 'scslre';
import type { SourceFile } from './tree.ts';

/** A literal, where its characters were taken out: two slashes with nothing but blanks between. */
const LITERAL = /\/ +\/([dgimsuvy]*)/g;

/** Patterns that take quadratic or exponential time on some text. `new RegExp` is for parts that are constants. */
export function superLinear(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path))
    .flatMap(({ path, code, bare }) =>
      [...bare.matchAll(LITERAL)].flatMap(({ 0: whole, 1: flags = '', index }) => {
        const source = code.slice(index + 1, index + whole.length - 1 - flags.length);
        const { reports } = analyse(new RegExp(source, flags));
        const line = code.slice(0, index).split('\n').length;
        return reports.length > 0 ? [`${path}:${line} takes super-linear time: /${source}/${flags}`] : [];
      }),
    );
}
