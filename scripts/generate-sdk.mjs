/**
 * Generates the types of the SDK from docs/openapi.json.
 *   node scripts/generate-sdk.mjs [--check]
 * With --check nothing is written; exits 1 if they are out of date.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { putGenerated } from './generated-file.ts';

const at = (path) => new URL(`../${path}`, import.meta.url);

// The generator uses its own version of TypeScript, which is installed with it in the SDK package.
const { resolve } = createRequire(at('packages/sdk/package.json'));
const { astToString, default: openapiTS } = await import(resolve('openapi-typescript').replace(/\.cjs$/, '.mjs'));

const document = JSON.parse(readFileSync(at('docs/openapi.json'), 'utf8'));
const types = astToString(await openapiTS(withoutGroups(document), { alphabetize: true, immutable: false }));
const source = `// Made by scripts/generate-sdk.mjs from docs/openapi.json. Run it again instead of editing.\n${types}`;

putGenerated('packages/sdk/src/generated/schema.ts', source);

/** Removes each anyOf or oneOf that only lists required combinations of properties: its type would be `unknown`. */
function withoutGroups(value) {
  if (Array.isArray(value)) return value.map(withoutGroups);
  if (typeof value !== 'object' || value === null) return value;
  const isGroups = (list) => Array.isArray(list) && list.every((each) => Object.keys(each).join() === 'required');
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(/^(?:anyOf|oneOf)$/.test(key) && isGroups(inner)))
      .map(([key, inner]) => [key, withoutGroups(inner)]),
  );
}
