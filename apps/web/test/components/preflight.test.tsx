import type { PostCheck } from '@reelay/sdk';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Draft } from '../../src/drafts/draft.ts';
import { Preflight } from '../../src/pages/compose/preflight/preflight.tsx';
import { useCheck } from '../../src/pages/compose/preflight/use-check.ts';
import { accountOn, type ComposeState, countOf, countsOf, showCompose } from './compose-harness.tsx';
import { refusal } from './fake-client.ts';

type Verdict = PostCheck['result'][number];
type Posts = NonNullable<Parameters<typeof showCompose>[1]['posts']>;

const accounts = [accountOn('mastodon', 'anna'), accountOn('x', 'berta')];

const verdictOn = (id: string, given: Partial<Verdict> = {}): Verdict =>
  ({
    platformId: id,
    platform: id === 'anna' ? 'mastodon' : 'x',
    username: id,
    outcome: 'fits',
    reasons: [],
    ...given,
  }) as Verdict;

const reason = (code: string, message: string) => ({ code, message, effect: 'fails' as const });

const TOO_LONG = verdictOn('berta', { outcome: 'fails', reasons: [reason('caption_too_long', 'Too long.')] });

function checkOf(...result: Verdict[]): PostCheck {
  return { date: '2026-01-02T03:04:05Z', scheduled: false, reasons: [], result } as unknown as PostCheck;
}

interface Given {
  check?: PostCheck;
  error?: Error;
  counts?: ReturnType<typeof countsOf>;
  draft?: Partial<Draft>;
  posts?: Posts;
  chosen?: typeof accounts;
  onOptions?(id: string): void;
}

function show({ check, error, counts = countsOf(), draft = {}, posts = {}, chosen = accounts, onOptions }: Given) {
  return showCompose(
    (state) => (
      <Preflight
        check={check}
        error={error ?? null}
        draft={state.draft}
        counts={counts}
        options={state.options}
        onChange={state.change}
        onOptions={onOptions ?? (() => {})}
      />
    ),
    { accounts: chosen, draft, posts },
  );
}

function Checked({ draft, ...state }: ComposeState) {
  const { data, error } = useCheck(draft, { berta: { caption: 'Own' } }, true);
  return (
    <Preflight
      check={data}
      error={error}
      draft={draft}
      counts={countsOf()}
      {...state}
      onChange={state.change}
      onOptions={() => {}}
    />
  );
}

describe('the result of a check', () => {
  test('says that all accounts are ready', async () => {
    show({ check: checkOf(verdictOn('anna'), verdictOn('berta')) });
    expect((await screen.findByRole('status')).textContent).toBe('Ready for all 2 accounts.');
  });

  test('says that the only account is ready', async () => {
    show({ check: checkOf(verdictOn('anna')), chosen: accounts.slice(0, 1) });
    expect((await screen.findByRole('status')).textContent).toBe('Ready for 1 account.');
  });

  test('is empty before the first check', () => {
    show({});
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is not "ready" while a question is open', async () => {
    const { refresh } = show({
      chosen: [accountOn('tiktok', 'tina')],
      check: checkOf(
        verdictOn('tina', { outcome: 'refused', reasons: [reason('setup_needed', 'Choose who can see it.')] }),
      ),
    });
    // Then the questions are known.
    await waitFor(() => expect(refresh).toHaveBeenCalled());
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.queryByText(/Choose who can see it/)).toBeNull();
  });

  test('shows reasons of the whole post', async () => {
    show({
      check: { ...checkOf(verdictOn('anna')), reasons: [reason('plan_limit', 'No posts are left this month.')] },
    });
    expect(await screen.findByText('No posts are left this month.')).toBeTruthy();
    expect(screen.queryByText(/^Ready/)).toBeNull();
  });

  test('names conversions in one line, with details', async () => {
    const converted = (id: string) =>
      verdictOn(id, { outcome: 'converted', reasons: [reason('converted', 'The file format is mov.')] });
    show({ check: checkOf(converted('anna'), converted('berta')) });
    const line = await screen.findByText('Reelay converts the video for Mastodon and X. Nothing to do.');
    const details = line.parentElement?.querySelector('details');
    expect(details?.open).toBe(false);
    expect(details?.textContent).toBe(
      'DetailsMastodon (Name of anna): The file format is mov.X (Name of berta): The file format is mov.',
    );
    expect((await screen.findByRole('status')).textContent).toBe('Ready for all 2 accounts.');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows the worst account first', async () => {
    show({
      check: checkOf(
        verdictOn('anna', { outcome: 'waits', reasons: [reason('platform_limit_reached', 'It is used up.')] }),
        verdictOn('berta', { outcome: 'refused', reasons: [reason('forbidden', 'It is not allowed.')] }),
      ),
    });
    await screen.findByRole('alert');
    expect(screen.getAllByText(/^(X|Mastodon) \(/).map((line) => line.closest('p')?.textContent)).toEqual([
      'X (Name of berta), not possible: It is not allowed.',
      'Mastodon (Name of anna), the post will wait: It is used up.',
    ]);
  });

  test('is replaced by the error of the check', async () => {
    show({ check: checkOf(verdictOn('anna')), error: refusal('busy', 'Try later.', 500) });
    expect((await screen.findByRole('alert')).textContent).toContain('Try later.');
    expect(screen.queryByText(/^Ready/)).toBeNull();
  });
});

