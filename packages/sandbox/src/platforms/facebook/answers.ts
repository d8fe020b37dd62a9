/** Error responses of the Graph API. */
import type { SimulatorResponse } from '../../contract.ts';
import { type GraphProblem, graphError } from '../../graph/answers.ts';
import { Refused } from '../../http/refused.ts';

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
