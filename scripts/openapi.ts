/**
 * Writes docs/openapi.json.
 *   node scripts/openapi.ts [--check]     says whether that file is in step instead
 *   node scripts/openapi.ts --release     writes docs/openapi.released.json: what later changes must not break
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
