/** Posts as the service sends them. */
import type { FoundPost, Post, PostResult } from '@reelay/sdk';
import type { Target, TimelineLine } from '../../src/pages/posts/progress.ts';

const DATE = '2026-08-01T09:30:00.000Z';

/** Of an account whose id and name are the same. */
export function resultOf(id: string, given: Partial<PostResult> = {}): PostResult {
  return { id, platform: 'mastodon', username: id, displayName: '', usernameImage: '', status: 'SUCCESS', ...given };
}

export const failed = (id: string, message: NonNullable<PostResult['message']>, given: Partial<PostResult> = {}) =>
  resultOf(id, { status: 'FAILED', message, ...given });

type GivenLine = Partial<Omit<TimelineLine, 'message'>> & { message?: { code: string; params: object } };

export function lineOf(event: string, given: GivenLine = {}): TimelineLine {
  return { at: DATE, event, text: event, ...given } as TimelineLine;
}

export function targetOf(platformId: string, given: Partial<Target> = {}): Target {
  return { platformId, status: 'SUCCESS', timeline: [], ...given };
}

export function postOf(result: PostResult[], given: Partial<Post> = {}): Post {
  const targets = result.map(({ id, status }) => targetOf(id, { status }));
  const fields = { id: 'p', description: 'Hello', filename: '', date: DATE, scheduled: false, previewTime: 0 };
  return { ...fields, result, targets, ...given };
}

export function foundPost(given: Partial<FoundPost> = {}): FoundPost {
  const { targets: _, previewTime: __, ...post } = postOf([resultOf('nora')]);
  return { ...post, createdAt: DATE, ...given };
}
