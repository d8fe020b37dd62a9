/** The result of moving a post in the calendar: how long it is shown, and what follows what. */
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MoveNotice } from '../../src/pages/calendar/move-notice.tsx';
import { type Notice, useMoves } from '../../src/pages/calendar/use-moves.ts';
import { useZoneText } from '../../src/pages/calendar/zone-text.ts';
import { createZone, type Zone } from '../../src/time/zone-time.ts';
import { refusal } from './fake-client.ts';
import { postOf } from './posts.ts';
import { render } from './render.tsx';

const NOW = Date.UTC(2026, 9, 20, 12);
const DAY_MS = 86_400_000;
const utc = createZone('UTC');

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

interface ShownNotice {
  notice: Notice;
  onUndo(notice: Notice): void;
  onClose(): void;
}

function Shown({ zone = utc, ...given }: ShownNotice & { zone?: Zone }) {
  return <MoveNotice text={useZoneText(zone)} {...given} />;
}

function show(notice: Notice) {
  const given = { onUndo: vi.fn(), onClose: vi.fn() };
  render(<Shown notice={notice} {...given} />);
  return given;
}

const berlin = createZone('Europe/Berlin');
const MOVED: Notice = { kind: 'moved', id: 'p', from: NOW, to: NOW + DAY_MS };

describe('a successful move', () => {
  test('is announced for ten seconds', async () => {
    const { onClose } = show(MOVED);
    expect(screen.getByRole('status').textContent).toContain('Moved to Wed, Oct 21, 12:00 PM');
    await pass(9_999);
    expect(onClose).not.toHaveBeenCalled();
    await pass(1);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test.each([
    ['the pointer', fireEvent.mouseEnter, fireEvent.mouseLeave],
    ['the focus', fireEvent.focus, fireEvent.blur],
  ])('stays while %s is on it', async (_, enter, leave) => {
    const { onClose } = show(MOVED);
    const inside = screen.getByRole('button', { name: 'Undo' });
    enter(inside);
    await pass(60_000);
    expect(onClose).not.toHaveBeenCalled();
    leave(inside);
    await pass(10_000);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('can be undone', () => {
    const { onUndo } = show(MOVED);
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(onUndo.mock.calls).toEqual([[MOVED]]);
  });
});

test('a post that was moved back cannot be undone again', () => {
  show({ kind: 'restored', to: NOW });
  expect(screen.getByRole('status').textContent).toContain('Moved back to');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a refusal stays until it is closed', async () => {
  const { onClose } = show({ kind: 'refused', reason: 'started', to: NOW, text: '' });
  // Not a mere status.
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.getByText(/already started/)).toBeTruthy();
  await pass(600_000);
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

/** Buttons that move two posts by a day, and one that moves a post to yesterday. */
function Moves() {
  const moves = useMoves();
  const text = useZoneText(utc);
  const move = (id: string, days: number) =>
    moves.move({ id, at: NOW + DAY_MS }, { to: NOW + DAY_MS + days * DAY_MS, skipped: null });
  return (
    <>
      <button type="button" onClick={() => move('one', 1)}>
        Move one
      </button>
      <button type="button" onClick={() => move('other', 1)}>
        Move other
      </button>
      <button type="button" onClick={() => move('one', -2)}>
        Move to yesterday
      </button>
      <button type="button" onClick={() => move('one', 0)}>
        Move nowhere
      </button>
      <MoveNotice notice={moves.notice} text={text} onUndo={moves.undo} onClose={moves.close} />
    </>
  );
}

describe('moves', () => {
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

  test('are undone by the opposite move', async () => {
    const edit = vi.fn(async () => postOf([]));
    render(<Moves />, { posts: { edit } });
    await press('Move one');
    await pass(1);
    await press('Undo');
    await pass(1);
    expect(edit.mock.calls).toEqual([
      ['one', { scheduled: NOW + 2 * DAY_MS }],
      ['one', { scheduled: NOW + DAY_MS }],
    ]);
    expect(screen.getByRole('status').textContent).toContain('Moved back to Wed, Oct 21, 12:00 PM');
  });

  test('are sent one after another, and a refusal is kept', async () => {
    const refused = Promise.withResolvers<never>();
    const edit = vi.fn((id: string) => (id === 'one' ? refused.promise : Promise.resolve(postOf([]))));
    render(<Moves />, { posts: { edit } });
    await press('Move one');
    await press('Move other');
    await pass(1);
    expect(edit).toHaveBeenCalledOnce();
    refused.reject(refusal('not_editable', 'Begun', 409));
    await pass(1);
    expect(edit).toHaveBeenCalledTimes(2);
    expect(screen.getByText(/already started/)).toBeTruthy();
  });

  test('to the past are refused without a request', async () => {
    const edit = vi.fn(async () => postOf([]));
    render(<Moves />, { posts: { edit } });
    await press('Move nowhere');
    expect(screen.getByRole('status').textContent).toBe('');
    await press('Move to yesterday');
    expect(screen.getByText(/Oct 19, 12:00 PM is in the past/)).toBeTruthy();
    expect(edit).not.toHaveBeenCalled();
  });
});

describe('a move to a day of a clock change', () => {
  const shows = (notice: Notice, text: string) => {
    render(<Shown zone={berlin} notice={notice} onUndo={() => {}} onClose={() => {}} />);
    expect(screen.getByText(text)).toBeTruthy();
  };

  test('names the time that the clock skips', () => {
    const to = Date.UTC(2027, 2, 28, 1, 30);
    shows(
      { ...MOVED, to, skipped: '02:30' },
      'Moved to Sun, Mar 28, 3:30 AM, because the clock skips 2:30 AM on that day.',
    );
  });

  test('says which of two equal times it is', () => {
    shows({ ...MOVED, to: Date.UTC(2026, 9, 25, 0, 30) }, 'Moved to Sun, Oct 25, 2:30 AM GMT+2.');
    shows({ ...MOVED, to: Date.UTC(2026, 9, 25, 1, 30) }, 'Moved to Sun, Oct 25, 2:30 AM GMT+1.');
  });
});
