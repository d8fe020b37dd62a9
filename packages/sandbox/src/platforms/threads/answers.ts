/** Response builders of the Threads API. */
import { randomBytes } from 'node:crypto';
import type { SimulatorAnswer } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';

/** Thrown by a check; the route turns it into its response. */
export class Refused extends Error {
  readonly answer: SimulatorAnswer;

  constructor(answer: SimulatorAnswer) {
    super('refused');
    this.answer = answer;
  }
}

/** Runs a route and converts a thrown {@link Refused} to its response. */
export async function answering(work: () => Promise<SimulatorAnswer>): Promise<SimulatorAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

export function ok(body: JsonObject): SimulatorAnswer {
  return { status: 200, body };
}

export interface Problem {
  code: number;
  subcode?: number;
  message: string;
  type?: string;
  isTransient?: boolean;
  headers?: Record<string, string>;
}

/** The Graph API's error body; the code determines the status. */
export function apiError(problem: Problem): SimulatorAnswer {
  const { code, subcode, message, type = 'OAuthException', isTransient = false, headers } = problem;
  const error = {
    message,
    type,
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    is_transient: isTransient,
    fbtrace_id: `A${randomBytes(10).toString('base64url')}`,
  };
  const status = code === 1 || code === 2 ? 500 : code === 10 ? 403 : 400;
  return { status, body: { error }, ...(headers ? { headers } : {}) };
}

/** @throws Refused always */
export function refuse(problem: Problem): never {
  throw new Refused(apiError(problem));
}

/** A missing or invalid parameter. @throws Refused always */
export function invalid(message: string): never {
  refuse({ code: 100, message });
}

/** An error of the code exchange, which has its own format. @throws Refused always */
export function refuseCode(message: string): never {
  throw new Refused({ status: 400, body: { error_type: 'OAuthException', code: 400, error_message: message } });
}

/** A temporary error of the platform. */
export function unavailable(): SimulatorAnswer {
  return apiError({ code: 2, message: 'An unexpected error has occurred. Please retry later.', isTransient: true });
}

/** The error for exhausted calls. @param minutes wait stated by the header; absent: no header */
export function usedUp(minutes?: number): Problem {
  const problem = { code: 4, message: 'Application request limit reached', isTransient: true };
  if (minutes === undefined) return problem;
  const usage = [{ type: 'threads', call_count: 100, estimated_time_to_regain_access: minutes }];
  return { ...problem, headers: { 'x-business-use-case-usage': JSON.stringify({ '25000000000000001': usage }) } };
}
