import type { LiveEvent, ReelayClient } from '@reelay/sdk';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { connectQueries, isConcerned } from '../src/service/live-queries.ts';
import { catalogQuery } from '../src/service/rules.ts';

const ID = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';
const OTHER = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1c';

test('an event concerns its resource and the lists', () => {
  const post: LiveEvent = { type: 'post', id: ID };
  expect(isConcerned(['posts', ID], post)).toBe(true);
  expect(isConcerned(['posts', OTHER], post)).toBe(false);
  expect(isConcerned(['posts', 'calendar', 1], post)).toBe(true);
  expect(isConcerned(['accounts'], post)).toBe(false);
  expect(isConcerned(['rules', OTHER, 'activity'], { type: 'rule', id: ID })).toBe(false);
  expect(isConcerned(['rules', OTHER], { type: 'account', id: ID })).toBe(true);
  expect(isConcerned(['session'], { type: 'resync' })).toBe(true);
});

test('no event reads the catalog of a platform again', async () => {
  const { queryKey } = catalogQuery({} as ReelayClient, ID);
  const page = shown([['rules', ID], queryKey as readonly string[]]);
  await expect.poll(() => page.reads.length).toBe(2);
  page.tell({ type: 'rule', id: ID });
  await expect.poll(() => page.reads.length).toBe(3);
  page.tell({ type: 'account', id: OTHER });
  await expect.poll(() => page.reads.length).toBe(4);
  page.tell({ type: 'resync' });
  await expect.poll(() => page.reads.slice(2)).toEqual(Array(3).fill(`rules,${ID}`));
  page.end();
});

/** A page that shows these queries. */
function shown(keys: readonly (readonly string[])[]) {
  const queries = new QueryClient();
  const reads: string[] = [];
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const ends = keys.map((queryKey) =>
    new QueryObserver(queries, {
      queryKey,
      queryFn: async () => {
        reads.push(queryKey.join());
        if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
        return reads.length;
      },
    }).subscribe(() => {}),
  );
  let tell: (event: LiveEvent) => void = () => {};
  const disconnect = connectQueries(
    queries,
    (listener) => {
      tell = listener;
      return () => {};
    },
    1,
  );
  return {
    reads,
    tell: (event: LiveEvent) => tell(event),
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const each of waiting.splice(0)) each();
    },
    end: () => {
      for (const each of ends) each();
      disconnect();
    },
  };
}

test('only the queries that an event concerns are read', async () => {
  const page = shown([['posts', ID], ['posts', OTHER], ['accounts']]);
  await expect.poll(() => page.reads.length).toBe(3);
  page.tell({ type: 'post', id: ID });
  page.tell({ type: 'post', id: ID });
  await expect.poll(() => page.reads.slice(3)).toEqual([`posts,${ID}`]);
  page.tell({ type: 'resync' });
  await expect.poll(() => page.reads.length).toBe(7);
  page.end();
});

test('a change during a read causes another read', async () => {
  const page = shown([['posts', ID]]);
  await expect.poll(() => page.reads.length).toBe(1);
  page.hold();
  page.tell({ type: 'post', id: ID });
  await expect.poll(() => page.reads.length).toBe(2);
  page.tell({ type: 'post', id: ID });
  page.release();
  await expect.poll(() => page.reads.length).toBe(3);
  page.end();
});
