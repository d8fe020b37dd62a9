/** Counts idiosyncratic expressions in comments, and the words of test titles. */
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

/** Counts words and idiosyncratic expressions in the comments of programs. */
export function countExpressions(files: readonly SourceFile[]): LanguageCount {
  const counts = files
    .filter(({ path }) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith('conventions/language.ts'))
    .map((file) => {
      const comments = commentsOf(file);
      const found = EXPRESSIONS.flatMap((expression) =>
        [...comments.matchAll(new RegExp(expression, 'gi'))].map(({ 0: match }) => `${file.path}: ${match}`),
      );
      return { words: comments.match(/[A-Za-z][\w'-]*/g)?.length ?? 0, found };
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

/** Number of words of each test title. */
export function titleLengths(files: readonly SourceFile[]): number[] {
  return files
    .filter(({ path }) => /\.(?:test\.tsx?|e2e\.ts)$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(TITLE)].map(([, , title = '']) => title.trim().split(/\s+/).length));
}
