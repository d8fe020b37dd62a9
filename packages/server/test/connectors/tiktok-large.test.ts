import { PassThrough, pipeline } from 'node:stream';
import type { SimulatorModule, SimulatorRequest } from '@reelay/sandbox/contract.ts';
import { simulator } from '@reelay/sandbox/platforms/tiktok/index.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { planChunks } from '../../src/connectors/tiktok/upload.ts';
import { drawn, FULL, ONE_IN, seeded } from '../harness/draw.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { createWorld, type World } from '../harness/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

interface Part {
  first: number;
  last: number;
  /** Bytes of this part that arrived. */
  received: number;
}

/** The simulator, observing every byte that arrives at the upload URL. */
function watched(): {
  module: SimulatorModule;
  parts: Part[];
  onBytes: (look: (part: Part, count: number) => void) => void;
} {
  const parts: Part[] = [];
  let look: (part: Part, count: number) => void = () => {};
  const watch = (request: SimulatorRequest): SimulatorRequest => {
    const [first = 0, last = 0] = (request.headers['content-range']?.match(/\d+/g) ?? []).map(Number);
    const part = { first, last, received: 0 };
    const count = parts.push(part);
    const body = new PassThrough();
    body.on('data', (bytes: Buffer) => {
      part.received += bytes.length;
      look(part, count);
    });
    body.pause();
    pipeline(request.body, body, () => {});
    return { ...request, body };
  };
  const module: SimulatorModule = {
    ...simulator,
    create(options) {
      const made = simulator.create(options);
      const routes = made.routes.map((route) =>
        route.path === '/video/'
          ? { ...route, handle: (request: SimulatorRequest) => route.handle(watch(request)) }
          : route,
      );
      return { ...made, routes };
    },
  };
  return {
    module,
    parts,
    onBytes: (given) => {
      look = given;
    },
  };
}

const calls = (path: string) => world?.simulator.requests.filter((each) => each.path.startsWith(path)).length;

/** Bytes of a part that arrive before its worker is killed. */
const CUT_AT = 1_000_000;

describe('large video', () => {
  test('uploads even parts, each byte once', async () => {
    const bytes = FULL ? 70_000_000 : 25_000_000;
    const plan = planChunks(bytes);
    const { module, parts } = watched();
    world = await createWorld({ connector, module, video: { bytes } });
    const id = await world.post();
    await world.settle(await world.worker(), id);
    const [entry] = await world.simulator.published();
    if (!entry) throw new Error('Nothing was published.');
    expect(entry.bytes).toBe(bytes);
    expect(parts.map(({ first }) => first)).toEqual(parts.map((_, index) => index * plan.chunkSize));
    expect(parts.every(({ first, last, received }) => received === last - first + 1)).toBe(true);
    expect(parts).toHaveLength(plan.count);
  });

  const cuts = [
    { bytes: 25_000_000, part: 1 },
    { bytes: 25_000_000, part: 2 },
    { bytes: 25_000_000, part: 3 },
    { bytes: 70_000_000, part: 4 },
    { bytes: 70_000_000, part: 7 },
  ];
  test.each(drawn(cuts, ONE_IN.moves))(
    seeded('of $bytes bytes resumes after dying in part $part'),
    async ({ bytes, part }) => {
      const plan = planChunks(bytes);
      const { module, parts, onBytes } = watched();
      world = await createWorld({ connector, module, video: { bytes } });
      const id = await world.post();
      const worker = await world.worker();
      let died = false;
      onBytes(({ received }, count) => {
        if (died || count !== part || received <= CUT_AT) return;
        died = true;
        worker.abort();
      });
      while (!died) {
        await worker.runUntilIdle().catch((error: unknown) => {
          if (!died) throw error;
        });
        if (!died) await world.advanceToNextDue();
      }
      expect(parts).toHaveLength(part);
      const struck = parts[part - 1];
      expect(struck?.received).toBeLessThan(plan.chunkSize);

      await world.settle(await world.worker(), id);
      const published = await world.simulator.published();
      const [entry] = published;
      if (!entry) throw new Error('Nothing was published.');
      expect([(await world.target(id)).state, published.length]).toEqual(['posted', 1]);
      const [media] = await world.db.query<{ sha256: string }>(`select encode(sha256, 'hex') as sha256 from media`);
      expect(await isWholeUpload(world.simulator, entry, { bytes, sha256: media?.sha256 ?? '' })).toBe(true);
      // Only the interrupted part is sent again, and it comes first.
      expect(parts[part]?.first).toBe((part - 1) * plan.chunkSize);
      expect(parts).toHaveLength(plan.count + 1);
      const total = parts.reduce((sum, { received }) => sum + received, 0);
      expect(total).toBe(bytes + (struck?.received ?? 0));
      expect(calls('/v2/post/publish/video/init/')).toBe(1);
    },
  );
});
