import { existsSync, readdirSync } from 'node:fs';

const CONNECTORS = new URL('../../src/connectors/', import.meta.url);

/** Names of the platforms that have a connector folder. REELAY_TEST_PLATFORMS restricts them. */
export function platformFolders(): string[] {
  const only = process.env.REELAY_TEST_PLATFORMS?.split(',');
  return readdirSync(CONNECTORS)
    .filter((name) => existsSync(new URL(`${name}/index.ts`, CONNECTORS)) && (only?.includes(name) ?? true))
    .sort();
}
