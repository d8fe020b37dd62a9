/** Valid forms, cut into packets at every byte, with the file in every place. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cutAt, permutations, positionsIn, sendPackets, turns } from '../../../sandbox/test/harness/packets.ts';
import { unifyLineBreaks } from '../../src/lib/text.ts';
import { drawn, ONE_IN, SEED, seeded } from '../harness/draw.ts';
import { BOUNDARY, body, field, file, type Receiver, startReceiver } from './harness.ts';

type Fields = [name: string, values: string[]][];

type Text = 'first' | 'second' | 'text';
type Part = Text | 'video';

const TEXTS: Record<Text, [name: string, value: string]> = {
  first: ['platforms', 'a'],
  second: ['platforms', 'b'],
  text: ['description', `\r\n--${BOUNDARY.slice(0, -1)}\r`],
};

/** A chunk that Node reads at once has at most 64 KiB; the disk asks for a pause at 2 MiB. */
const SIZES = [1, 2_500, 65_536, 3_000_000];
const ORDERS = permutations<Part>(['first', 'second', 'text', 'video']);
/** The video in every place, and no video. */
const PLACES: Part[][] = [
  ...ORDERS.filter((order) => order.filter((part) => part !== 'video').join() === 'first,second,text'),
  ['text', 'first'],
];

/** The fields of these parts, in the order sent. */
function fieldsOf(parts: readonly Part[]): Fields {
  const fields = new Map<string, string[]>();
  for (const part of parts) {
    if (part === 'video') continue;
    const [name, value] = TEXTS[part];
    fields.set(name, [...(fields.get(name) ?? []), unifyLineBreaks(value)]);
  }
  return [...fields];
}

function formOf(order: readonly Part[], video: Buffer): Buffer {
  return body(...order.map((part) => (part === 'video' ? file('video', video) : field(...TEXTS[part]))));
}

describe.each([
  ['held back', true],
  ['read at once', false],
])('a form whose video is %s', (_, isHeld) => {
  let receiver: Receiver;
  let early: Fields | null | undefined;
  let hold = 0;
  beforeAll(async () => {
    const beforeVideo = async (fields: ReadonlyMap<string, readonly string[]> | null) => {
      early = fields && [...fields].map(([name, values]) => [name, [...values]]);
      await turns(hold);
    };
    receiver = await startReceiver({ needsNoVideo: () => true, ...(isHeld ? { beforeVideo } : {}) });
  });
  afterAll(() => receiver.stop());

  const headOf = (form: Buffer) =>
    Buffer.from(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${form.length}\r\n\r\n`,
    );

  /** Sends a form in packets, and compares what arrives. */
  async function expectToArrive(
    { order, video, sha256 }: { order: readonly Part[]; video: Buffer; sha256: string },
    { packets, gap }: { packets: readonly Buffer[]; gap: number },
  ): Promise<void> {
    early = undefined;
    const response = await sendPackets(receiver.server, packets, gap);
    const at = order.indexOf('video');
    expect(response).toMatchObject({
      status: 200,
      body: { fields: fieldsOf(order), video: at < 0 ? null : { bytes: video.length, sha256 } },
    });
    if (isHeld) expect(early).toEqual(at < 0 ? null : fieldsOf(order.slice(0, at)));
    for (const left of await readdir(receiver.folder)) await rm(join(receiver.folder, left));
  }

  test.each(SIZES)(seeded('arrives, cut at any byte, with %i bytes of video'), async (size) => {
    const video = randomBytes(size);
    const sha256 = createHash('sha256').update(video).digest('hex');
    for (const order of size === 2_500 ? [...ORDERS, ...PLACES] : PLACES) {
      const form = formOf(order, video);
      const positions = drawn(positionsIn(form, video), ONE_IN.packets, `${isHeld} ${size} ${order}`);
      for (const position of positions) {
        hold = position % 4;
        // The headers arrive with the first packet, or before it.
        const [first = Buffer.alloc(0), ...rest] = cutAt(form, [position]);
        const packets =
          position % 2 === 0 ? [Buffer.concat([headOf(form), first]), ...rest] : [headOf(form), first, ...rest];
        await expectToArrive({ order, video, sha256 }, { packets, gap: position % 3 });
      }
    }
  });

  test(seeded('arrives in any packets'), async () => {
    const cuts = fc.array(fc.nat(1_200), { maxLength: 12 });
    const pause = fc.nat(4);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ORDERS),
        fc.nat(700),
        cuts,
        pause,
        pause,
        async (order, size, at, gap, held) => {
          const video = Buffer.alloc(size + 1, `\r\n--${BOUNDARY.slice(0, 9)}`);
          const sha256 = createHash('sha256').update(video).digest('hex');
          const form = formOf(order, video);
          hold = held;
          const positions = at.filter((position) => position < form.length).sort((one, other) => one - other);
          await expectToArrive(
            { order, video, sha256 },
            { packets: cutAt(form, positions).toSpliced(0, 0, headOf(form)), gap },
          );
        },
      ),
      { numRuns: 300, seed: SEED },
    );
  });
});
