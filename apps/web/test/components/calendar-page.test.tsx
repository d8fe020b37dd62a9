/** The calendar: when it reads its posts, and its texts for no posts, too many posts and failures. */
import type { FoundPost, PostPage } from '@reelay/sdk';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Live } from '../../src/live/live.ts';
import type { LiveState } from '../../src/live/live-machine.ts';
import { LiveProvider } from '../../src/live/use-live.ts';
import { CalendarPage } from '../../src/pages/calendar/calendar-page.tsx';
import { refusal } from './fake-client.ts';
import { pageAt } from './page-route.tsx';
import { foundPost, resultOf } from './posts.ts';
import { render } from './render.tsx';

const NOW = Date.UTC(2026, 9, 20, 12);
const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Live updates in a state that the test changes. */
function fakeLive(state: LiveState) {
  const listeners = new Set<() => void>();
  const live: Live = {
    start: () => () => {},
    state: () => state,
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEvent: () => () => {},
  };
  const change = (next: LiveState) =>
    act(() => {
      state = next;
      for (const listener of listeners) listener();
    });
  return { live, change };
}

const scheduled = (hours: number, given: Partial<FoundPost> = {}) =>
  foundPost({
    id: `${hours}`,
    scheduled: true,
    date: new Date(NOW + hours * HOUR_MS).toISOString(),
    result: [resultOf('nora', { status: 'PENDING' })],
    ...given,
  });

async function show(read: () => Promise<PostPage>, state: LiveState = 'open') {
  const calendar = vi.fn(read);
  const { live, change } = fakeLive(state);
  const { element } = pageAt({
    Page: CalendarPage,
    path: '/calendar',
    address: '/calendar?view=list&date=2026-10-20',
    isSignedIn: true,
  });
  render(<LiveProvider value={live}>{element}</LiveProvider>, { posts: { calendar } });
  await pass(100);
  return { calendar, change };
}

const none: PostPage = { data: [], next: null };

describe('the posts of the calendar', () => {
  test('are not polled while live updates arrive', async () => {
    const { calendar } = await show(async () => none);
    expect(calendar).toHaveBeenCalledOnce();
    await pass(600_000);
    expect(calendar).toHaveBeenCalledOnce();
  });

  test('are polled every 15 seconds while live updates are down', async () => {
    const { calendar, change } = await show(async () => none);
    change('down');
    await pass(45_000);
    expect(calendar).toHaveBeenCalledTimes(4);
    change('open');
    await pass(600_000);
    expect(calendar).toHaveBeenCalledTimes(4);
  });

  test('are listed by day; only scheduled ones can move', async () => {
    const done = [resultOf('nora')];
    await show(async () => ({
      data: [
        scheduled(25, { description: 'Tomorrow' }),
        scheduled(1, { description: 'Soon' }),
        scheduled(-1, { description: 'Done', result: done }),
      ],
      next: null,
    }));
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(headings).toEqual(['Today, Tuesday, October 20', 'Wednesday, October 21']);
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Done', 'Soon', 'Tomorrow']);
    const changes = screen.getAllByRole('button', { name: /^Change time of / });
    expect(changes).toHaveLength(2);
  });
});

test('an empty range offers a new post', async () => {
  await show(async () => none);
  expect(screen.getByText('There are no posts in these four weeks.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'New post' }).getAttribute('href')).toBe('/');
});

test('a range with too many posts shows a note', async () => {
  let page = 0;
  const { calendar } = await show(async () => {
    page += 1;
    return { data: [scheduled(page)], next: String(page) };
  });
  expect(calendar).toHaveBeenCalledTimes(10);
  expect(screen.getByRole('alert').textContent).toContain('Only the latest 10 posts of this range are shown.');
});

test('a failed read is explained, and repeated on request', async () => {
  let isBroken = true;
  await show(async () => {
    if (isBroken) throw refusal('internal', 'The service is broken.', 500);
    return { data: [scheduled(1, { description: 'Here again' })], next: null };
  });
  expect(screen.getByRole('alert').textContent).toContain('The service is broken.');
  expect(screen.queryByText('There are no posts in these four weeks.')).toBeNull();
  isBroken = false;
  act(() => screen.getByRole('button', { name: 'Try again' }).click());
  await pass(100);
  expect(screen.getByText('Here again')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
