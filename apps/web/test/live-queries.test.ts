import type { LiveEvent, ReelayClient } from '@reelay/sdk';
import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { connectQueries, isConcerned } from '../src/live/live-queries.ts';
import { accountKeys, notificationKeys, postKeys, ruleKeys, sessionKeys } from '../src/queries/keys.ts';
import { catalogQuery } from '../src/queries/rules.ts';

const ID = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';
const OTHER = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1c';

test('an event concerns its resource and the lists', () => {
  const post: LiveEvent = { type: 'post', id: ID };
  expect(isConcerned(postKeys.one(ID), post)).toBe(true);
  expect(isConcerned(postKeys.one(OTHER), post)).toBe(false);
  expect(isConcerned(postKeys.search({}), post)).toBe(true);
  expect(isConcerned(postKeys.calendar(0, 1), post)).toBe(true);
  expect(isConcerned(accountKeys.all, post)).toBe(false);
  expect(isConcerned(ruleKeys.activity(OTHER), { type: 'rule', id: ID })).toBe(false);
  expect(isConcerned(ruleKeys.activity(OTHER), { type: 'account', id: ID })).toBe(true);
  expect(isConcerned(notificationKeys.unread, { type: 'notification', id: ID })).toBe(true);
  expect(isConcerned(sessionKeys.current, { type: 'resync' })).toBe(true);
});

test('no event reads the catalog of a platform again', async () => {
  const { queryKey } = catalogQuery({} as ReelayClient, ID);
  const page = shown([ruleKeys.activity(ID), queryKey]);
  await expect.poll(() => page.reads.length).toBe(2);
  page.tell({ type: 'rule', id: ID });
  await expect.poll(() => page.reads.length).toBe(3);
  page.tell({ type: 'account', id: OTHER });
  await expect.poll(() => page.reads.length).toBe(4);
  page.tell({ type: 'resync' });
  await expect.poll(() => page.reads.slice(2)).toEqual(Array(3).fill(ruleKeys.activity(ID).join()));
  page.end();
});

/** A page that shows these queries. */
function shown(keys: readonly QueryKey[]) {
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
    20,
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

test('an event refetches only the queries it concerns', async () => {
  const page = shown([postKeys.one(ID), postKeys.one(OTHER), accountKeys.all]);
  await expect.poll(() => page.reads.length).toBe(3);
  page.tell({ type: 'post', id: ID });
  page.tell({ type: 'post', id: ID });
  await expect.poll(() => page.reads.slice(3)).toEqual([postKeys.one(ID).join()]);
  page.tell({ type: 'resync' });
  await expect.poll(() => page.reads.length).toBe(7);
  page.end();
});

test('a change during a read causes another read', async () => {
  const page = shown([postKeys.one(ID)]);
  await expect.poll(() => page.reads.length).toBe(1);
  page.hold();
  page.tell({ type: 'post', id: ID });
  await expect.poll(() => page.reads.length).toBe(2);
  page.tell({ type: 'post', id: ID });
  page.release();
  await expect.poll(() => page.reads.length).toBe(3);
  page.end();
});

test('a calendar is read again once for many changes', async () => {
  const page = shown([postKeys.calendar(0, 1), postKeys.one(ID)]);
  await expect.poll(() => page.reads.length).toBe(2);
  page.tell({ type: 'post', id: ID });
  await expect.poll(() => page.reads.slice(2)).toEqual([postKeys.one(ID).join()]);
  page.tell({ type: 'post', id: ID });
  await expect.poll(() => page.reads.length).toBe(5);
  expect(page.reads.filter((key) => key === postKeys.calendar(0, 1).join())).toHaveLength(2);
  page.end();
});
