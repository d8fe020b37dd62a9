import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { walkBoxes } from '../../src/media/boxes.ts';
import { isCutAvi, sniff } from '../../src/media/sniff.ts';
import { box } from './hostile.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const ts = (first: number, step: number) => {
  const head = Buffer.alloc(4096);
  for (let at = first; at < head.length; at += step) head[at] = 0x47;
  return head;
};
const ebml = (type: string) =>
  bytes(`\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82${String.fromCharCode(0x80 + type.length)}${type}`);

describe('the first bytes identify the container', () => {
  test.each([
    ['mp4', bytes('\0\0\0\x20ftypisom')],
    ['mp4', bytes('\0\0\0\x20ftypM4V ')],
    ['mov', bytes('\0\0\0\x14ftypqt  ')],
    ['mov', bytes('\0\0\0\x08wide\0\0\0\0mdat')],
    ['mov', bytes('\0\0\x10\0moov')],
    ['3gp', bytes('\0\0\0\x18ftyp3gp5')],
    ['3gp', bytes('\0\0\0\x18ftyp3g2a')],
    ['matroska', ebml('matroska')],
    ['webm', ebml('webm')],
    [null, ebml('other')],
    ['mpegts', ts(0, 188)],
    ['mpegts', ts(4, 192)],
    ['mpegts', ts(0, 204)],
    ['avi', bytes('RIFF\0\0\0\0AVI LIST')],
    [null, bytes('RIFF\0\0\0\0WAVEfmt ')],
    ['flv', bytes('FLV\x01\x05')],
    [null, bytes('GGGG GGGG')],
    [null, bytes('#EXTM3U\n#EXT-X-VERSION:3')],
    [null, bytes('ffconcat version 1.0\nfile x')],
    [null, bytes('\xff\xd8\xff\xe0\0\x10JFIF')],
    [null, bytes('\x89PNG\r\n\x1a\n')],
    [null, bytes('%PDF-1.7')],
    [null, bytes('<html>')],
    [null, bytes('')],
  ])('%s: %#', (container, head) => {
    expect(sniff(head)).toBe(container);
  });

  test('without failing for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (head) => void sniff(head)));
  });

  test('also of a truncated AVI file', () => {
    const head = bytes('RIFF\x64\0\0\0AVI ');
    expect(isCutAvi(head, 108)).toBe(false);
    expect(isCutAvi(head, 107)).toBe(true);
    expect(isCutAvi(bytes('RIFF\0\0\0\0AVI '), 107)).toBe(false);
  });
});

/** Walks a file in memory and counts reads. */
async function walk(file: Buffer, claimedSize = file.length) {
  let reads = 0;
  const verdict = await walkBoxes(async (offset, length) => {
    reads += 1;
    return file.subarray(offset, offset + length);
  }, claimedSize);
  return { problem: null, indexFirst: null, ...verdict, reads };
}

const ftyp = box('ftyp', bytes('isom'));
const moov = box('moov', Buffer.alloc(40));
const large = (type: string, size: bigint) => {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1);
  header.write(type, 4, 'latin1');
  header.writeBigUInt64BE(size, 8);
  return header;
};

describe('top-level boxes', () => {
  test.each([
    ['index first', [ftyp, moov, box('mdat', Buffer.alloc(100))]],
    ['index last', [ftyp, box('mdat', Buffer.alloc(100)), moov]],
    ['a box with a 64-bit size', [ftyp, moov, large('mdat', 20n), Buffer.alloc(4)]],
    ['a box that reaches to the end', [ftyp, moov, bytes('\0\0\0\0mdat'), Buffer.alloc(50)]],
    ['a few zeros at the end', [ftyp, moov, Buffer.alloc(4)]],
    ['thousands of fragments', [ftyp, moov, ...Array.from({ length: 9000 }, () => [box('moof'), box('mdat')]).flat()]],
  ])('may be: %s', async (_, parts) => {
    expect((await walk(Buffer.concat(parts))).problem).toBeNull();
  });

  test.each([
    ['first', true, [ftyp, moov, box('mdat', Buffer.alloc(100))]],
    ['first, before fragments', true, [ftyp, moov, box('moof'), box('mdat'), box('moof'), box('mdat')]],
    ['last', false, [ftyp, box('free'), box('mdat', Buffer.alloc(100)), moov]],
    ['between data', false, [ftyp, box('mdat'), moov, box('mdat')]],
  ])('show that the index is %s', async (_, indexFirst, parts) => {
    expect(await walk(Buffer.concat(parts))).toMatchObject({ problem: null, indexFirst });
  });

  test.each([
    ['no index', [ftyp, box('mdat', Buffer.alloc(9))], 'no index'],
    ['two indexes', [ftyp, moov, moov], 'more than one index'],
    ['a size below 8', [ftyp, moov, bytes('\0\0\0\x07mdat')], 'impossible size'],
    ['a 64-bit size below 16', [ftyp, moov, large('mdat', 15n)], 'impossible size'],
    ['a 64-bit size without its bytes', [ftyp, moov, large('mdat', 20n).subarray(0, 12)], 'impossible size'],
    ['a 64-bit size beyond all files', [ftyp, moov, large('mdat', 2n ** 63n)], 'truncated'],
    ['a box larger than the file', [ftyp, moov, bytes('\0\0\xff\xffmdat')], 'truncated'],
    ['a header cut in two', [ftyp, moov, bytes('\0\0\0\x10m')], 'truncated'],
    ['an index over 16 MiB', [ftyp, box('moov', Buffer.alloc(16 * 1024 * 1024))], '16 MiB'],
    ['a fragment index over 1 MiB', [ftyp, moov, box('moof', Buffer.alloc(1024 * 1024))], '1 MiB'],
  ])('may not be: %s', async (_, parts, sentence) => {
    expect((await walk(Buffer.concat(parts))).problem?.message).toContain(sentence);
  });

  test('end after 20,000, with few reads', async () => {
    const bomb = Buffer.concat([ftyp, moov, ...Array.from({ length: 60_000 }, () => box('free'))]);
    const { problem, reads } = await walk(bomb);
    expect(problem?.message).toContain('20,000 boxes');
    expect(reads).toBeLessThan(15);
  });

  test('reveal a truncation anywhere except between two boxes', async () => {
    const parts = [ftyp, moov, box('mdat', Buffer.alloc(300)), box('free', Buffer.alloc(20))];
    const whole = Buffer.concat(parts);
    const seams = new Set([ftyp.length + moov.length, ftyp.length + moov.length + 308]);
    for (let length = 1; length < whole.length; length += 1) {
      const { problem } = await walk(whole.subarray(0, length));
      // Fewer than eight zeros after a complete box are a terminator, not a truncation. Sizes here start with up to
      // three.
      const zeros = [1, 2, 3].some((n) => seams.has(length - n));
      if (!seams.has(length) && !zeros) expect(problem, `${length}`).not.toBeNull();
    }
  });

  test('with any bytes never hang or crash the walk', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 400 }), async (file, size) => {
        await walk(Buffer.from(file), size);
      }),
    );
  });
});
