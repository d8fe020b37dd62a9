/**
 * Makes renditions in a child process, one after the other: `render-child.ts SOURCE FOLDER GIVEN`, where GIVEN is
 * {@link Given} as JSON. Prints how each ended, and how many files a failed one left.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { createMedia } from '../../src/media/media.ts';
import type { RenditionSpec } from '../../src/media/rendition/plan.ts';
import type { MediaTools } from '../../src/media/tools.ts';
import type { VideoFacts } from '../../src/media/types.ts';

/** Passed by the parent test, because locating the tools starts four programs. */
export interface Given {
  tools: MediaTools;
  facts: VideoFacts;
  specs: readonly RenditionSpec[];
}

const [, , source = '', folder = '', given = ''] = process.argv;
const { tools, facts, specs } = JSON.parse(given) as Given;
const media = createMedia(tools).of('user');
for (const spec of specs) {
  try {
    const made = await media.render(source, facts, spec, join(folder, 'out.mp4'));
    console.log(`made ${made.bytes} bytes`);
  } catch (error) {
    const why = error instanceof ReelayError ? error.code : String(error);
    console.log(`${why}, ${(await readdir(folder)).length} left`);
  }
}
