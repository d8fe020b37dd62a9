/** The first paint leaves when there is a page, and stays in front of a frame whose page is loading. */
import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { removeFirstPaint } from '../../src/first-paint/remove.ts';
import { PENDING_PAGE } from '../../src/ui/pending-page.ts';

let root: HTMLElement;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  document.body.innerHTML = '<div id="root"></div><div class="start"></div>';
  root = document.body.querySelector('#root') as HTMLElement;
  removeFirstPaint(root);
});
afterEach(() => vi.useRealTimers());

const isThere = () => document.querySelector('.start') !== null;
const pending = <i {...{ [PENDING_PAGE]: true }} />;

/** Draws, and waits until the change was observed. */
async function draw(...drawn: React.ReactElement[]) {
  for (const each of drawn) {
    render(each, { container: root });
    await act(() => new Promise<void>((done) => setImmediate(done)));
  }
}

test('styles do not remove the first paint', async () => {
  await draw(<style />);
  expect(isThere()).toBe(true);
});

test('a page removes the first paint', async () => {
  await draw(<main>Posts</main>);
  expect(isThere()).toBe(false);
});

test('a frame without a page keeps the first paint', async () => {
  await draw(<main>{pending}</main>);
  vi.advanceTimersByTime(2_900);
  expect(isThere()).toBe(true);
  await draw(<main>Posts</main>);
  expect(isThere()).toBe(false);
});

test('a frame can be used after some seconds', async () => {
  await draw(<main>{pending}</main>, <main title="changed">{pending}</main>);
  vi.advanceTimersByTime(3_000);
  expect(isThere()).toBe(false);
});
