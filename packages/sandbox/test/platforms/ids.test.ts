import { expect, test } from 'vitest';
import { newPostNumber } from '../../src/platforms/linkedin/records.ts';
import { newId as newPinterestId } from '../../src/platforms/pinterest/records.ts';
import { newId as newTikTokId } from '../../src/platforms/tiktok/records.ts';
import { newId as newXId } from '../../src/platforms/x/records.ts';
import { createSerial } from '../../src/store/serial.ts';

const NOW = 1_700_000_000_000;

// Random numbers of only 15 to 31 bits would collide.
test.each([
  ['linkedin', newPostNumber],
  ['pinterest', newPinterestId],
  ['tiktok', newTikTokId],
  ['x', newXId],
])('%s: ids of one moment are distinct', (_platform, newId) => {
  const options = { now: () => NOW, serial: createSerial() };
  const ids = Array.from({ length: 30_000 }, () => newId(options, NOW));
  expect(new Set(ids).size).toBe(30_000);
  const later = BigInt(newId(options, NOW + 1000));
  expect(ids.filter((id) => BigInt(id) >= later)).toEqual([]);
});
