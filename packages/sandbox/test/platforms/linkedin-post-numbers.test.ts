import { expect, test } from 'vitest';
import { storeNew } from '../../src/platforms/linkedin/posts.ts';
import { memoryStore } from '../../src/store/memory.ts';

test('posts of one millisecond get distinct numbers', async () => {
  const store = memoryStore();
  const made = {
    ...{ author: 'urn:li:person:a', commentary: '', visibility: 'PUBLIC', video: 'urn:li:video:a' },
    ...{ title: null, createdAt: 1_700_000_000_000, announced: false },
  };
  // Of 15 random bits, 2,000 numbers collide about 60 times.
  const posts = await Promise.all(Array.from({ length: 2_000 }, () => storeNew(store, made)));
  expect(new Set(posts.map(({ urn }) => urn)).size).toBe(2_000);
});
