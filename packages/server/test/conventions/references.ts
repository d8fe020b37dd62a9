/** Tests that documents name: path and title must exist. */
import type { SourceFile } from './tree.ts';

const DOCUMENTS = ['docs/platforms/README.md', 'docs/reliability.md', 'SECURITY.md'];
/** A path in backticks, then titles in quotes up to the next path. */
const PATH = /`((?:[\w-]+\/)*[\w-]+\.(?:test\.)?ts)`/g;
const QUOTED = /"((?:\\.|[^"\\\n])+)"/g;
/** Cell separators end the list of titles that belong to a path. */
const END = /[|\n]/;

/** Documents quote a title with its placeholders; `…` stands for a part of it. */
export const missingTests = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => DOCUMENTS.includes(path))
    .flatMap((document) => namedTests(document.text).flatMap((named) => problemsOf(document.path, named, files)));

interface NamedTest {
  path: string;
  titles: string[];
}

function namedTests(text: string): NamedTest[] {
  const paths = [...text.matchAll(PATH)];
  return paths.flatMap((match, index) => {
    const rest = text.slice(match.index + match[0].length, paths[index + 1]?.index);
    const [list = ''] = rest.split(END);
    const titles = [...list.matchAll(QUOTED)].map(([, title = '']) => title.replaceAll('\\"', '"'));
    return titles.length > 0 ? [{ path: match[1] ?? '', titles }] : [];
  });
}

function problemsOf(document: string, { path, titles }: NamedTest, files: readonly SourceFile[]): string[] {
  const candidates = files.filter((file) => file.path.includes('/test/') && `/${file.path}`.endsWith(`/${path}`));
  if (candidates.length === 0) return [`${document} names ${path}, which does not exist`];
  const texts = candidates.map(({ text }) => text.replaceAll("\\'", "'"));
  return titles
    .filter((title) => !texts.some((text) => title.split('…').every((part) => text.includes(part.trim()))))
    .map((title) => `${document} names "${title}", which is no test of ${path}`);
}
