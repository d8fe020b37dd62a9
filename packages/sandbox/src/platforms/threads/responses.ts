/** Response builders of the Threads API. */
import type { SimulatorResponse } from '../../contract.ts';
import { codeError, type GraphProblem, graphError } from '../../graph/responses.ts';
import { Refused } from '../../refused.ts';

/** The Graph API's error body, which always states whether the error is transient. */
export function apiError(problem: GraphProblem): SimulatorResponse {
  return graphError({ isTransient: false, ...problem });
}

/** @throws Refused always */
export function refuse(problem: GraphProblem): never {
  throw new Refused(apiError(problem));
}

export function invalidToken(subcode: number, message: string): SimulatorResponse {
  return apiError({ code: 190, subcode, message: `Error validating access token: ${message}` });
}

/** A missing or invalid parameter. @throws Refused always */
export function invalid(message: string): never {
  refuse({ code: 100, message });
}

/** An error of the code exchange. @throws Refused always */
export function refuseCode(message: string): never {
  throw new Refused(codeError(message));
}

/** A temporary error of the platform. */
export function unavailable(): SimulatorResponse {
  return apiError({ code: 2, message: 'An unexpected error has occurred. Please retry later.', isTransient: true });
}

/** The error for exhausted calls. @param minutes wait stated by the header; absent: no header */
export function usedUp(minutes?: number): GraphProblem {
  const problem = { code: 4, message: 'Application request limit reached', isTransient: true };
  if (minutes === undefined) return problem;
  const usage = [{ type: 'threads', call_count: 100, estimated_time_to_regain_access: minutes }];
  return { ...problem, headers: { 'x-business-use-case-usage': JSON.stringify({ '25000000000000001': usage }) } };
}
