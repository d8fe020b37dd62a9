/** The dialog that moves a scheduled post. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ChangeTime } from '../../src/pages/calendar/change-time.tsx';
import type { Entry } from '../../src/pages/calendar/entries.ts';
import { useZoneText } from '../../src/pages/calendar/zone-text.ts';
import { createZone, type Zone } from '../../src/time/zone-time.ts';
import { refusal } from './fake-client.ts';
import { postOf } from './posts.ts';
import { render } from './render.tsx';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const kolkata = createZone('Asia/Kolkata');
/** 12:00 of Kolkata, on a day between two and three days ahead. */
const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + 3 * DAY_MS - 17.5 * HOUR_MS;
const ENTRY: Entry = {
  id: 'p',
  at: noon,
  wall: kolkata.wallAt(noon),
  status: 'SCHEDULED',
  words: 'By hand',
  filename: '',
  accounts: 1,
  isMovable: true,
};

interface Given {
  onMoved(to: number): void;
  onClose(): void;
}

function Dialog({ zone, entry, ...given }: Given & { zone: Zone; entry: Entry }) {
  return <ChangeTime entry={entry} zone={zone} text={useZoneText(zone)} {...given} />;
}

async function show(edit = vi.fn(async (_id: string, _change: object) => postOf([])), zone = kolkata, entry = ENTRY) {
  const given = { onMoved: vi.fn(), onClose: vi.fn() };
  const { user } = render(<Dialog zone={zone} entry={entry} {...given} />, { posts: { edit } });
  await screen.findByRole('dialog', { name: 'Change time' });
  const time = screen.getByLabelText('Time');
  const type = (value: string) => fireEvent.change(time, { target: { value } });
  const save = screen.getByRole('button', { name: 'Save' });
  return { user, edit, time, type, save, ...given };
}

describe('the new time', () => {
  test("starts with the current time in the user's zone", async () => {
    const { time } = await show();
    expect(time).toHaveProperty('value', '12:00');
    expect(screen.getByText('Time zone: Asia/Kolkata')).toBeTruthy();
    expect(screen.getByText('By hand')).toBeTruthy();
  });

  test('is saved and reported', async () => {
    const { user, edit, type, save, onMoved, onClose } = await show();
    type('15:45');
    await user.click(save);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(edit.mock.calls).toEqual([['p', { scheduled: noon + 3.75 * HOUR_MS }]]);
    expect(onMoved.mock.calls).toEqual([[noon + 3.75 * HOUR_MS]]);
  });

  test('is not sent if it is unchanged', async () => {
    const { user, edit, type, save, onMoved, onClose } = await show();
    type('15:45');
    type('12:00');
    await user.click(save);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(edit).not.toHaveBeenCalled();
    expect(onMoved).not.toHaveBeenCalled();
  });

  test('cannot be over', async () => {
    const { type, save } = await show(undefined, kolkata, { ...ENTRY, at: noon - 10 * DAY_MS });
    type('15:45');
    expect(screen.getByText('Choose a time in the future.')).toBeTruthy();
    expect(save).toHaveProperty('disabled', true);
  });

  test('must be complete', async () => {
    const { type, save } = await show();
    type('');
    expect(screen.getByText('Enter a date and a time.')).toBeTruthy();
    expect(save).toHaveProperty('disabled', true);
    type('15:45');
    expect(screen.queryByText('Enter a date and a time.')).toBeNull();
    expect(save).toHaveProperty('disabled', false);
  });

  test('is discarded with Cancel', async () => {
    const { user, edit, type, onMoved, onClose } = await show();
    type('15:45');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(edit).not.toHaveBeenCalled();
    expect(onMoved).not.toHaveBeenCalled();
  });
});

describe('a time that the clock shows twice', () => {
  const edit = () => vi.fn(async (_id: string, _change: object) => postOf([]));
  const berlin = createZone('Europe/Berlin');
  const second = Date.UTC(2026, 9, 25, 1, 30);
  const entry = { ...ENTRY, at: second, wall: berlin.wallAt(second) };

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 9, 20), toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('opens as the one that it is', async () => {
    await show(edit(), berlin, entry);
    expect(screen.getByRole('radio', { name: 'The second, 2:30 AM GMT+1' })).toHaveProperty('checked', true);
  });

  test('changes to its other occurrence', async () => {
    const { user, edit: sent, save, onClose } = await show(edit(), berlin, entry);
    await user.click(screen.getByRole('radio', { name: 'The first, 2:30 AM GMT+2' }));
    await user.click(save);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(sent.mock.calls).toEqual([['p', { scheduled: second - HOUR_MS }]]);
  });
});

describe('a refused time', () => {
  test.each([
    ['not_editable', 409, /already started/],
    ['unknown_post', 404, /no longer exists/],
    ['scheduled_in_past', 400, /3:45 PM is in the past/],
    ['scheduled_too_far', 400, /within the next year/],
    ['network', 0, /no connection/],
    ['newer_than_this_page', 400, /was not moved\. In the words of the service/],
  ])('%s is explained, and the dialog stays open', async (code, status, reason) => {
    const refuse = vi.fn(() => Promise.reject(refusal(code, 'In the words of the service', status)));
    const { user, type, save, onMoved, onClose } = await show(refuse);
    type('15:45');
    await user.click(save);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(reason);
    expect(onMoved).not.toHaveBeenCalled();
    expect(onClose).not.toHaveBeenCalled();
  });
});
