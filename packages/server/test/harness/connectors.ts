import { existsSync, readdirSync } from 'node:fs';
import type { Connector } from '../../src/connectors/contract.ts';
import type { SimulatorModule } from '../../src/connectors/kit/simulator.ts';

const FOLDER = new URL('../../src/connectors/', import.meta.url);

/** Every connector that has a folder, with its simulator: found by looking, so that none can be forgotten. */
export async function allConnectors(): Promise<{ connector: Connector; module: SimulatorModule }[]> {
  const names = readdirSync(FOLDER).filter((name) => existsSync(new URL(`${name}/index.ts`, FOLDER)));
  return Promise.all(
    names.sort().map(async (name) => {
      const { connector } = (await import(`../../src/connectors/${name}/index.ts`)) as { connector: Connector };
      const { simulator } = (await import(`../../src/connectors/${name}/simulator.ts`)) as {
        simulator: SimulatorModule;
      };
      return { connector, module: simulator };
    }),
  );
}
