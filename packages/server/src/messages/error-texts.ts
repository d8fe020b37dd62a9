/** Creates the messages of errors from the table of errors. */
import { ERRORS, type ErrorCode } from './error-codes.ts';
import { ERROR_MESSAGES } from './errors.ts';
import { type Message, type MessageParams, type MessageTable, messagesOf } from './message.ts';

/** The message of each code, and of each specific problem. */
export type ErrorTexts = { readonly [Code in ErrorCode]: (typeof ERRORS)[Code][1] };
export type ProblemTexts = { readonly [Key in keyof typeof ERROR_MESSAGES]: (typeof ERROR_MESSAGES)[Key][1] };

const textsOf = (table: Readonly<Record<string, readonly [unknown, string]>>): MessageTable =>
  Object.fromEntries(Object.entries(table).map(([code, [, text]]) => [code, text]));

export const ERROR_TEXTS = textsOf(ERRORS);
export const PROBLEM_TEXTS = textsOf(ERROR_MESSAGES);

const sayError = messagesOf(ERROR_TEXTS, {}, 'error.') as (code: string) => Message;
const sayProblem = messagesOf(PROBLEM_TEXTS, {}, 'problem.') as (key: string, params: MessageParams) => Message;

/** The default message of a code. */
export const errorMessage = (code: ErrorCode): Message => sayError(code);

/** The message of a specific problem. `apiError` checks the parameters. */
export const problemMessage = (key: keyof ProblemTexts, params: MessageParams): Message => sayProblem(key, params);
