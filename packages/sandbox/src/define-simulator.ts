/** Builds the module of a simulator from its parts. */
import type {
  PlatformRefusal,
  Route,
  SimulatedAccount,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from './contract.ts';

export interface SimulatorDefinition extends Omit<SimulatorModule, 'create'> {
  routes(options: SimulatorOptions): readonly Route[];
  /** The platform's response for each kind of error. */
  refusals(options: SimulatorOptions): Record<PlatformRefusal, SimulatorResponse>;
  /** See {@link Simulator.unknownRoute}. */
  unknownRoute(options: SimulatorOptions, request: { path: string }): SimulatorResponse;
  /** See {@link Simulator.enrol}; `tokenAnswer` and `credentials` default to null. */
  enrol(
    options: SimulatorOptions,
    username: string,
  ): Promise<Pick<SimulatedAccount, 'remoteId' | 'username'> & Partial<SimulatedAccount>>;
}

/** Returns the module of a simulator whose state is all in its store. */
export function defineSimulator(definition: SimulatorDefinition): SimulatorModule {
  const { routes, refusals, enrol, unknownRoute, ...module } = definition;
  return {
    ...module,
    create: (options) => ({
      platform: module.platform,
      routes: routes(options),
      refusal: (kind) => refusals(options)[kind],
      unknownRoute: (request) => unknownRoute(options, request),
      enrol: async (username) => ({ tokenAnswer: null, credentials: null, ...(await enrol(options, username)) }),
    }),
  };
}
