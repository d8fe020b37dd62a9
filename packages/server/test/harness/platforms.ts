import { existsSync, readdirSync } from 'node:fs';

const CONNECTORS = new URL('../../src/connectors/', import.meta.url);

/** Names of the platforms that have a folder with a connector. */
export function platformFolders(): string[] {
  return readdirSync(CONNECTORS)
    .filter((name) => existsSync(new URL(`${name}/index.ts`, CONNECTORS)))
    .sort();
}
