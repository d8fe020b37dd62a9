import type { FoundPost } from '@reelay/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  entriesOf,
  type HistoryPages,
  pageOf,
  pagesBetween,
  replaceEntry,
  replacePage,
} from '../src/queries/history-pages.ts';

/** A post at this moment, newest first by it. */
function post(at: number, description = ''): FoundPost {
  const date = new Date(at).toISOString();
  const id = `id-${String(at).padStart(6, '0')}`;
  return { id, description, filename: '', result: [], scheduled: false, date, createdAt: date };
}

/** The page of a service with these posts, at most `limit` after a cursor: the moment of the last post before it. */
function readAt(service: readonly FoundPost[], cursor: string, limit: number) {
  const after = service.filter(({ date }) => cursor === '' || Date.parse(date) < Number(cursor));
  const sorted = after.toSorted((one, other) => Date.parse(other.date) - Date.parse(one.date));
  const data = sorted.slice(0, limit);
  const last = data.at(-1);
  return { data, next: last && sorted.length > limit ? String(Date.parse(last.date)) : null };
}

function load(service: readonly FoundPost[], limit: number): HistoryPages {
  const history: HistoryPages = { pages: [], pageParams: [] };
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = pageOf(readAt(service, cursor, limit));
    history.pages.push(page);
    history.pageParams.push(cursor);
    cursor = page.next;
  }
  return history;
}

const times = (history: HistoryPages) => entriesOf(history).map(({ date }) => Date.parse(date));
const service = [90, 80, 70, 60, 50, 40, 30].map((at) => post(at));

describe('a page that is read again', () => {
  test('takes new posts and keeps its end', () => {
    const history = load(service, 3);
    const next = replacePage(history, 0, readAt([...service, post(95), post(75)], '', 10));
    expect(times(next)).toEqual([95, 90, 80, 75, 70, 60, 50, 40, 30]);
    expect(next.pages[0]?.next).toBe(history.pages[0]?.next);
  });

  test('loses deleted posts, also its last', () => {
    const history = load(service, 3);
    const left = service.filter(({ date }) => Date.parse(date) !== 70);
    expect(times(replacePage(history, 0, readAt(left, '', 10)))).toEqual([90, 80, 60, 50, 40, 30]);
  });

  test('refills after all its posts were gone', () => {
    const history = replacePage(load(service, 3), 0, readAt(service.slice(3), '', 10));
    expect(times(history)).toEqual([60, 50, 40, 30]);
    expect(times(replacePage(history, 0, readAt(service, '', 10)))).toEqual([90, 80, 70, 60, 50, 40, 30]);
  });

  test('drops the pages below after many additions', () => {
    const added = Array.from({ length: 20 }, (_, at) => post(100 + at));
    const next = replacePage(load(service, 3), 0, readAt([...service, ...added], '', 5));
    expect(times(next)).toEqual([119, 118, 117, 116, 115]);
    expect(next.pages).toHaveLength(1);
    expect(next.pages[0]?.next).not.toBeNull();
  });

  test('grows at the end of the history', () => {
    const next = replacePage(load(service.slice(0, 2), 3), 0, readAt(service, '', 4));
    expect(times(next)).toEqual([90, 80, 70, 60]);
    expect(next.pages[0]?.next).not.toBeNull();
  });
});

test('rereading all pages shows what the service has', () => {
  const moments = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(moments, moments, fc.integer({ min: 1, max: 7 }), (before, after, size) => {
      let history = load(
        before.map((at) => post(at)),
        size,
      );
      const now = after.map((at) => post(at));
      for (let index = 0; index < history.pages.length; index++)
        history = replacePage(history, index, readAt(now, history.pageParams[index] ?? '', 100));
      expect(times(history)).toEqual(after.toSorted((one, other) => other - one));
    }),
  );
});

test('one entry is replaced where it is', () => {
  const history = load(service, 3);
  const next = replaceEntry(history, post(60).id, [post(60, 'new')]);
  expect(next && entriesOf(next)[3]?.description).toBe('new');
  expect(replaceEntry(history, post(60).id, [])).toBeNull();
  expect(replaceEntry(history, 'other', [post(1)])).toBeNull();
});

test('the shown pages follow from the shown entries', () => {
  const history = load(service, 3);
  expect(pagesBetween(history, 0, 1)).toEqual([0]);
  expect(pagesBetween(history, 2, 3)).toEqual([0, 1]);
  expect(pagesBetween(history, 6, 20)).toEqual([2]);
  const emptied = replacePage(history, 0, { data: [], next: null });
  expect(pagesBetween(emptied, 0, 0)).toContain(0);
});
