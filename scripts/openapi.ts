/** Writes docs/openapi.json; with --check it says whether that file is in step. */
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../packages/server/src/http/openapi.ts';
import { OPERATIONS, TAGS } from '../packages/server/src/operations.ts';

const file = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS }), null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json is out of step: run npm run generate.');
  process.exit(1);
}
