import type { SimulatorModule } from '@reelay/sandbox/contract.ts';
import type { Connector } from '../../src/connectors/contract.ts';
import { platformFolders } from './platforms.ts';

export interface FoundConnector {
  connector: Connector;
  module: SimulatorModule;
}

/** Every connector that has a folder, with its simulator. Discovered from the file system, so that none is missed. */
export const allConnectors = (): Promise<FoundConnector[]> => Promise.all(platformFolders().map(connectorOf));

/** @param folder name of the platform's folder */
export async function connectorOf(folder: string): Promise<FoundConnector> {
  const { connector } = (await import(`../../src/connectors/${folder}/index.ts`)) as { connector: Connector };
  const { simulator } = (await import(`@reelay/sandbox/platforms/${folder}/index.ts`)) as {
    simulator: SimulatorModule;
  };
  return { connector, module: simulator };
}

/** @param home URL of a folder, with a trailing slash. Node itself imports it, so do not use it inside a test runner */
export async function connectorAt(home: string): Promise<FoundConnector> {
  const { connector } = (await import(new URL('index.ts', home).href)) as { connector: Connector };
  const { simulator } = (await import(new URL('simulator.ts', home).href)) as { simulator: SimulatorModule };
  return { connector, module: simulator };
}
