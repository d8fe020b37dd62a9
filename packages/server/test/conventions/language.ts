/** Counts idiosyncratic expressions in comments, test titles, messages and documents, and the words of test titles. */
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
  /\bas (?:it|they) (?:is|are|was|were|stands?)\b/,
  /\b(?:borne|bears|heeds?|fares?|dearest|dearer|shall|hence|thereby)\b/,
  /\blook(?:s|ed|ing)?\b(?! (?:up|like)\b)/,
  /\bbooks?\b/,
  /\b(?:in|at) hand\b/,
  /\bbehind (?:it|a|the|them|this|that)\b/,
  /\b(?:makes?|made) way\b/,
  /\bcame\b/,
  /\bsays so\b/,
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

/** What people read, by kind. */
const KINDS = {
  comments: { path: /\.(?:ts|mjs)$/, textOf: (file) => commentsOf(file) },
  titles: { path: /\.(?:test\.tsx?|e2e\.ts)$/, textOf: (file) => titlesOf(file).join('. ') },
  messages: {
    path: /^(?:packages\/(?:server|cli)\/src|apps\/[^/]+\/src)\/(?!.*(?:\/de\/|\.de\.)).*\bmessages(?:\/en)?(?:\/[^/]+)?\.ts$/,
    textOf: (file) => stringsOf(file).join('. '),
  },
  // A copy, and what was written for each change.
  documents: { path: /^(?!docs\/spec\/|CHANGELOG).*\.md$/, textOf: ({ text }) => text },
} as const satisfies Record<string, Kind>;

export type TextKind = keyof typeof KINDS;

/** Counts words and idiosyncratic expressions in the texts of one kind. */
export function countExpressions(files: readonly SourceFile[], kind: TextKind): LanguageCount {
  const { path: isKind, textOf }: Kind = KINDS[kind];
  const counts = files
    .filter(({ path }) => isKind.test(path) && !path.endsWith('conventions/language.ts'))
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
function commentsOf({ text, code }: SourceFile): string {
  return text
    .split('')
    .map((character, index) => (code[index] === character ? ' ' : character))
    .join('')
    .replace(/[\s*/]+/g, ' ');
}

const TITLE = /^\s*(?:test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['`])(.*?)\1/gm;

function titlesOf({ text }: SourceFile): string[] {
  return [...text.matchAll(TITLE)].map(([, , title = '']) => title.trim());
}

const STRING = /'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g;

/** The string literals of a file, outside of its comments. */
function stringsOf({ code }: SourceFile): string[] {
  return [...code.matchAll(STRING)].map(([, plain, template]) => plain ?? template ?? '');
}

/** Number of words of each test title. */
export function titleLengths(files: readonly SourceFile[]): number[] {
  return files
    .filter(({ path }) => KINDS.titles.path.test(path))
    .flatMap((file) => titlesOf(file).map((title) => title.split(/\s+/).length));
}
