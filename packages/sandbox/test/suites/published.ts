/** The suite for every source of published entries. */
import { expect, test } from 'vitest';
import type { FeedEntry, PublishedSource } from '../../src/feed/published.ts';

const entry = (changes: Partial<FeedEntry>): FeedEntry => ({
  platform: 'tiktok',
  id: '7412',
  username: 'nora',
  text: 'hello',
  url: 'https://example.org/7412',
  publishedAt: 0,
  bytes: 3,
  sha256: 'ab',
  blobs: ['one', 'two'],
  mime: 'video/mp4',
  ...changes,
});

/** @param fill publishes the entries in their order */
export function publishedSuite(name: string, fill: (entries: FeedEntry[]) => Promise<PublishedSource>): void {
  test(`${name} is read over all platforms, ordered, by id`, async () => {
    const entries = [
      entry({ publishedAt: 1, text: 'a' }),
      entry({ publishedAt: 2, platform: 'x' }),
      entry({ publishedAt: 3, text: 'the same id again' }),
    ];
    const source = await fill(entries);
    expect(await source.all()).toEqual(entries);
    expect(await source.find('tiktok', '7412')).toEqual(entries[2]);
    expect(await source.find('x', '7412')).toEqual(entries[1]);
    expect(await source.find('x', '1')).toBeNull();
  });
}
