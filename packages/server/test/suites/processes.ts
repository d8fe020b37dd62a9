/** The cases whose workers are separate processes, killed or frozen: one list per connector. */
import { afterAll, describe, expect, type TaskMeta, test } from 'vitest';
import type { FoundConnector } from '../harness/connectors.ts';
import { drawn as draw, ONE_IN } from '../harness/draw.ts';
import type { World } from '../harness/world.ts';
import { createWorlds, type Worlds } from '../harness/worlds.ts';
import { broken, type CaseResult, discover, MOMENTS, restsWell } from './connector.ts';
import { FREEZES, freezeAt, freezeBeforeSend, killAt } from './kill.ts';
import { reportEnd, reportedAs } from './reported-cases.ts';

export interface ProcessCase {
  platform: string;
  kind: 'killed' | 'frozen';
  name: string;
  /** The platform's only world. */
  worlds: Worlds;
  run: (world: World) => Promise<CaseResult>;
}

export interface ProcessCases {
  platform: string;
  worlds: Worlds;
  cases: readonly ProcessCase[];
}

/**
 * Lists all cases of one connector.
 * @param home URL of the folder of its two files, if it is not the folder of all platforms
 */
export async function processCasesOf({ connector, module }: FoundConnector, home?: string): Promise<ProcessCases> {
  const platform = connector.name;
  const worlds = createWorlds({ connector, module, ...(home ? { home } : {}) }, 1);
  const requests = await worlds.run(discover);
  const cases = requests.flatMap(({ index, method, path }): ProcessCase[] => {
    const about = (kind: ProcessCase['kind'], how: string) => ({
      platform,
      kind,
      worlds,
      name: `${platform}, ${index}. ${method} ${path}: ${kind} ${how}`,
    });
    return [
      ...MOMENTS.map((moment) => ({
        ...about('killed', moment),
        run: (world: World) => killAt(world, index, moment),
      })),
      ...FREEZES.map((freeze) => ({
        ...about('frozen', freeze),
        run: (world: World) => freezeAt(world, index, freeze),
      })),
    ];
  });
  return { platform, worlds, cases };
}

/**
 * Registers a test for each case, and for some platforms one with a worker that is frozen just before it sends.
 * @param title title of the group
 * @param drawn the cases to run
 */
export function processes(title: string, platforms: readonly ProcessCases[], drawn: readonly ProcessCase[]): void {
  const drawnPlatforms = draw(platforms, ONE_IN.frozen, 'frozen');
  describe(title, () => {
    afterAll(async () => {
      for (const { worlds } of platforms) await worlds.close();
    });

    describe.concurrent('concurrent cases', () => {
      for (const { name, platform, kind, worlds, run } of drawn)
        test(`${name}: one post`, reportedAs(platform, kind), ({ task }) =>
          worlds.run(async (world) => isOnePost(task.meta, world, await run(world))),
        );

      for (const { platform, worlds } of drawnPlatforms)
        test(`${platform}: a worker frozen before it sends does not send`, reportedAs(platform, 'held'), ({ task }) =>
          worlds.run(async (world) => {
            const { result, requestsAfter } = await freezeBeforeSend(world);
            isOnePost(task.meta, world, result);
            expect(requestsAfter).toEqual([]);
          }),
        );
    });

    test('no unexpected errors', async () => {
      const worlds = (await Promise.all(platforms.map((each) => each.worlds.all()))).flat();
      expect(worlds.flatMap((world) => world.bugs)).toEqual([]);
    });
  });
}

function isOnePost(meta: TaskMeta, world: World, result: CaseResult): void {
  expect(broken(result)).toBeNull();
  expect(restsWell(world, result), result.timeline.join('\n')).toBe(true);
  reportEnd(meta, result);
}
