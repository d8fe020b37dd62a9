/** Response builders: the Graph API's error body and the upload host's different format. */
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

export interface GraphProblem {
  code: number;
  subcode?: number;
  message: string;
  type?: string;
  isTransient?: boolean;
  headers?: Record<string, string>;
}

/** The Graph API's error body; the code determines the status. */
export function graphError(problem: GraphProblem): SimulatorAnswer {
  const { code, subcode, message, type = 'OAuthException', isTransient, headers } = problem;
  const error = {
    message,
    type,
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    ...(isTransient === undefined ? {} : { is_transient: isTransient }),
    fbtrace_id: `A${randomBytes(10).toString('base64url')}`,
  };
  return { status: statusOf(code), body: { error }, ...(headers ? { headers } : {}) };
}

/** @throws Refused always */
export function refuse(problem: GraphProblem): never {
  throw new Refused(graphError(problem));
}

/** A missing or invalid parameter. @throws Refused always */
export function invalid(message: string): never {
  refuse({ code: 100, message: `(#100) ${message}` });
}

/** The upload host's error format. */
export function uploadError(
  type: 'OffsetInvalidError' | 'PartialRequestError' | 'ProcessingFailedError',
  message: string,
): SimulatorAnswer {
  return { status: 400, body: { debug_info: { retriable: type !== 'ProcessingFailedError', type, message } } };
}

/** A temporary error of the platform. */
export function unavailable(): SimulatorAnswer {
  return graphError({ code: 2, message: 'Service temporarily unavailable', isTransient: true });
}

function statusOf(code: number): number {
  if (code === 1 || code === 2) return 500;
  return code === 10 || (code >= 200 && code <= 299) ? 403 : 400;
}
