/** A post on one account: its state, its progress, and what happened. */
import type { PostResult } from '@reelay/sdk';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Target } from '../../src/pages/posts/progress.ts';
import { TargetCard } from '../../src/pages/posts/target-card.tsx';
import { lineOf, resultOf, targetOf } from './posts.ts';
import { render } from './render.tsx';

const TROUBLE = {
  code: 'platform_unavailable',
  text: 'Mastodon responded with 503.',
  since: '2026-08-01T09:30:00.000Z',
  attempts: 3,
};

function show(given: Partial<PostResult>, target: Partial<Target> = {}, isScheduled = false) {
  const result = resultOf('nora', given);
  const { user } = render(
    <TargetCard
      result={result}
      target={targetOf('nora', { status: result.status, ...target })}
      isScheduled={isScheduled}
    />,
  );
  return { user, card: within(screen.getByRole('article', { name: 'Mastodon: nora' })) };
}

describe('the state of an account', () => {
  test.each<[string, Partial<PostResult>, boolean]>([
    ['Scheduled', { status: 'PENDING' }, true],
    ['In progress', { status: 'PENDING' }, false],
    ['Retrying', { status: 'PENDING', trouble: TROUBLE }, false],
    ['Scheduled', { status: 'PENDING', trouble: TROUBLE }, true],
    ['Posted', { status: 'SUCCESS' }, false],
    ['Failed', { status: 'FAILED', message: 'video_rejected' }, false],
    ['Unknown', { status: 'FAILED', message: 'outcome_unknown' }, false],
  ])('has the text %s', (word, given, isScheduled) => {
    const { card } = show(given, {}, isScheduled);
    const states = ['Scheduled', 'In progress', 'Retrying', 'Posted', 'Failed', 'Unknown'];
    expect(states.filter((each) => card.queryByText(each))).toEqual([word]);
  });

  test('is explained, with a warning and an own caption', () => {
    const { card } = show(
      { status: 'FAILED', message: 'video_rejected', detail: 'Mastodon rejected the video.' },
      { warning: 'Only you can see it.', caption: 'In other words' },
    );
    expect(card.getByText('Mastodon rejected the video.')).toBeTruthy();
    expect(card.getByText('⚠ Only you can see it.')).toBeTruthy();
    expect(card.getByText('Caption: In other words')).toBeTruthy();
  });

  test('has the name of its account, and the handle', () => {
    const result = resultOf('nora', { username: '@nora@example.org', displayName: 'Nora Studio' });
    render(<TargetCard result={result} target={undefined} isScheduled={false} />);
    const card = within(screen.getByRole('article', { name: 'Mastodon: Nora Studio' }));
    expect(card.getByText('Nora Studio')).toBeTruthy();
    expect(card.getByText('· @nora@example.org')).toBeTruthy();
  });

  test('links to a published post', () => {
    const { card } = show({ url: 'https://example.org/1' });
    expect(card.getByRole('link', { name: 'Open post' }).getAttribute('href')).toBe('https://example.org/1');
  });
});

describe('an account that is retried', () => {
  test('has the reason, the next try and the failures', () => {
    const nextAttemptAt = new Date(Date.now() + 14.4 * 60_000).toISOString();
    const { card } = show({ status: 'PENDING', trouble: TROUBLE, nextAttemptAt }, { nextAttemptAt, trouble: TROUBLE });
    expect(card.getByText('Mastodon responded with 503.')).toBeTruthy();
    expect(card.getByText(/^Next try: \d+:\d\d [AP]M \(in 14 minutes\)$/)).toBeTruthy();
    expect(card.getByText(/^Failed 3 times since 8\/1\/26, /)).toBeTruthy();
    expect(card.queryByRole('progressbar')).toBeNull();
  });

  test('has no distance to a try that is running', () => {
    const { card } = show({ status: 'PENDING', trouble: TROUBLE, nextAttemptAt: new Date(0).toISOString() });
    expect(card.getByText('Trying again now')).toBeTruthy();
  });
});

describe('the progress of an account', () => {
  test('has a percentage while the video is uploaded', () => {
    const { card } = show(
      { status: 'PENDING' },
      { timeline: [lineOf('step', { message: { code: 'bytes_sent', params: { sentBytes: 1, totalBytes: 4 } } })] },
    );
    expect(card.getByRole('progressbar', { name: 'Uploading: 25 %' })).toBeTruthy();
  });

  test.each<[string, number, number]>([
    ['names a later attempt', 10 * 60_000, 1],
    ['does not name an attempt that is near', 10_000, 0],
  ])('%s', (_, waitMs, count) => {
    const nextAttemptAt = new Date(Date.now() + waitMs).toISOString();
    const { card } = show({ status: 'PENDING' }, { nextAttemptAt, timeline: [lineOf('retry')] });
    expect(card.getByRole('progressbar', { name: 'Waiting for the next attempt' })).toBeTruthy();
    expect(card.queryAllByText(/^Next attempt: /)).toHaveLength(count);
  });

  test('is not shown before the time of a post', () => {
    const { card } = show({ status: 'PENDING' }, {}, true);
    expect(card.queryByRole('progressbar')).toBeNull();
  });
});

describe('the timeline of an account', () => {
  const timeline = [
    lineOf('queued', { text: 'Queued.' }),
    lineOf('step', { text: 'Part 1 sent.', message: { code: 'part_sent', params: { part: 1, parts: 2 } } }),
    lineOf('step', { text: 'Part 2 sent.', message: { code: 'part_sent', params: { part: 2, parts: 2 } } }),
    lineOf('failed', { text: 'Mastodon rejected the video.', platformCode: 'ERR_42' }),
  ];

  test('is shown on demand', async () => {
    const { user, card } = show({ status: 'FAILED' }, { timeline });
    expect(card.queryByText('Queued.')).toBeNull();
    await user.click(card.getByRole('button', { name: 'What happened', expanded: false }));
    expect(card.getByText('Queued.')).toBeTruthy();
    await user.click(card.getByRole('button', { name: 'Hide', expanded: true }));
    expect(card.queryByText('Queued.')).toBeNull();
  });

  test('folds repeated steps and the code of the platform', async () => {
    const { user, card } = show({ status: 'FAILED' }, { timeline });
    await user.click(card.getByRole('button', { name: 'What happened' }));
    const steps = card.getByText('2 steps').closest('details') as HTMLElement;
    expect(within(steps).getByText('Part 1 sent.')).toBeTruthy();
    expect(card.getAllByText('Part 1 sent.')).toHaveLength(1);
    const details = card.getByText('Details').closest('details') as HTMLElement;
    expect(within(details).getByText('ERR_42')).toBeTruthy();
  });

  test('is not offered without an entry', () => {
    const { card } = show({ status: 'PENDING' });
    expect(card.queryByRole('button', { name: 'What happened' })).toBeNull();
  });
});
