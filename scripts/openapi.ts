/**
 * Writes docs/openapi.json.
 *   node scripts/openapi.ts [--check]     with --check: only checks that the file is up to date
 *   node scripts/openapi.ts --release     writes docs/openapi.released.json, the baseline for breaking changes
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../packages/server/src/http/openapi.ts';
import { OPERATIONS, RAWS, TAGS } from '../packages/server/src/operations.ts';

const at = (name: string) => new URL(`../docs/${name}`, import.meta.url);
const text = `${JSON.stringify(openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, raws: RAWS }), null, 2)}\n`;
if (process.argv.includes('--release')) writeFileSync(at('openapi.released.json'), text);
else if (!process.argv.includes('--check')) writeFileSync(at('openapi.json'), text);
else if (readFileSync(at('openapi.json'), 'utf8') !== text) {
  console.error('docs/openapi.json is out of step: run npm run generate.');
  process.exit(1);
}
