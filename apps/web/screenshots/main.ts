/**
 * npm run screenshots -- [FOLDER] [--only NAMES] [--variants NAMES]: starts a service with the sandbox and four weeks of
 * data, and takes pictures of every page in light, dark, narrow and wide. Prints pages that scroll sideways, have serious
 * accessibility problems or throw, and exits 1 if there are any. With --docs it takes the pictures of the documentation
 * instead. NAMES are parts of names, separated by commas.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withCleanUp, withFolder } from '../../../bench/kit/folder.ts';
import { openCamera, VARIANTS } from './camera.ts';
import { discoverPages, FIRST_RUN, filledScenes, NEW_USER, type Scene } from './scenes.ts';
import { fill, signUp, startEmpty } from './world.ts';

/** Folder of the documentation's pictures. */
const DOCS = 'docs/guide/pictures';

const { values, positionals } = parseArgs({
  options: { docs: { type: 'boolean' }, only: { type: 'string' }, variants: { type: 'string' } },
  allowPositionals: true,
});
const folder = resolve(positionals[0] ?? (values.docs ? DOCS : 'screenshots'));
await mkdir(folder, { recursive: true });

const only = values.only?.split(',');
const isWanted = ({ name }: Scene) => only?.some((part) => name.includes(part)) ?? true;
const chosen = values.variants?.split(',');
const variants = VARIANTS.filter(({ name }) => chosen?.includes(name) ?? true);
const findings: string[] = [];

await withFolder((data) =>
  withCleanUp(async (later) => {
    const service = await startEmpty(data);
    later(service.stop);
    const { url } = service;
    const onFinding = (finding: string) => {
      findings.push(finding);
      console.log(finding);
    };
    const camera = await openCamera({ url, folder, variants, onFinding });
    later(camera.close);
    if (!values.docs) await camera.take(FIRST_RUN.filter(isWanted), null, null);
    const session = await signUp(url);
    if (!values.docs) await camera.take(NEW_USER.filter(isWanted), session, null);
    const filled = await fill(data, url, session);
    const scenes = filledScenes(filled);
    if (values.docs) return camera.takeDocs(scenes.filter(isWanted), session, filled);
    const page = await camera.open({}, session);
    const more = await discoverPages(page, url, scenes);
    await camera.take([...scenes, ...more].filter(isWanted), session, filled);
  }),
);

console.log(`${findings.length} findings. The pictures are in ${folder}.`);
process.exitCode = findings.length > 0 ? 1 : 0;
