import type { Post, PostResult } from '@reelay/sdk';
import { describe, expect, test } from 'vitest';
import { draftOf, emptyDraft, isBlank, parseDraft } from '../src/drafts/draft.ts';
import { groupFailures, isResolvedAtAccounts, outcomeOf } from '../src/pages/posts/causes.ts';
import { groupLines, progressOf, type Target, type TimelineLine } from '../src/pages/posts/progress.ts';

const AT = '2026-08-01T09:30:00.000Z';

function line(event: string, code: string, params: Record<string, unknown> = {}): TimelineLine {
  return { at: AT, event, text: code, message: { code, params } } as TimelineLine;
}

function target(timeline: TimelineLine[], more: Partial<Target> = {}): Target {
  return { platformId: 'a', status: 'PENDING', timeline, ...more };
}

describe('the progress of a target', () => {
  const of = (...timeline: TimelineLine[]) => progressOf(target(timeline), false);

  test.each([
    ['queued', [line('queued', 'queued')], { stage: 'queued', percent: null }],
    ['bytes', [line('step', 'bytes_sent', { sentBytes: 1, totalBytes: 3 })], { stage: 'uploading', percent: 33 }],
    ['parts', [line('step', 'part_sent', { part: 4, parts: 8 })], { stage: 'uploading', percent: 50 }],
    ['processing', [line('step', 'processing')], { stage: 'processing', percent: null }],
    ['processing again', [line('processing', 'retry_in')], { stage: 'processing', percent: null }],
    ['accepted', [line('confirming', 'published_processing')], { stage: 'finishing', percent: null }],
    ['unknown', [line('unknown', 'send_unanswered')], { stage: 'verifying', percent: null }],
    ['a retry', [line('retry', 'retry_in')], { stage: 'waiting', percent: null }],
    ['a new code', [line('later', 'later')], { stage: 'working', percent: null }],
  ])('%s', (_, timeline, expected) => {
    expect(of(...timeline)).toEqual(expected);
  });

  test('a share that makes no sense is left out', () => {
    expect(of(line('step', 'bytes_sent', { sentBytes: 1, totalBytes: 0 }))?.percent).toBeNull();
    expect(of(line('step', 'bytes_sent', { sentBytes: 'x' }))?.percent).toBeNull();
    expect(of(line('step', 'bytes_sent', { sentBytes: 9, totalBytes: 3 }))?.percent).toBe(100);
  });

  test('a conversion comes first, and a final target has none', () => {
    const converting = target([line('queued', 'queued')], { rendition: { progress: 0.256 } });
    expect(progressOf(converting, false)).toEqual({ stage: 'converting', percent: 26 });
    expect(progressOf(target([], { status: 'SUCCESS' }), false)).toBeNull();
    expect(progressOf(target([line('queued', 'queued')]), true)?.stage).toBe('scheduled');
  });
});

test('a post that may be published is not "not posted"', () => {
  const of = (posted: number, unknown: number) => outcomeOf({ total: 3, posted, unknown });
  expect([of(3, 0), of(2, 1), of(0, 1), of(0, 3), of(0, 0)]).toEqual(['all', 'some', 'unknown', 'unknown', 'none']);
});

test('repeated lines are one group', () => {
  const timeline = [
    line('queued', 'queued'),
    line('step', 'upload_opened'),
    line('step', 'part_sent', { part: 1, parts: 2 }),
    line('step', 'part_sent', { part: 2, parts: 2 }),
    line('step', 'processing'),
    line('step', 'processing'),
    line('posted', 'posted'),
  ];
  expect(groupLines(timeline).map((group) => group.length)).toEqual([1, 3, 2, 1]);
  expect(groupLines(timeline).flat()).toEqual(timeline);
});

test('failed accounts are grouped by cause', () => {
  const result = (id: string, status: PostResult['status'], message?: string): PostResult =>
    ({ id, status, message, platform: 'p', username: id, usernameImage: '' }) as PostResult;
  const groups = groupFailures([
    result('a', 'FAILED', 'video_rejected'),
    result('b', 'SUCCESS'),
    result('c', 'FAILED', 'outcome_unknown'),
    result('d', 'FAILED', 'newer_than_this_page'),
    result('e', 'FAILED', 'video_rejected'),
  ]);
  expect(groups.map(({ cause, results }) => [cause, results.map(({ id }) => id).join()])).toEqual([
    ['outcome_unknown', 'c'],
    ['video_rejected', 'a,e'],
    ['platform_error', 'd'],
  ]);
  expect(isResolvedAtAccounts('reconnect_required')).toBe(true);
  expect(isResolvedAtAccounts('video_rejected')).toBe(false);
});

test('the compose page reads the draft of a copy', () => {
  const key = '019a0b1c-2d3e-4f40-8a5b-6c7d8e9f0a1b';
  const upload = { id: 'u', name: 'Video', bytes: 5, lastModified: null };
  const result = [{ id: 'a' }, { id: 'b' }] as PostResult[];
  const targets = [{ platformId: 'a', caption: 'Hi' }, { platformId: 'b' }] as Post['targets'];
  const values = new Map([['b', { title: 'Light', tags: ['sun'], notify: false }]]);
  const post = { description: 'Hallo 🌅', result, targets, previewTime: 1.5 };
  const draft = draftOf(post, upload, values, key);
  const read = parseDraft(JSON.stringify(draft), 'other');
  const options = { a: { caption: 'Hi', values: {} }, b: { caption: null, values: values.get('b') } };
  const text = { ...emptyDraft(key), description: 'Hallo 🌅', accounts: ['a', 'b'], options };
  expect(read).toEqual({ ...text, upload, previewTime: 1.5 });
  // The position of the cover belongs to the video.
  expect(draftOf(post, null, values, key)).toEqual(text);
  expect([isBlank(draft), draft.upload?.id]).toEqual([false, 'u']);
  for (const text of [JSON.stringify(emptyDraft(key)), null, '', 'null', '[]', '{"upload":3}']) {
    const stored = parseDraft(text, key);
    expect([isBlank(stored), stored.upload]).toEqual([true, null]);
  }
});
