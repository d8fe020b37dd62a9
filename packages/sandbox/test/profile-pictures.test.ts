import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { drawProfilePicture } from '../src/profile-pictures/drawing.ts';
import { encodePng } from '../src/profile-pictures/png.ts';

/** Chunks of a PNG file. @throws if a checksum is wrong */
function chunksOf(png: Buffer): [type: string, data: Buffer][] {
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end)]);
    at = end + 4;
  }
  return chunks;
}

const SUBJECT = { place: 3, name: 'mapleowl', id: '17' };

test('a PNG file holds the pixels of its picture', () => {
  const png = encodePng(2, 2, Uint8Array.of(255, 0, 10, 250, 20, 10, 1, 2, 3, 0, 0, 0));
  expect(png.toString('hex', 0, 8)).toBe('89504e470d0a1a0a');
  const [header, data, end] = chunksOf(png);
  expect(header).toEqual(['IHDR', Buffer.from('00000002000000020802000000', 'hex')]);
  expect(data?.[0]).toBe('IDAT');
  // Filter 1: differences to the pixel on the left.
  expect([...inflateSync(data?.[1] ?? '')]).toEqual([1, 255, 0, 10, 251, 20, 0, 1, 1, 2, 3, 255, 254, 253]);
  expect(end).toEqual(['IEND', Buffer.alloc(0)]);
});

test('a profile picture is a small square, always the same', () => {
  const png = drawProfilePicture(SUBJECT);
  const [header] = chunksOf(png);
  expect([header?.[1].readUInt32BE(0), header?.[1].readUInt32BE(4)]).toEqual([96, 96]);
  expect(png.length).toBeLessThan(10_000);
  expect(drawProfilePicture({ ...SUBJECT }).equals(png)).toBe(true);
});

test('a profile picture differs by platform, name and id', () => {
  const ids = ['18', '19', '20'].map((id) => ({ ...SUBJECT, id }));
  const places = Array.from({ length: 12 }, (_, place) => ({ ...SUBJECT, place }));
  const subjects = [...places, { ...SUBJECT, name: 'mapleowl2' }, ...ids];
  expect(new Set(subjects.map((each) => drawProfilePicture(each).toString('base64'))).size).toBe(subjects.length);
});

test('a handle has the colors and figure of its name', () => {
  const picture = drawProfilePicture(SUBJECT);
  expect(drawProfilePicture({ ...SUBJECT, name: 'Mapleowl.bsky.example' }).equals(picture)).toBe(true);
});
