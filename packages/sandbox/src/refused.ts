import type { SimulatorResponse } from './contract.ts';

/** Thrown by a route to end it with this response. */
export class Refused extends Error {
  readonly response: SimulatorResponse;

  constructor(response: SimulatorResponse) {
    super(`Refused with ${response.status}.`);
    this.response = response;
  }
}

/** Thrown by a phone: the platform's app could not do this. The message says why. */
export class PhoneRefused extends Error {}

/** Returns the response of a {@link Refused}, and throws any other error. For `catch`. */
export function responseOf(error: unknown): SimulatorResponse {
  if (error instanceof Refused) return error.response;
  throw error;
}
