/** Generated files: written, or with --check compared. `.gitattributes` marks each of them, or its folder. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Writes a generated file. With --check it only reports an outdated file. Exits with 1 if it reports anything.
 * @param path relative to the root of the repository
 */
export function putGenerated(path: string, text: string): void {
  if (!process.argv.includes('--check')) writeFileSync(join(ROOT, path), text);
  for (const problem of problemsOf(ROOT, path, text)) {
    console.error(problem);
    process.exitCode = 1;
  }
}

/** Reports a file that is out of date or not marked as generated. */
export function problemsOf(root: string, path: string, text: string): string[] {
  const read = (name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : '');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const marks = [`${path} linguist-generated`, `${folder}* linguist-generated`];
  const marked = read('.gitattributes')
    .split('\n')
    .some((line) => marks.includes(line));
  return [
    ...(read(path) === text ? [] : [`${path} is out of date: run npm run generate.`]),
    ...(marked ? [] : [`${path} is generated: mark it in .gitattributes.`]),
  ];
}
