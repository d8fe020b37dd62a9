/** Responses of the Graph API, which several platforms of one company use. */
import { randomBytes } from 'node:crypto';
import type { SimulatorResponse } from '../contract.ts';
import type { JsonObject } from '../json.ts';

export function ok(body: JsonObject): SimulatorResponse {
  return { status: 200, body };
}

export interface GraphProblem {
  code: number;
  subcode?: number;
  message: string;
  /** `error_user_title`: a short title for users. */
  title?: string;
  type?: string;
  isTransient?: boolean;
  headers?: Record<string, string>;
}

/** The Graph API's error body; the code determines the status. */
export function graphError(problem: GraphProblem): SimulatorResponse {
  const { code, subcode, message, type = 'OAuthException', isTransient, headers } = problem;
  const error = {
    message,
    type,
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    ...(isTransient === undefined ? {} : { is_transient: isTransient }),
    ...(problem.title === undefined ? {} : { error_user_title: problem.title }),
    fbtrace_id: `A${randomBytes(10).toString('base64url')}`,
  };
  return { status: statusOf(code), body: { error }, ...(headers ? { headers } : {}) };
}

function statusOf(code: number): number {
  if (code === 1 || code === 2) return 500;
  return code === 10 || (code >= 200 && code <= 299) ? 403 : 400;
}

export type UploadError = 'OffsetInvalidError' | 'PartialRequestError' | 'ProcessingFailedError' | 'NotAuthorizedError';

/** The upload host has its own error format. A failure of processing is final. */
export function uploadError(type: UploadError, message: string): SimulatorResponse {
  const failed = type === 'ProcessingFailedError';
  const retriable = !failed && type !== 'NotAuthorizedError';
  const text = failed ? JSON.stringify({ success: false, error: { message } }) : message;
  return { status: 400, body: { debug_info: { retriable, type, message: text } } };
}

/** The code exchange has its own error format. */
export function codeError(message: string): SimulatorResponse {
  return { status: 400, body: { error_type: 'OAuthException', code: 400, error_message: message } };
}

/** ISO 8601 in the Graph API's format: `2026-11-21T10:00:00+0000`. */
export function graphTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}

/** A header's whole number; null if absent or malformed. */
export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
