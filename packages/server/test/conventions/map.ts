/** The map of folders in CONTRIBUTING.md. */
import type { SourceFile } from './tree.ts';

const GUIDE = 'CONTRIBUTING.md';
const BLOCK = /^## Where things are\n\n```\n(?<lines>[^`]*)```/m;
/** Paths, two spaces, a description. Indented paths are relative to the last unindented one. */
const LINE = /^(?<indent> *)(?<paths>\S+(?: \S+)*)(?: {2,}(?<text>.*))?$/;
/** Folders and files named in a description; each exists in one of the folders of its line. */
const INSIDE = /(?<![\w/.-])[\w-]+(?:\/|\.ts\b)/g;

/** Folders that the map must name. */
const MAPPED = [
  /^(?<folder>[^./][^/]*)\//,
  /^(?<folder>(?:packages|apps)\/[^/]+)\//,
  /^(?<folder>packages\/server\/src\/[^/]+)\//,
];

/** Finds folders that the map does not name, and names in it that do not exist. */
export function staleMap(files: readonly SourceFile[]): string[] {
  const paths = files.map(({ path }) => path);
  const exists = (path: string) => paths.some((each) => each === path || (path.endsWith('/') && each.startsWith(path)));
  const text = files.find(({ path }) => path === GUIDE)?.text ?? '';
  const named = namedIn(BLOCK.exec(text)?.groups?.lines ?? '');
  const gone = named.filter((places) => !places.some(exists)).map(([place]) => `${GUIDE} names ${place}: not there`);
  const known = new Set(named.flat());
  const missing = paths.flatMap((path) =>
    MAPPED.flatMap((pattern) => {
      const folder = pattern.exec(path)?.groups?.folder;
      const isNamed = !folder || [...known].some((each) => each.startsWith(`${folder}/`));
      return isNamed ? [] : [`${path} lies in a folder that ${GUIDE} does not name: ${folder}/`];
    }),
  );
  return [...gone, ...missing];
}

/** Returns each name of the map, with the paths that it may refer to. */
function namedIn(lines: string): string[][] {
  let base = '';
  return lines.split('\n').flatMap((line) => {
    const { indent = '', paths = '', text = '' } = LINE.exec(line)?.groups ?? {};
    if (paths === '') return [];
    const places = paths.split(' ').map((path) => (indent === '' ? path : base + path));
    if (indent === '') base = places[0] ?? '';
    const inside = text.match(INSIDE) ?? [];
    return [...places.map((place) => [place]), ...inside.map((name) => places.map((place) => place + name))];
  });
}
