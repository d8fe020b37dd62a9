/** Fake videos for connector tests; no player could play them. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { COVER } from '../../../sandbox/test/harness/cover.ts';
import type { Container, Cover, Media } from '../../src/connectors/contract.ts';
import { FORMATS } from '../../src/media/formats.ts';

const FACTS = { durationMs: 31_000, width: 1080, height: 1920 } as const;
/** As the media probe reports them. */
const typed = (container: Container = 'mp4') => ({ container, mime: FORMATS[container].mime });
const link = () => 'https://reelay.example/nobody/fetches/this.mp4';
const cover = async (): Promise<Cover> => ({ mime: 'image/jpeg', bytes: COVER });
const BLOCK = 65_536;

/** Returns a video with these bytes: 31 s, portrait. */
export function videoOf(bytes: Buffer, facts: Partial<Media> = {}): Media {
  return {
    ...FACTS,
    ...typed(facts.container),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    link,
    cover,
    stream: async (range) =>
      Readable.from([range ? bytes.subarray(range.first, range.last + 1) : bytes], { objectMode: false }),
    ...facts,
  };
}

/** Returns a video of any length that is generated on the fly. `handed` counts the bytes read. */
export function filmOf(bytes: number, facts: Partial<Media> = {}): Media & { handed: () => number } {
  let handed = 0;
  const block = Buffer.alloc(BLOCK, 'thirty-one letters make a pattern');
  function* read(first: number, last: number): Generator<Buffer> {
    for (let at = first; at <= last; ) {
      const from = at % BLOCK;
      const part = Buffer.from(block.subarray(from, Math.min(BLOCK, from + last - at + 1)));
      // Each block starts with its own number, so that blocks are distinguishable.
      if (from === 0 && part.length >= 4) part.writeUInt32BE(at / BLOCK, 0);
      at += part.length;
      handed += part.length;
      yield part;
    }
  }
  const hash = createHash('sha256');
  for (const part of read(0, bytes - 1)) hash.update(part);
  handed = 0;
  return {
    ...FACTS,
    ...typed(facts.container),
    bytes,
    sha256: hash.digest('hex'),
    link,
    cover,
    ...facts,
    stream: async (range = { first: 0, last: bytes - 1 }) =>
      Readable.from(read(range.first, range.last), { objectMode: false }),
    handed: () => handed,
  };
}
