/**
 * What `global-setup.ts` makes once for a whole run. It is in the environment, because every test runner passes that to its
 * processes.
 */
import type pg from 'pg';
import type { MediaTools } from '../../src/media/tools.ts';

export interface Provided {
  server: pg.ClientConfig & { template: string };
  /** Creates and drops databases; their owner is the user of `server`, as in an installation. */
  admin: pg.ClientConfig;
  /** Detected once per run, because each detection starts four programs. */
  tools: MediaTools;
}

const NAME = 'REELAY_TEST_PROVIDED';

/** For the set-up of a run. */
export function provide(all: Provided): void {
  process.env[NAME] = JSON.stringify(all);
}

/** @throws Error outside of a run */
export function provided<Name extends keyof Provided>(name: Name): Provided[Name] {
  const text = process.env[NAME];
  if (!text) throw new Error('There is no set-up. Start the tests with npm test or npm run test:e2e.');
  return (JSON.parse(text) as Provided)[name];
}
