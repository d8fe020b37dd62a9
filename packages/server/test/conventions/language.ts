/** Finds idiosyncratic expressions in what people read, and test titles that are long or have no subject. */
import { groupsOf, testsOf } from './test-calls.ts';
import type { SourceFile } from './tree.ts';

/** Each has a standard term; `docs/glossary.md` lists the project's own. */
const EXPRESSIONS: readonly RegExp[] = [
  /\bwho(?:ever|soever)\b/,
  /\bwhat(?:ever|soever)\b/,
  /\banew\b/,
  /\bso (?:many|much|long|few|often|large)\b(?! (?:as|that)\b)/,
  /\bfor ever\b/,
  /\bmend(?:s|ed|ing)?\b/,
  /\bformer(?:ly)?\b/,
  /\bwhat (?:came|comes|becomes?|became) of\b/,
  /\b(?:is|are|be|was|were) (?:told|said)\b/,
  /\bthere (?:is|are|was|were) none\b/,
  /\btwins?\b/,
  /\b(?:struck|strokes?)\b/,
  /\blaid down\b/,
  /\bstands? (?:against|in the way|there|open)\b/,
  /\bby the way\b/,
  /\bof (?:itself|themselves)\b/,
  /(?<!\b(?:soon|far|long) )\bas (?:it|they) (?:is|are|was|were|stands?)\b(?! \w+(?:ed|en|wn|ad|nt)\b)/,
  /\b(?:borne|bears|heeds?|fares?|dearest|dearer|shall|hence|thereby)\b/,
  /(?<![`'])\blook(?:s|ed|ing)?\b(?! (?:up|like|for)\b)/,
  /\bbooks?\b/,
  /\b(?:in|at) hand\b/,
  /(?<!\blag )\bbehind (?:it|a|the|them|this|that)\b(?! (?:proxy|same|scenes)\b)/,
  /\b(?:makes?|made) way\b/,
  /\bcame\b/,
  /\bsays so\b/,
  /\bafter all\b(?! \w)/,
  /\bworth (?:it|an?)\b/,
  /\bat a glance\b/,
  /\b(?:is|are) meant\b/,
  /\blast word\b/,
  /\bno news\b/,
  /\bin vain\b/,
  /\bstands? (?:next|beside|below|alone|where)\b/,
  /\bgo(?:es)? on\b/,
  /\b(?:likeness|offences?|make-believe|mercy)\b/,
];

export interface LanguageCount {
  words: number;
  /** Each expression with its file. */
  found: string[];
}

type TextOf = (file: SourceFile) => string;

interface Kind {
  path: RegExp;
  textOf: TextOf;
}

/** Copies of texts that are not ours, and what was written for each change. */
const NOT_OURS = /^(?:docs\/spec\/|CHANGELOG)/;
const SCRIPTS =
  /^(?:(?:scripts|bench|chaos|test-support|apps\/\w+\/screenshots|packages\/cli\/src)\/.*\.(?:ts|mjs|sh)|\.ci\/run)$/;

/** What people read, by kind. */
const KINDS = {
  comments: { path: /\.(?:tsx?|mjs)$/, textOf: (file) => commentsOf(file) },
  titles: { path: /\/test\/.*\.tsx?$/, textOf: (file) => [...titlesOf(file), ...groupTitlesOf(file)].join('. ') },
  messages: {
    path: /^(?:packages\/(?:server|cli)\/src|apps\/[^/]+\/src)\/(?!.*(?:\/de\/|\.de\.)).*\bmessages(?:\/en)?(?:\/[^/]+)?\.ts$/,
    textOf: (file) => stringsOf(file).join('. '),
  },
  /** What scripts and the command line print, with the comments of shell scripts. */
  output: { path: SCRIPTS, textOf: (file) => (/\.\w+$/.test(file.path) ? stringsOf(file).join('. ') : file.text) },
  documents: { path: /\.md$/, textOf: ({ text }) => text },
} as const satisfies Record<string, Kind>;

export type TextKind = keyof typeof KINDS;

/** Counts words and idiosyncratic expressions in the texts of one kind. */
export function countExpressions(files: readonly SourceFile[], kind: TextKind): LanguageCount {
  const { path: isKind, textOf }: Kind = KINDS[kind];
  const counts = files
    .filter(({ path }) => isKind.test(path) && !NOT_OURS.test(path) && !path.endsWith('conventions/language.ts'))
    .map((file) => {
      const text = textOf(file).replace(/\s+/g, ' ');
      const found = EXPRESSIONS.flatMap((expression) =>
        [...text.matchAll(new RegExp(expression, 'gi'))].map(({ 0: match }) => `${file.path}: ${match}`),
      );
      return { words: text.match(/[A-Za-z][\w'-]*/g)?.length ?? 0, found };
    });
  return {
    words: counts.reduce((sum, { words }) => sum + words, 0),
    found: counts.flatMap(({ found }) => found),
  };
}

/** Joins the comments of a file to one line, so that an expression is found across a line break. */
export function commentsOf({ text, code }: SourceFile): string {
  return text
    .split('')
    .map((character, index) => (code[index] === character ? ' ' : character))
    .join('')
    .replace(/[\s*/]+/g, ' ');
}

/** The first string of the arguments; a call may wrap it. */
const TITLE = /^\(\s*(?:\w+\(\s*)?(['"`])((?:\\.|(?!\1)[^\\])*)\1/;

/** @param from offset of the arguments */
function titleAt(code: string, from: number): string[] {
  const title = TITLE.exec(code.slice(from, from + 500))?.[2];
  return title === undefined ? [] : [title.trim().replace(/\\(['"])/g, '$1')];
}

const titlesOf = ({ code, bare }: SourceFile) => testsOf(bare).flatMap((call) => titleAt(code, call.argumentsFrom));
const groupTitlesOf = ({ code, bare }: SourceFile) =>
  groupsOf(bare).flatMap((call) => titleAt(code, call.argumentsFrom));

const STRING = /'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g;

/** The string literals of a file, outside of its comments. */
function stringsOf({ code }: SourceFile): string[] {
  return [...code.matchAll(STRING)].map(([, plain, template]) => plain ?? template ?? '');
}

/** The titles of more words than a reader of a list of failures takes in. Each has its file and number of words. */
export const longTitles = (files: readonly SourceFile[], maxWords: number): string[] =>
  files
    .filter(({ path }) => KINDS.titles.path.test(path))
    .flatMap((file) => titlesOf(file).map((title) => ({ title, path: file.path, words: title.split(/\s+/).length })))
    .filter(({ words }) => words > maxWords)
    .map(({ title, path, words }) => `${path}: ${title} (${words} words)`);

/** The first words of a title that has no subject: verbs that are not also nouns, and prepositions. */
const FRAGMENT =
  /^(?:is|are|was|were|has|have|does|do|can|cannot|needs?|stays?|after|at|before|behind|between|by|for|from|in|into|of|on|only|over|since|than|that|through|to|under|until|what|when|where|which|while|who|whose|with|without|accepts|asks|creates|deletes|detects|escapes|exits|finds|gets|ignores|keeps|never|offers|prints|reduces|refuses|rejects|removes|reports|retries|returns|says|sends|serves|shows|uses|works|writes)\b/i;

/** The tests outside of any group whose titles do not name a subject. */
export const fragments = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => KINDS.titles.path.test(path) && /\.(?:test\.tsx?|e2e\.ts)$/.test(path))
    .flatMap(({ path, code, bare }) => {
      const groups = groupsOf(bare);
      return testsOf(bare)
        .filter(({ from }) => !groups.some((group) => group.from < from && from < group.to))
        .flatMap((call) => titleAt(code, call.argumentsFrom))
        .filter((title) => FRAGMENT.test(title))
        .map((title) => `${path}: ${title}`);
    });
