import type { SimulatorResponse } from '../contract.ts';

/** Thrown by a route to end it with this response. */
export class Refused extends Error {
  readonly answer: SimulatorResponse;

  constructor(response: SimulatorResponse) {
    super(`Refused with ${response.status}.`);
    this.answer = response;
  }
}

/** Returns the response of a {@link Refused}, and throws any other error. For `catch`. */
export function answerOf(error: unknown): SimulatorResponse {
  if (error instanceof Refused) return error.answer;
  throw error;
}
