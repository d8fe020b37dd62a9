import type { FoundPost } from '@reelay/sdk';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Draft, emptyDraft, inputProblem } from '../../src/drafts/draft.ts';
import { SubmitArea } from '../../src/pages/compose/submit-area.tsx';
import { TimeField } from '../../src/pages/compose/time/time-field.tsx';
import { render } from './render.tsx';

/** A Wednesday. */
const NOW = '2026-03-04T10:15:00+05:30';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
});
afterEach(() => {
  vi.useRealTimers();
});

type Change = (at: Draft['at']) => void;

const momentOf = (date: string) => Date.parse(date);

interface Given {
  at?: Draft['at'];
  zone?: string;
  /** A change that another tab makes when "Change elsewhere" is pressed. */
  elsewhere?: number;
  /** Posts that wait, by date and account. */
  posts?: readonly (readonly [date: string, account: string])[];
}

/** The field of a post for the account "mine". */
function Page({ at: initial = null, zone = 'Asia/Kolkata', elsewhere = 0, onChange }: Given & { onChange: Change }) {
  const [at, setAt] = useState(initial);
  const change: Change = (next) => {
    onChange(next);
    setAt(next);
  };
  return (
    <IntlProvider locale="en" timeZone={zone}>
      <TimeField at={at} accounts={['mine']} onChange={change} />
      <button type="button" onClick={() => setAt(elsewhere)}>
        Change elsewhere
      </button>
    </IntlProvider>
  );
}

function show({ posts = [], ...given }: Given = {}) {
  const onChange = vi.fn<Change>();
  const found = posts.map(([date, id], index) => ({ id: `${index}`, date, result: [{ id, status: 'PENDING' }] }));
  const calendar = vi.fn(async () => ({ data: found as Partial<FoundPost>[] as FoundPost[], next: null }));
  return { ...render(<Page {...given} onChange={onChange} />, { posts: { calendar } }), onChange, calendar };
}

const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const timeField = () => screen.findByLabelText<HTMLInputElement>('Time');
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

async function suggestions(): Promise<(string | null)[]> {
  const group = await screen.findByRole('group', { name: 'Suggested times' });
  return [...group.querySelectorAll('button')].map(({ textContent }) => textContent?.replaceAll(/\s/g, ' ') ?? null);
}

describe('the time of a post', () => {
  test('is now at first', () => {
    show();
    expect(radio('Now').checked).toBe(true);
    expect(screen.queryByLabelText('Time')).toBeNull();
  });

  test('is an hour ahead after a choice of later', async () => {
    const { user, onChange } = show();
    await user.click(radio('Later'));
    expect((await timeField()).value).toBe('11:15');
    expect(onChange.mock.calls).toEqual([[momentOf('2026-03-04T11:15:00+05:30')]]);
  });

  test('is removed by a choice of now', async () => {
    const { user, onChange } = show({ at: momentOf('2026-03-05T12:00:00+05:30') });
    await timeField();
    await user.click(radio('Now'));
    expect(onChange.mock.calls).toEqual([[null]]);
    expect(screen.queryByLabelText('Time')).toBeNull();
  });

  test('is typed in the zone of the user', async () => {
    const { onChange } = show({ at: momentOf('2026-03-05T12:00:00+05:30') });
    expect((await timeField()).value).toBe('12:00');
    screen.getByText('Time zone: Asia/Kolkata');
    type(await timeField(), '18:45');
    expect(onChange.mock.calls).toEqual([[momentOf('2026-03-05T18:45:00+05:30')]]);
    expect((await timeField()).value).toBe('18:45');
  });

  for (const [title, typed, at, text] of [
    ['is incomplete without a value', '', 'incomplete', 'Enter a date and a time.'],
    ['cannot be over', '10:15', momentOf('2026-03-04T10:15:00+05:30'), 'Choose a time in the future.'],
  ] as const)
    test(title, async () => {
      const { onChange } = show({ at: momentOf('2026-03-04T12:00:00+05:30') });
      type(await timeField(), typed);
      await screen.findByText(text);
      expect(onChange.mock.calls).toEqual([[at]]);
      expect((await timeField()).getAttribute('aria-invalid')).toBe('true');
    });

  test('must be set again after a lost page', async () => {
    const { onChange } = show({ at: 'incomplete' });
    expect((await timeField()).value).toBe('11:15');
    expect(onChange.mock.calls).toEqual([[momentOf('2026-03-04T11:15:00+05:30')]]);
  });

  test('follows a change from elsewhere', async () => {
    const elsewhere = momentOf('2026-03-06T08:30:00+05:30');
    const { user } = show({ at: momentOf('2026-03-05T12:00:00+05:30'), elsewhere });
    expect((await timeField()).value).toBe('12:00');
    await user.click(screen.getByRole('button', { name: 'Change elsewhere' }));
    await waitFor(async () => expect((await timeField()).value).toBe('08:30'));
  });

  test('moves if the clock skips it, with a note', async () => {
    const { onChange } = show({ at: momentOf('2026-03-29T12:00:00+02:00'), zone: 'Europe/Berlin' });
    type(await timeField(), '02:30');
    await screen.findByText('The clock skips this time on that day. 3:30 AM is used.');
    expect(onChange.mock.calls).toEqual([[momentOf('2026-03-29T03:30:00+02:00')]]);
  });

  test('can be either occurrence of a repeated time', async () => {
    const { user, onChange } = show({ at: momentOf('2026-10-25T12:00:00+01:00'), zone: 'Europe/Berlin' });
    type(await timeField(), '02:30');
    const group = await screen.findByRole('radiogroup', { name: /^The clock shows this time twice on that day/ });
    expect(within(group).getByRole('radio', { name: 'The first, 2:30 AM GMT+2' })).toHaveProperty('checked', true);
    await user.click(within(group).getByRole('radio', { name: 'The second, 2:30 AM GMT+1' }));
    expect(onChange.mock.calls).toEqual([
      [momentOf('2026-10-25T02:30:00+02:00')],
      [momentOf('2026-10-25T02:30:00+01:00')],
    ]);
  });
});

