/** Error tables: rows of status, code and message → failure. The first matching row applies. */
import { DAY } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { sayOf } from '../../messages/timeline.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { rateLimited, withWords } from './failures.ts';
import { tameWords } from './words.ts';

/** An error as the platform states it. A platform may add fields, which its rows then read. */
export interface PlatformProblem {
  /** The response; absent if the error is part of a successful one. */
  response?: HttpResponse;
  /** The platform's code; "" if absent. */
  code: string;
  /** The platform's message, unsanitized. Shown only sanitized, by {@link findFailure}. */
  message: string;
  /** The platform's id of the request. */
  requestId?: string;
}

/** What a row's failure is built from. */
interface Stated {
  /** HTTP status; 0 without a response. */
  status: number;
}

/** A row matches if all its conditions do. A row without conditions always matches. */
export interface ErrorRow<P extends PlatformProblem = PlatformProblem> {
  /** A status, or an inclusive range. */
  status?: number | readonly [from: number, to: number];
  code?: string | readonly string[] | RegExp;
  message?: RegExp;
  when?: (problem: P) => boolean;
  failure: Failure | ((problem: P & Stated) => Failure);
}

/** A table whose last row matches everything. */
export type ErrorTable<P extends PlatformProblem = PlatformProblem> = readonly [
  ...ErrorRow<P>[],
  Pick<ErrorRow<P>, 'failure'>,
];

/** Matches any code but "". */
export const ANY_CODE = /^./s;

/** 4xx statuses that leave the outcome of a send open: a timeout, and a conflict, perhaps with its own first copy. */
export const OPEN_STATUSES: readonly number[] = [408, 409];

/** Maps a problem to a failure with the response's status, code and request id. Never throws. */
export function classify<P extends PlatformProblem>(table: ErrorTable<P>, problem: P): Failure {
  const { response, code, requestId } = problem;
  return {
    ...(findFailure(table, problem) as Failure),
    ...(response ? { status: response.status } : {}),
    ...(code ? { platformCode: code } : {}),
    ...(requestId ? { requestId } : {}),
  };
}

/** Returns the failure of the first matching row with the platform's own words, or null. */
export function findFailure<P extends PlatformProblem>(rows: readonly ErrorRow<P>[], problem: P): Failure | null {
  const row = rows.find((each) => matches(each, problem));
  if (!row) return null;
  const { failure } = row;
  const own = typeof failure === 'function' ? failure({ ...problem, status: statusOf(problem) }) : failure;
  return withWords(own, tameWords(problem.message));
}

function matches<P extends PlatformProblem>({ status, code, message, when }: ErrorRow<P>, problem: P): boolean {
  return (
    (status === undefined || isStatus(status, statusOf(problem))) &&
    (code === undefined || isCode(code, problem.code)) &&
    (message === undefined || message.test(problem.message)) &&
    (when === undefined || when(problem))
  );
}

const statusOf = ({ response }: PlatformProblem) => response?.status ?? 0;

function isStatus(wanted: NonNullable<ErrorRow['status']>, status: number): boolean {
  return typeof wanted === 'number' ? status === wanted : status >= wanted[0] && status <= wanted[1];
}

function isCode(wanted: NonNullable<ErrorRow['code']>, code: string): boolean {
  if (wanted instanceof RegExp) return wanted.test(code);
  return typeof wanted === 'string' ? code === wanted : wanted.includes(code);
}

/** Rows for codes whose failures differ in their texts alone. @param details texts by code */
export function rowsOf(failure: (detail: Message) => Failure, details: Readonly<Record<string, Message>>): ErrorRow[] {
  return Object.entries(details).map(([code, detail]) => ({ code, failure: failure(detail) }));
}

/** The failure of a rate limit. @param otherwiseMs the wait if the response asks for none */
export function tooManyRequests(name: string, otherwiseMs: number, scope: 'account' | 'app' = 'account') {
  return ({ response }: PlatformProblem): Failure =>
    rateLimited(scope, 'rate', retryAfterMs(response, otherwiseMs), sayOf(name)('rate_limited'));
}

/** Returns the wait that `Retry-After` asks for in seconds, at most one day; `otherwiseMs` if it asks for none. */
export function retryAfterMs(response: Pick<HttpResponse, 'headers'> | undefined, otherwiseMs: number): number {
  const seconds = Number(response?.headers['retry-after'] ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1000, DAY) : otherwiseMs;
}
