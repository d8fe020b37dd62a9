/** Rules for code. */
import type { SourceFile } from './tree.ts';

type Find = (files: readonly SourceFile[]) => string[];

const inSource = ({ path }: SourceFile) => /^(?:packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path);
const isProgram = ({ path }: SourceFile) => /\.(?:ts|mjs|js)$/.test(path);

/** Returns every line that matches a pattern, as a violation. */
function lines(file: SourceFile, text: string, pattern: RegExp, says: string): string[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1} ${says}`] : []));
}

export const environmentReads: Find = (files) =>
  files
    .filter((file) => inSource(file) && file.path !== 'packages/server/src/config/env.ts')
    .flatMap((file) => lines(file, file.bare, /\bprocess\s*\.\s*env\b|\bimport\.meta\.env\b/, 'reads the environment'));

/** A platform's clock must not be compared with ours, except through the `Date` of the same response. */
export const foreignClocks: Find = (files) =>
  files
    .filter(({ path }) => /\/connectors\/[^/]+\//.test(path) && !path.endsWith('/connectors/kit/clock.ts'))
    .flatMap((file) => lines(file, file.code, /\bheaders(?:\.date\b|\[['"]date)/, 'reads Date: use kit/clock.ts'));

/** Standalone programs may keep state: each is loaded once, and nothing imports it. */
const OWN_PROGRAMS = ['packages/server/src/storage/incoming/hash-worker.ts'];
const MUTABLE = [
  /^(?:export )?(?:let|var)\b/,
  /^(?:export )?const \w+(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet)\b(?:<.*>)?\(\)/,
  /^(?:export )?const \w+(?:: [^=]+)? = (?:\[\]|\{\});/,
];

export const moduleState: Find = (files) =>
  files
    .filter((file) => inSource(file) && !OWN_PROGRAMS.includes(file.path))
    .flatMap((file) => MUTABLE.flatMap((pattern) => lines(file, file.bare, pattern, 'keeps state in a module')));

export const silencedTypes: Find = (files) =>
  files
    .filter((file) => isProgram(file) && !file.path.includes('/test/'))
    .flatMap((file) => [
      ...lines(file, file.bare, /(?::|\bas|<|\|) *any\b/, 'uses any'),
      ...lines(file, file.text, /@ts-(?:ignore|nocheck|expect-error)/, 'silences the compiler'),
    ]);

const MAX_LINES = 400;

/** Data and generated files may be long, and so may tests, which are lists of cases. */
export const longFiles: Find = (files) =>
  files
    .filter((file) => isProgram(file) && !file.path.includes('/test/'))
    .map((file) => ({ file, count: file.text.trimEnd().split('\n').length }))
    .filter(({ count }) => count > MAX_LINES)
    .map(({ file, count }) => `${file.path} has ${count} lines`);

const EXPORTED = /^export (?:async )?function\*? (\w+)/;
/** A function with at most this many lines needs no comment. */
const SHORT = 8;

/** A file header documents the file's exports; without one, each exported function needs a docstring. */
export const undocumented: Find = (files) =>
  files
    .filter(
      (file) =>
        /^packages\/(?:server|sandbox)\/src\//.test(file.path) && isProgram(file) && !file.text.startsWith('/**'),
    )
    .flatMap((file) => {
      const all = file.text.split('\n');
      return all.flatMap((line, index) => {
        const name = EXPORTED.exec(line)?.[1];
        if (!name || /\*\/\s*$/.test(all[index - 1] ?? '')) return [];
        const end = all.findIndex((other, place) => place > index && other.startsWith('}'));
        return end - index < SHORT ? [] : [`${file.path}:${index + 1} ${name} does not say what it does`];
      });
    });

const TARGET_TEXT = 'packages/server/src/lineage/target-text.ts';
/** Folders that read targets, never posts alone. */
const OF_TARGETS = /^packages\/server\/src\/(?:lineage|publishing|reposts|watching)\//;
const TEMPLATE = /`[^`]*`/g;
const BESIDE_TARGET = /\btarget t\s+join post p\b/;

/** A target may have its own caption. A rule that reads the description instead reposts and filters another text. */
export const untrueTexts: Find = (files) =>
  files
    .filter(({ path }) => /^packages\/server\/src\/.*\.ts$/.test(path) && path !== TARGET_TEXT)
    .filter(
      ({ path, code }) =>
        /\bcoalesce\(\s*\w+\.caption\b/.test(code) ||
        (OF_TARGETS.test(path) && /\bp\.description\b/.test(code)) ||
        [...code.matchAll(TEMPLATE)].some(([sql]) => /\bp\.description\b/.test(sql) && BESIDE_TARGET.test(sql)),
    )
    .map(({ path }) => `${path} reads the text of a target without TARGET_TEXT`);

/** The folder of an operation is the first segment of its path. */
const OPERATION = /^packages\/server\/src\/operations\/(?<folder>[^/]+)\/(?:[^/]+\/)*(?<name>[^/]+)\.ts$/;

/** One operation per file, named after it. */
export const misnamedOperations: Find = (files) =>
  files
    .filter(({ path, bare }) => OPERATION.test(path) && /\b(?:operation|signInOperation)\(/.test(bare))
    .flatMap((file) => {
      const { folder = '', name } = OPERATION.exec(file.path)?.groups ?? {};
      // The paths of sign-in are relative to `/api/auth`.
      const [, segment] = /\bsignInOperation\(/.test(file.bare)
        ? ['', 'auth']
        : (/\bpath: '\/(\w[\w-]*)/.exec(file.code) ?? []);
      // The folder is in the singular.
      if (segment !== folder && segment !== `${folder}s`)
        return [`${file.path} answers /${segment}, which has another folder`];
      const ids = [...file.code.matchAll(/\bconst (\w+) = (?:operation|signInOperation)\(\{\s*id: '(\w+)'/g)];
      const [, constant, id] = ids[0] ?? [];
      return ids.length === 1 && constant === name && id === name
        ? []
        : [`${file.path} does not hold the one operation ${name}`];
    });

/** A key that is written again elsewhere drifts, and then a change does not reach what is shown. */
export function looseQueryKeys(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^apps\/\w+\/src\//.test(path) && !path.startsWith('apps/web/src/queries/'))
    .filter(({ code }) => /\b(?:query|mutation)Key: \[\s*'|\b[gs]etQuer(?:y|ies)Data(?:<[^(]*>)?\(\s*\[\s*'/.test(code))
    .map(({ path }) => `${path} writes a query key; keys are made in apps/web/src/queries`);
}

/** The only files that read posts or accounts of a platform: they ask for the reads that are left, and count them. */
const GATES: Record<string, readonly string[]> = {
  list: ['packages/server/src/watching/bounded-list.ts'],
  boundedList: ['packages/server/src/watching/bounded-list.ts', 'packages/server/src/watching/open-reader.ts'],
  file: ['packages/server/src/watching/open-reader.ts'],
  verify: ['packages/server/src/publishing/step/verify.ts'],
  confirm: ['packages/server/src/publishing/step/verify.ts'],
  open: [
    'packages/server/src/watching/open-reader.ts',
    'packages/server/src/publishing/step/step.ts',
    'packages/server/src/publishing/sessions.ts',
  ],
};
const HOLDER = String.raw`\b(?:watch|flow|connector)(?:\?|!)?`;
/** What reaches the calls of {@link GATES}: members, and parts of a connector taken out of it. Asking for existence is none. */
const REACHES: Record<string, RegExp> = {
  list: new RegExp(String.raw`${HOLDER}\.list\b(?! [!=]== undefined)|\{[^{}]*\blist\b[^{}]*\} = [^;]*\bwatch\b`),
  boundedList: /\bboundedList\(/,
  file: new RegExp(String.raw`${HOLDER}\.file\b(?! [!=]== undefined)|\{[^{}]*\bfile\b[^{}]*\} = [^;]*\bwatch\b`),
  verify: /\bconnector\.verify\b|\{[^{}]*\bverify\b[^{}]*\} = [^;]*\bconnector\b/,
  confirm: /\bconnector\.confirm\b|\{[^{}]*\bconfirm\b[^{}]*\} = [^;]*\bconnector\b/,
  open: /\bsessions\.(?:open|session)\(/,
};
const OF_CONNECTORS = /^packages\/server\/src\/(?!connectors\/)/;

export const ungatedReads: Find = (files) =>
  files
    .filter(({ path }) => OF_CONNECTORS.test(path))
    .flatMap((file) =>
      Object.entries(REACHES).flatMap(([name, pattern]) =>
        GATES[name]?.includes(file.path) ? [] : lines(file, file.bare, pattern, `reads a platform by "${name}"`),
      ),
    );
