import { memoryBlobs, memoryBooks } from '../src/store/memory.ts';
import type { SandboxBooks } from '../src/store/store.ts';
import { blobsSuite } from './suites/blobs.ts';
import { booksSuite } from './suites/books.ts';

booksSuite('books in memory', async () => {
  const all = new Map<string, SandboxBooks>();
  return {
    open(platform) {
      const books = all.get(platform) ?? memoryBooks();
      all.set(platform, books);
      return books;
    },
    close: async () => {},
  };
});

blobsSuite('blobs in memory', async () => ({ blobs: memoryBlobs(), close: async () => {} }));
