import type { SimulatorModule } from '@reelay/sandbox/contract.ts';
import {
  type SimulatorOverrides as Overrides,
  type RunningSimulator as Running,
  startSimulator as start,
} from '../../../sandbox/test/harness/simulator.ts';
import type { Seen } from '../wire/table.ts';
import { placesOf, type WireWatch, watchWire } from '../wire/watch.ts';
import { tableOf } from './wire-tables.ts';

export { isWholeUpload } from '../../../sandbox/test/harness/simulator.ts';

export interface RunningSimulator extends Running {
  /** Requests that violate the platform's rules, each sentence once. Only if `wire` is set. */
  findings(): string[];
  /**
   * Closes all connections and stops listening.
   * @throws Error if a request violated the platform's rules
   */
  close(): Promise<void>;
}

export type SimulatorOverrides = Omit<Overrides, 'watch'> & {
  /**
   * Checks all requests against the platform's wire table. For connectors, not for tests that send invalid requests.
   */
  wire?: boolean;
  /** Called with each complete request. Only if `wire` is set. */
  seen?: (request: Seen) => void;
};

/** Serves a simulator on 127.0.0.1. To simulate a restart, start it again with the same store and blobs. */
export async function startSimulator(
  module: SimulatorModule,
  { wire = false, seen, ...overrides }: SimulatorOverrides = {},
): Promise<RunningSimulator> {
  const table = wire ? await tableOf(module.platform) : null;
  let wireWatch: WireWatch | undefined;
  const running = await start(module, {
    ...overrides,
    ...(table && {
      watch(server, url) {
        wireWatch = watchWire(server, { table, places: placesOf(module.endpoints(url), url), observe: seen });
        return wireWatch.see;
      },
    }),
  });
  const findings = () => wireWatch?.findings() ?? [];
  return {
    ...running,
    findings,
    async close() {
      await running.close();
      if (findings().length > 0) throw new Error(`What ${module.platform} forbids was sent:\n${findings().join('\n')}`);
    },
  };
}
