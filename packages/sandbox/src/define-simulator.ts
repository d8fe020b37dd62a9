/** Builds the module of a simulator from its parts. */
import type {
  Phone,
  PlatformRefusal,
  Route,
  SimulatedAccount,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from './contract.ts';

export interface SimulatorDefinition<Live> extends Omit<SimulatorModule, 'create'> {
  /** Creates what a restart ends: open connections. Everything else is in the store. */
  live?(): Live;
  routes(options: SimulatorOptions, live: Live): readonly Route[];
  /** The platform's response for each kind of error. */
  refusals(options: SimulatorOptions): Record<PlatformRefusal, SimulatorResponse>;
  /** See {@link Simulator.unknownRoute}. */
  unknownRoute(options: SimulatorOptions, request: { path: string }): SimulatorResponse;
  /** See {@link Simulator.enrol}; `tokenAnswer` and `credentials` default to null. */
  enrol(
    options: SimulatorOptions,
    username: string,
  ): Promise<Pick<SimulatedAccount, 'remoteId' | 'username'> & Partial<SimulatedAccount>>;
  /** See {@link Simulator.phone}. */
  phone?(options: SimulatorOptions, live: Live): Phone;
}

/** Returns the module of a simulator whose state is in its store. */
export function defineSimulator<Live = undefined>(definition: SimulatorDefinition<Live>): SimulatorModule {
  const { routes, refusals, enrol, unknownRoute, phone, live: begin, ...module } = definition;
  return {
    ...module,
    create(options) {
      const live = begin?.() as Live;
      return {
        platform: module.platform,
        routes: routes(options, live),
        refusal: (kind) => refusals(options)[kind],
        unknownRoute: (request) => unknownRoute(options, request),
        enrol: async (username) => ({ tokenAnswer: null, credentials: null, ...(await enrol(options, username)) }),
        ...(phone && { phone: phone(options, live) }),
      };
    },
  };
}