/** With the button of the page. */
function WithButton() {
  const [at, setAt] = useState<Draft['at']>(momentOf('2026-03-04T12:00:00+05:30'));
  return (
    <IntlProvider locale="en" timeZone="Asia/Kolkata">
      <TimeField at={at} accounts={['mine']} onChange={setAt} />
      <SubmitArea
        chosen={[]}
        at={at}
        problem={inputProblem({ ...emptyDraft('key'), accounts: ['mine'], at }, Date.now())}
        isSending={false}
        isConverting={false}
        error={null}
        onSubmit={() => {}}
        onSubmitAnother={() => {}}
        onOptions={() => {}}
      />
    </IntlProvider>
  );
}

describe('the field and the button of a post', () => {
  for (const [what, typed, text] of [
    ['an incomplete time', '', 'Enter a date and a time.'],
    ['a past time', '09:00', 'Choose a time in the future.'],
  ] as const)
    test(`have one sentence for ${what}`, async () => {
      render(<WithButton />, { posts: { calendar: async () => ({ data: [], next: null }) } });
      type(await timeField(), typed);
      expect(await screen.findAllByText(text)).toHaveLength(2);
      expect(screen.getByRole('button', { name: 'Schedule' })).toHaveProperty('disabled', true);
    });
});

describe('suggested times', () => {
  const at = momentOf('2026-03-06T12:00:00+05:30');

  test("are today and tomorrow in the user's zone", async () => {
    show({ at });
    expect(await suggestions()).toEqual(['Today 12:00 PM', 'Tonight 6:00 PM', 'Tomorrow 9:00 AM', 'Tomorrow 6:00 PM']);
  });

  test('are taken with one press', async () => {
    const { user, onChange } = show({ at });
    const tomorrow = await screen.findByRole('button', { name: /^Tomorrow 9:00/ });
    expect(tomorrow.getAttribute('aria-pressed')).toBe('false');
    await user.click(tomorrow);
    expect(onChange.mock.calls).toEqual([[momentOf('2026-03-05T09:00:00+05:30')]]);
    await waitFor(async () => expect((await timeField()).value).toBe('09:00'));
    expect(screen.getByRole('button', { name: /^Tomorrow 9:00/ }).getAttribute('aria-pressed')).toBe('true');
  });

  test('replace a time that was typed wrongly', async () => {
    const { user } = show({ at });
    type(await timeField(), '');
    await screen.findByText('Enter a date and a time.');
    await user.click(screen.getByRole('button', { name: /^Tomorrow 9:00/ }));
    await waitFor(async () => expect((await timeField()).value).toBe('09:00'));
    expect(screen.queryByText('Enter a date and a time.')).toBeNull();
  });

  test('leave out those of other posts of the accounts', async () => {
    show({ at, posts: [['2026-03-05T09:10:00+05:30', 'mine']] });
    await waitFor(async () => expect(await suggestions()).toContain('Tomorrow 10:00 AM'));
    expect(await suggestions()).not.toContain('Tomorrow 9:00 AM');
  });

  test('ignore posts of other accounts', async () => {
    const { calendar, queries } = show({ at, posts: [['2026-03-05T09:10:00+05:30', 'other']] });
    await waitFor(() => expect(calendar).toHaveBeenCalledOnce());
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(await suggestions()).toContain('Tomorrow 9:00 AM');
  });
});
