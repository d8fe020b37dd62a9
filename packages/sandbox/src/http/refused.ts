import type { SimulatorAnswer } from '../contract.ts';

/** Thrown by a route to end it with this response. */
export class Refused extends Error {
  readonly answer: SimulatorAnswer;

  constructor(answer: SimulatorAnswer) {
    super(`Refused with ${answer.status}.`);
    this.answer = answer;
  }
}

/** Returns the response of a {@link Refused}, and throws any other error. For `catch`. */
export function answerOf(error: unknown): SimulatorAnswer {
  if (error instanceof Refused) return error.answer;
  throw error;
}
