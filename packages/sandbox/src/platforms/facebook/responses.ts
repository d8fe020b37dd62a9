/** Error responses of the Graph API. */
import type { SimulatorResponse } from '../../contract.ts';
import { type GraphProblem, graphError } from '../../graph/responses.ts';
import { Refused } from '../../refused.ts';

/** @throws Refused always */
export function refuse(problem: GraphProblem): never {
  throw new Refused(graphError(problem));
}

/** A missing or invalid parameter. @throws Refused always */
export function invalid(message: string): never {
  refuse({ code: 100, message: `(#100) ${message}` });
}

/** A temporary error of the platform. */
export function unavailable(): SimulatorResponse {
  return graphError({ code: 2, message: 'Service temporarily unavailable', isTransient: true });
}

export function invalidToken(subcode: number, message: string): SimulatorResponse {
  return graphError({ code: 190, subcode, message: `Error validating access token: ${message}` });
}

/** The error for the exhausted calls of a Page, with a wait of a minute. */
export function usedUp(pageId: string): SimulatorResponse {
  const usage = { type: 'pages', call_count: 100, total_cputime: 20, total_time: 20 };
  return graphError({
    code: 80_001,
    message: '(#80001) There have been too many calls to this Page account. Wait a bit and try again.',
    headers: {
      'x-business-use-case-usage': JSON.stringify({ [pageId]: [{ ...usage, estimated_time_to_regain_access: 1 }] }),
    },
  });
}

/** @throws Refused always */
export function refuseField(field: string, node: 'Page' | 'Video'): never {
  return invalid(`Tried accessing nonexisting field (${field}) on node type (${node})`);
}
