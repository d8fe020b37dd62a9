import type { Route, SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../contract.ts';

export type Handler = (options: SimulatorOptions, request: SimulatorRequest) => Promise<SimulatorResponse>;

/** Handles a request whose caller is authenticated. */
export type CallerHandler<Caller> = (
  options: SimulatorOptions,
  request: SimulatorRequest,
  caller: Caller,
) => Promise<SimulatorResponse>;

/** Returns a function that makes routes of handlers, which all receive the simulator's options. */
export function routesWith(options: SimulatorOptions) {
  return (method: Route['method'], path: string, handler: Handler): Route => ({
    method,
    path,
    handle: (request) => handler(options, request),
  });
}