describe('what can be done about an account', () => {
  test('is to open its options', async () => {
    const onOptions = vi.fn();
    const { user } = show({
      check: checkOf(verdictOn('berta', { outcome: 'fails', reasons: [reason('invalid_request', 'Wrong.')] })),
      onOptions,
    });
    await user.click(await screen.findByRole('button', { name: 'Open options' }));
    expect(onOptions.mock.calls).toEqual([['berta']]);
  });

  test('is to deselect it', async () => {
    const { user, draft } = show({
      check: checkOf(verdictOn('berta', { outcome: 'refused', reasons: [reason('forbidden', 'Not allowed.')] })),
    });
    await user.click(await screen.findByRole('button', { name: 'Deselect this account' }));
    expect(draft().accounts).toEqual(['anna']);
  });

  test('is to reconnect it', async () => {
    show({
      check: checkOf(verdictOn('berta', { outcome: 'fails', reasons: [reason('reconnect_required', 'Expired.')] })),
    });
    expect((await screen.findByRole('link', { name: 'Reconnect' })).getAttribute('href')).toBe('/accounts');
  });

  test('is nothing if the post only waits', async () => {
    show({
      check: checkOf(verdictOn('berta', { outcome: 'waits', reasons: [reason('rate_limited', 'Until noon.')] })),
    });
    await screen.findByText(/Until noon/);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('a caption that is too long', () => {
  /** As a platform that accepts ten characters. */
  const countCaptions: NonNullable<Posts['countCaptions']> = async ({ platforms, options }) => {
    const [id = ''] = platforms;
    return [countOf(id, { length: String(options?.[id]?.caption).length, limit: 10 })];
  };

  test('has the same explanation as its counter', async () => {
    show({ check: checkOf(TOO_LONG), counts: countsOf(countOf('berta', { problem: 'At most 280 characters.' })) });
    expect((await screen.findByRole('alert')).textContent).toContain('the post would fail: At most 280 characters.');
  });

  test('is shortened for its account only', async () => {
    const { user, draft } = show({
      check: checkOf(TOO_LONG),
      draft: { description: 'First light over the sea' },
      posts: { countCaptions },
    });
    await user.click(await screen.findByRole('button', { name: 'Shorten for this account' }));
    await waitFor(() => expect(draft().options).toEqual({ berta: { caption: 'First…', values: {} } }));
    expect(draft().description).toBe('First light over the sea');
  });

  test('is shortened from the caption of the account', async () => {
    const { user, draft } = show({
      check: checkOf(TOO_LONG),
      draft: { description: 'First', options: { berta: { caption: 'Only on X and long', values: {} } } },
      posts: { countCaptions },
    });
    await user.click(await screen.findByRole('button', { name: 'Shorten for this account' }));
    await waitFor(() => expect(draft().options.berta?.caption).toBe('Only on X…'));
  });

  test('stays if it cannot be counted', async () => {
    const { user, draft } = show({
      check: checkOf(TOO_LONG),
      draft: { description: 'First light over the sea' },
      posts: { countCaptions: () => Promise.reject(refusal('busy', 'Try later.', 500)) },
    });
    await user.click(await screen.findByRole('button', { name: 'Shorten for this account' }));
    expect(await screen.findByText('Try later.')).toBeTruthy();
    expect(draft().options).toEqual({});
  });
});

describe('a video that is not vertical', () => {
  test.each([
    ['Crop to 9:16', 'crop', 'The video will be cropped to 9:16.'],
    ['Add bars', 'pad', 'Bars will be added to make the video 9:16.'],
    ['Blurred bars', 'blur', 'Blurred bars will be added to make the video 9:16.'],
  ] as const)('is converted with "%s", which can be undone', async (name, fit, text) => {
    const { user, draft } = show({ error: refusal('video_not_vertical') });
    expect((await screen.findByRole('alert')).textContent).toContain('The video is not vertical');
    await user.click(screen.getByRole('button', { name }));
    expect(draft().fit).toBe(fit);
    expect(screen.getByRole('status').textContent).toContain(text);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(draft().fit).toBeNull();
    expect(await screen.findByRole('alert')).toBeTruthy();
  });
});

describe('checking', () => {
  const upload = { id: 'upload', name: 'a.mp4', bytes: 1, lastModified: 1 };
  const check = (draft: Partial<Draft>, call: NonNullable<Posts['check']>) =>
    showCompose((state) => <Checked {...state} />, { accounts, draft, posts: { check: call } });

  test('sends what would be posted', async () => {
    const call = vi.fn<NonNullable<Posts['check']>>(async () => checkOf(verdictOn('anna'), verdictOn('berta')));
    check({ upload, description: 'First light', at: 1_800_000_000_000, previewTime: 2.5 }, call);
    await screen.findByText('Ready for all 2 accounts.');
    expect(call).toHaveBeenCalledExactlyOnceWith({
      uploadId: 'upload',
      platforms: ['anna', 'berta'],
      description: 'First light',
      options: { berta: { caption: 'Own' } },
      scheduled: 1_800_000_000_000,
      previewTime: 2.5,
      signal: expect.any(AbortSignal),
    });
  });

  test.each([
    ['a video', {}],
    ['accounts', { upload, accounts: [] }],
    ['a video that is not converted', { upload, fit: 'crop' }],
    ['a whole video', { upload, trimStart: 4 }],
  ] as const)('needs %s', async (_, draft) => {
    const call = vi.fn<NonNullable<Posts['check']>>(async () => checkOf());
    const { queries } = check(draft as Partial<Draft>, call);
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(call).not.toHaveBeenCalled();
  });
});
