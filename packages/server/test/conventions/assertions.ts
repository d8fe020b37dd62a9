/** Rules for assertions: each test has one, and browser tests wait for what they assert. */
import { closingOf, testsOf } from './test-calls.ts';
import type { SourceFile } from './tree.ts';

type Find = (files: readonly SourceFile[]) => string[];

const IS_HELPER = /^(?:packages|apps)\/[^/]+\/test\/.*\.tsx?$/;
const IS_TEST = /\.(?:test\.tsx?|e2e\.ts)$/;

const ASSERTS = /\bexpect\w*\s*[(.<]|\bfc\.assert\(|\bassert\w*\s*[(.]/;

/**
 * Every test file contains a test, and every test asserts something: itself, or by a helper of its file or of a test file
 * that it imports.
 */
export const emptyTests: Find = (files) => {
  const tests = files.filter(({ path }) => IS_HELPER.test(path));
  const helpers = assertingHelpers(tests);
  return tests.flatMap((file) => {
    const found = partsOf(file).tests;
    if (found.length === 0) return IS_TEST.test(file.path) ? [`${file.path} has no test`] : [];
    const names = helpers.get(file.path) ?? new Set();
    return found.filter(({ code }) => !asserts(code, names)).map(({ line }) => `${file.path}:${line} expects nothing`);
  });
};

interface Code {
  /** Whether it contains an assertion. */
  isAsserting: boolean;
  /** All names that it contains. */
  names: readonly string[];
}

const asserts = ({ isAsserting, names }: Code, helpers: ReadonlySet<string>) =>
  isAsserting || names.some((name) => helpers.has(name));

const codeOf = (bare: string): Code => ({
  isAsserting: ASSERTS.test(bare),
  names: [...new Set(bare.match(/[\w$]+/g))],
});

interface Parts {
  tests: { line: number; code: Code }[];
  functions: [name: string, code: Code][];
}

/** A planted tree shares most of its files with the others. */
const known = new WeakMap<SourceFile, Parts>();

function partsOf(file: SourceFile): Parts {
  const { bare } = file;
  const parts = known.get(file) ?? {
    tests: testsOf(bare).map(({ from, to }) => ({ line: lineOf(bare, from), code: codeOf(bare.slice(from, to)) })),
    functions: [...functionsOf(bare)].map(([name, code]) => [name, codeOf(code)] as [string, Code]),
  };
  known.set(file, parts);
  return parts;
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length;

/** A function, or a method, in the formatter's style. */
const DECLARATION =
  /^(\s*)(?:export )?(?:default )?(?:(?:async )?function\*? (\w+)|const (\w+) = (?!await )|(?:async )?(\w+)\([^=]*\{$|(\w+): (?:async )?(?:\(|\w+ =>))/;
const NOT_NAMED = /^(?:if|for|while|switch|catch|function|test|it|describe|expect|suite|then)$/;

/** Names of functions in a file, each with its code. Names of different scopes are not told apart. */
function functionsOf(bare: string): Map<string, string> {
  const lines = bare.split('\n');
  const found = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, indent = '', ...names] = DECLARATION.exec(line) ?? [];
    const name = names.find((each) => each !== undefined);
    if (!name || NOT_NAMED.test(name)) continue;
    const code = lines.slice(at, blockEnd(lines, at, indent.length)).join('\n');
    found.set(name, `${found.get(name) ?? ''}\n${code}`);
  }
  return found;
}

/** The line after a block: those that follow are not indented further, except for what closes it. */
function blockEnd(lines: readonly string[], start: number, indent: number): number {
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const depth = line.search(/\S/);
    if (depth < 0 || depth > indent) continue;
    if (depth < indent || !/[)\]}]/.test(line[depth] ?? '')) return at;
  }
  return lines.length;
}

/** For each file, the names of its own and directly imported functions that assert something, also through others. */
function assertingHelpers(files: readonly SourceFile[]): Map<string, Set<string>> {
  const own = new Map(files.map(({ path }) => [path, new Set<string>()]));
  const visible = ({ path, imports }: SourceFile) =>
    new Set([path, ...imports.map(({ to }) => to)].flatMap((each) => [...(own.get(each) ?? [])]));
  for (let isComplete = false; !isComplete; ) {
    isComplete = true;
    for (const file of files) {
      const names = own.get(file.path);
      const helpers = visible(file);
      const found = partsOf(file).functions.filter(([name, code]) => !names?.has(name) && asserts(code, helpers));
      for (const [name] of found) names?.add(name);
      if (found.length > 0) isComplete = false;
    }
  }
  return new Map(files.map((file) => [file.path, visible(file)]));
}

const EXPECT = /\bexpect(?:\.soft)?\(/g;
/** What a browser test reads once from a page that may still change. */
const READ =
  /\bawait\b[\s\S]*\.(?:inputValue|count|is(?:Checked|Visible|Hidden|Disabled|Enabled|Editable)|getAttribute|textContent|innerText|innerHTML|all(?:TextContents|InnerTexts)|title|evaluate|evaluateAll|boundingBox)\(|\.url\(\)/;

/** An assertion on a page waits: `await expect(locator)`, `expect.poll` or `toPass`. */
export const singleReads: Find = (files) =>
  files
    .filter(({ path }) => /^apps\/[^/]+\/test\/e2e\//.test(path))
    .flatMap(({ path, bare }) => {
      const all = [...bare.matchAll(EXPECT)].map(({ 0: name, index }) => {
        const to = closingOf(bare, index + name.length - 1);
        return { from: index, to, given: bare.slice(index + name.length, to - 1) };
      });
      const repeated = all.filter(
        ({ given, to }) => /^\s*async\b/.test(given) && /^\s*\.toPass\(/.test(bare.slice(to)),
      );
      return all
        .filter((each) => READ.test(each.given) && !repeated.includes(each))
        .filter(({ from }) => !repeated.some((outer) => outer.from < from && from < outer.to))
        .map(({ from }) => `${path}:${lineOf(bare, from)} reads the page once`);
    });
