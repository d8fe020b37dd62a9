/** Finds regular expressions with super-linear run time (`scslre` detects them without running them). */
import { analyse } from 'scslre';
import type { SourceFile } from './tree.ts';

/** A blanked literal: two slashes with only spaces between. */
const LITERAL = /\/ +\/([dgimsuvy]*)/g;

/** Finds patterns with quadratic or exponential run time. `new RegExp` may only be used with constant parts. */
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
