/**
 * Writes docs/openapi.json.
 *   node scripts/openapi.ts [--check]     with --check: only checks that the file is up to date
 *   node scripts/openapi.ts --release     writes docs/openapi.released.json, the baseline for breaking changes
 */
import { OPERATIONS, RAWS, SIGN_IN, TAGS } from '../packages/server/src/app/operations.ts';
import { openApiDocument } from '../packages/server/src/http/openapi/document.ts';
import { putGenerated } from './generated-file.ts';
import { shapeOf, shapeText } from './openapi-shape.ts';

const document = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, raws: RAWS, signIn: SIGN_IN });
if (process.argv.includes('--release')) putGenerated('docs/openapi.released.json', shapeText(shapeOf(document)));
else putGenerated('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
