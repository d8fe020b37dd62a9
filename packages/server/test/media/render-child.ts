/** Makes a rendition in a process of its own: `render-child.ts SOURCE SPEC FOLDER`. Prints how it ended. */
import { join } from 'node:path';
import { ReelayError } from '../../src/errors.ts';
import { createMedia } from '../../src/media/media.ts';
import type { RenditionSpec } from '../../src/media/rendition/plan.ts';
import { findTools } from '../../src/media/tools.ts';

const [, , source = '', spec = '', folder = ''] = process.argv;
const media = createMedia(await findTools());
const facts = await media.check(source);
try {
  const made = await media.render(source, facts, JSON.parse(spec) as RenditionSpec, join(folder, 'out.mp4'));
  console.log(`made ${made.bytes} bytes`);
} catch (error) {
  console.log(error instanceof ReelayError ? error.code : String(error));
}
