/** Import rules between layers. */
import type { Import, SourceFile } from './tree.ts';

interface Layer {
  /** Files that the rule applies to, below `packages/`. */
  of: RegExp;
  /** Project files that they may import; absent: any. */
  only?: RegExp;
  /** Files that they must not import. */
  never?: RegExp;
  /** Whether type imports are exempt. */
  typesAllowed?: boolean;
  says: string;
}

const SRC = 'server/src/';
const below = (...names: string[]) => new RegExp(`^${SRC}(?:${names.join('|')})`);

const BASE = below('db/', 'queue/', 'storage/', 'messages/', 'config/', 'errors/', 'lib/');

const LAYERS: Layer[] = [
  {
    of: below('operations/'),
    never: below('db/', 'queue/', 'publishing/', 'connectors/', 'sandbox/', 'app/', 'main\\.ts'),
    typesAllowed: true,
    says: 'an operation leaves the work to a module',
  },
  {
    of: below('http/'),
    never: below(
      'operations/',
      'app/',
      'context\\.ts',
      'main\\.ts',
      'posts/',
      'uploads/',
      'reposts/',
      'accounts/',
      'publishing/',
      'connectors/',
    ),
    says: 'the HTTP layer imports no operation',
  },
  {
    // All folders of modules; the sandbox has routes of its own.
    of: below('(?!operations/|http/|app/|sandbox/)[^/]+/'),
    never: below('operations/', 'http/', 'context', 'app/', 'main\\.ts'),
    says: 'a module does not depend on its callers',
  },
  { of: BASE, only: BASE, says: 'base modules import nothing above them' },
  {
    of: below('(?!app/|connectors/|sandbox/).*'),
    never: below('connectors/registry', 'connectors/loaders'),
    says: 'only the composition root imports the registries',
  },
  {
    of: below('(?!connectors/).*'),
    never: below('connectors/(?!kit/)[^/]+/'),
    says: 'no generic file imports a platform',
  },
  {
    of: below('connectors/kit/'),
    only: below('connectors/kit/', 'connectors/contract', 'outbound/', 'messages/', 'lib/(?:text|time)\\.ts'),
    says: 'the kit imports only the contract, outbound and base modules',
  },
  {
    of: below('messages/'),
    only: below('messages/', 'lib/(?:text|time)\\.ts'),
    says: 'messages import only base modules',
  },
  {
    of: below('outbound/'),
    only: below('outbound/', 'messages/', 'lib/text\\.ts'),
    says: 'outbound imports no connector',
  },
  { of: /^\w+\/src\//, never: /^\w+\/test\//, says: 'sources do not import tests' },
  { of: /^sandbox\//, only: /^sandbox\//, says: 'the simulated platforms stand alone' },
  {
    of: /^sandbox\/src\/(?!platforms\/|registry\.ts$)/,
    never: /^sandbox\/src\/platforms\//,
    says: 'shared parts of the simulators import no platform',
  },
  {
    of: below('(?!sandbox/)'),
    never: /^sandbox\//,
    says: 'only the glue in sandbox/ imports the simulated platforms',
  },
  { of: /^sdk\/src\//, only: /^sdk\/src\//, says: 'the SDK imports nothing else' },
  { of: /^apps\/web\/src\//, only: /^(?:apps\/web|sdk)\/src\//, says: 'the dashboard uses only the SDK' },
  {
    of: /^apps\/web\/src\/(?:ui|queries|drafts|live|time|messages)\//,
    never: /^apps\/web\/src\/(?:pages|app)\//,
    says: 'shared parts of the dashboard import no page',
  },
  {
    of: /^apps\/reference\/src\//,
    only: /^(?:apps\/reference\/src\/|sdk\/src\/|apps\/web\/src\/(?:ui|messages|time)\/|apps\/web\/src\/app\/(?:preferences\.tsx|theme\.tsx|global\.css)$)/,
    says: 'the reference uses only shared parts of the dashboard',
  },
  {
    of: /^cli\/src\/(?:remote\/|messages\.ts$|output\.ts$|when\.ts$)/,
    only: /^(?:cli\/src\/(?:remote\/|messages\.ts$|output\.ts$|when\.ts$)|sdk\/)/,
    says: 'remote commands use only HTTP',
  },
];

/** The path below `packages/`, or the name of a package unchanged. */
const inside = (path: string) => path.replace(/^packages\//, '');
const isOurs = (path: string) => /^(?:packages|apps)\//.test(path);

export function brokenLayers(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap((each) => [...LAYERS.flatMap((layer) => judge(layer, path, each)), ...ownFolder(path, each)]),
  );
}

function judge({ of, only, never, typesAllowed, says }: Layer, from: string, { to, type }: Import): string[] {
  if (!of.test(inside(from)) || (type && typesAllowed)) return [];
  const foreign = only !== undefined && isOurs(to) && !only.test(inside(to));
  return foreign || never?.test(inside(to)) ? [`${from} imports ${to}: ${says}`] : [];
}

/**
 * A connector may import the contract, the kit, `outbound/` and its own files; a simulator may import shared parts of the
 * simulators and its own files.
 */
function ownFolder(from: string, { to }: Import): string[] {
  const [folder, simulated] = /^packages\/sandbox\/src\/platforms\/([^/]+)\//.exec(from) ?? [];
  if (folder && to.startsWith(`${SIMULATORS}platforms/`) && !to.startsWith(folder))
    return [`${from} imports ${to}: ${simulated} stands alone`];
  const [page] = /^apps\/web\/src\/pages\/[^/]+\//.exec(from) ?? [];
  if (page && to.startsWith('apps/web/src/pages/') && !to.startsWith(page))
    return [`${from} imports ${to}: a page stands alone`];
  const [, platform] = /^packages\/server\/src\/connectors\/([^/]+)\//.exec(from) ?? [];
  if (!platform || platform === 'kit' || !isOurs(to)) return [];
  const place = inside(to).replace(`${SRC}connectors/`, '');
  const common =
    place.startsWith('kit/') ||
    place === 'contract.ts' ||
    place === `${SRC}lib/text.ts` ||
    place === `${SRC}lib/time.ts` ||
    place.startsWith(`${SRC}messages/`) ||
    place.startsWith(`${SRC}outbound/`);
  return common || place.startsWith(`${platform}/`) ? [] : [`${from} imports ${to}: a connector stands alone`];
}

const SIMULATORS = 'packages/sandbox/src/';

/** Import cycles. Type imports and dynamic imports count: a reader of one file needs all of them. */
export function cycles(files: readonly SourceFile[]): string[] {
  const edges = edgesOf(files, () => true);
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    state.set(path, 'open');
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}

/** Folders of code by subject. Tests are excluded: their folders follow the topic. */
const IN_FOLDERS = /^(?:(?:packages|apps)\/[^/]+\/src|bench|chaos|scripts)\//;

/**
 * Circles of sibling folders of any length, types included. A folder may import its own subfolders and be imported by
 * them.
 */
export function folderCircles(files: readonly SourceFile[]): string[] {
  const edges = new Map<string, Map<string, string>>();
  for (const { path, imports } of files.filter((file) => IN_FOLDERS.test(file.path)))
    for (const { to } of imports) {
      const [from, into] = partingFolders(path, to) ?? [];
      if (from === undefined || into === undefined) continue;
      const known = edges.get(from) ?? new Map<string, string>();
      edges.set(from, known.set(into, `${path} imports ${to}`));
    }
  return stronglyConnected(edges).map((circle) => {
    const inside = circle.flatMap((from) => [...(edges.get(from) ?? [])].filter(([into]) => circle.includes(into)));
    return `${circle.join(', ')}: ${inside.map(([, example]) => example).join('; ')}`;
  });
}

/** Groups of two or more nodes that reach each other (Tarjan). */
function stronglyConnected(edges: ReadonlyMap<string, ReadonlyMap<string, unknown>>): string[][] {
  const order = new Map<string, number>();
  const least = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const lower = (node: string, to = 0) => least.set(node, Math.min(least.get(node) ?? to, to));
  const visit = (node: string) => {
    order.set(node, order.size);
    lower(node, order.get(node));
    open.push(node);
    for (const next of edges.get(node)?.keys() ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lower(node, least.get(next));
    }
    if (least.get(node) !== order.get(node)) return;
    const group = open.splice(open.indexOf(node));
    if (group.length > 1) found.push(group.sort());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** The sibling folders in which two paths diverge; null if one file lies directly in the folder they share. */
function partingFolders(from: string, to: string): [string, string] | null {
  const one = from.split('/').slice(0, -1);
  const two = to.split('/').slice(0, -1);
  const at = one.findIndex((name, index) => name !== two[index]);
  if (at < 0 || two[at] === undefined) return null;
  return [one.slice(0, at + 1).join('/'), two.slice(0, at + 1).join('/')];
}

/** Files of the sandbox that are loaded at startup. */
export function simulatorsAtStart(files: readonly SourceFile[]): string[] {
  const edges = edgesOf(files, ({ type, late }) => !type && !late);
  const reached = new Set<string>();
  const visit = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const next of edges.get(path) ?? []) visit(next);
  };
  visit('packages/server/src/main.ts');
  return [...reached]
    .filter((path) => path.startsWith(SIMULATORS))
    .map((path) => `${path} is loaded without the sandbox`);
}

function edgesOf(files: readonly SourceFile[], counts: (each: Import) => boolean): Map<string, string[]> {
  return new Map(files.map(({ path, imports }) => [path, imports.filter(counts).map(({ to }) => to)]));
}
