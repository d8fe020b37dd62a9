/** Tests and sources that documents name: they must exist. */
import { commentsOf } from './language.ts';
import type { SourceFile } from './tree.ts';

const DOCUMENTS = ['docs/platforms/README.md', 'docs/reliability.md', 'SECURITY.md'];
/** A path in backticks, then titles in quotes up to the next path. */
const PATH = /`((?:[\w-]+\/)*[\w-]+\.(?:test\.)?ts)`/g;
const QUOTED = /"((?:\\.|[^"\\\n])+)"/g;
/** A title that says nothing: a test for each row of a table, without a text of its own. */
const PLACEHOLDER = /^\$\w+$/;
/** Cell separators end the list of titles that belong to a path. */
const END = /[|\n]/;

/** Documents quote a title with its placeholders; `…` stands for a part of it. */
export const missingTests = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => DOCUMENTS.includes(path))
    .flatMap((document) => namedTests(document.text).flatMap((named) => problemsOf(document.path, named, files)));

/** Where SECURITY.md says that its paths begin, and the top of the repository. */
const BASES = ['packages/server/src/', 'packages/server/test/', ''];
const SOURCE = /`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|sql|md|json)|(?:[\w.-]+\/)+[\w.-]*)`/g;

/** A name without a folder, such as `store.ts`, stands for all files of that name. */
export const missingSources = (files: readonly SourceFile[]): string[] => {
  const document = files.find(({ path }) => path === 'SECURITY.md');
  const exists = (named: string) =>
    files.some(({ path }) =>
      named.includes('/')
        ? BASES.some((base) => path === base + named || path.startsWith(`${base}${named.replace(/\/$/, '')}/`))
        : path.endsWith(`/${named}`) || path === named,
    );
  const named = [...(document?.text.matchAll(SOURCE) ?? [])].map(([, path = '']) => path);
  return named.filter((path) => !exists(path)).map((path) => `SECURITY.md names ${path}, which does not exist`);
};

/** A name of a file, without the folders before it. Capitals stand for any name. */
const FILE = /(?<![\w.-])[a-z\d][a-z\d-]*(?:\.[a-z\d-]+)*\.(?:tsx?|mjs|sql|sh)\b/g;

/** Comments name files that exist. */
export const staleComments = (files: readonly SourceFile[]): string[] => {
  const names = new Set(files.map(({ path }) => path.split('/').at(-1)));
  return files
    .filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path))
    .flatMap((file) =>
      (commentsOf(file).match(FILE) ?? [])
        .filter((name) => !names.has(name))
        .map((name) => `${file.path} names ${name}, which does not exist`),
    );
};

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
    .filter(
      (title) =>
        PLACEHOLDER.test(title) || !texts.some((text) => title.split('…').every((part) => text.includes(part.trim()))),
    )
    .map((title) => `${document} names "${title}", which is no test of ${path}`);
}
