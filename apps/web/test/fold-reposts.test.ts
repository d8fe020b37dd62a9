import type { FoundPost, PostResult } from '@reelay/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldReposts } from '../src/ui/fold-reposts.ts';
import { foundPost, resultOf } from './components/posts.ts';

const post = (id: string, repostOf?: string, result: Partial<PostResult> = {}): FoundPost =>
  foundPost({ id, result: [resultOf('nora', result)], ...(repostOf === undefined ? {} : { repostOf }) });

const rowsOf = (...pages: FoundPost[][]) => foldReposts(pages.map((data) => ({ data })));
const shown = (...pages: FoundPost[][]) =>
  rowsOf(...pages).map(({ entry, reposts }) => [entry.id, ...reposts.map(({ id }) => id)].join(' '));

describe('reposts', () => {
  test('are folded under their post, also those of reposts', () => {
    expect(shown([post('c', 'b'), post('x'), post('b', 'a'), post('a')])).toEqual(['x', 'a c b']);
  });

  test('whose post is on another page keep their row', () => {
    expect(shown([post('b', 'a')], [post('a')])).toEqual(['b', 'a']);
  });

  test.each<Partial<PostResult>>([
    { status: 'FAILED', message: 'video_rejected' },
    { status: 'FAILED', message: 'outcome_unknown' },
    { status: 'PENDING', trouble: { code: 'platform_error', text: '', since: '', attempts: 2 } },
  ])('that need attention keep their row: %o', (result) => {
    expect(shown([post('c', 'b'), post('b', 'a', result), post('a')])).toEqual(['b c', 'a']);
  });

  test('of content from elsewhere keep their row', () => {
    expect(shown([post('b'), post('a')])).toEqual(['b', 'a']);
  });
});

test('every post is shown once, in the order of rows', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 });
  // A repost is newer than its post: its number is greater.
  const page = ids.chain((numbers) =>
    fc.tuple(...numbers.map((id) => fc.record({ id: fc.constant(id), of: fc.option(fc.nat(Math.max(0, id - 1))) }))),
  );
  fc.assert(
    fc.property(fc.array(page, { maxLength: 3 }), (pages) => {
      const posts = pages.map((each, at) =>
        each.map(({ id, of }) => post(`${at}-${id}`, of === null || of === id ? undefined : `${at}-${of}`)),
      );
      const all = posts.flat();
      const rows = rowsOf(...posts);
      const seen = rows.flatMap(({ entry, reposts }) => [entry, ...reposts]);
      expect(seen.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
      expect(rows.map(({ index }) => all[index])).toEqual(rows.map(({ entry }) => entry));
      expect(rows.map(({ index }) => index)).toEqual(rows.map(({ index }) => index).sort((a, b) => a - b));
    }),
  );
});
