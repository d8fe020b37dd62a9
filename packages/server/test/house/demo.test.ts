import { expect, test } from 'vitest';
import { problemsOf } from '../../../../scripts/demo/check.ts';

const expected = [
  { platform: 'tiktok', text: 'One' },
  { platform: 'mastodon', text: 'One' },
];
const found = expected.map((each) => ({ ...each, sha256: 'abc' }));

test('the demo accepts each post published once', () => {
  expect(problemsOf(expected, found, 'abc')).toEqual([]);
});

test('the demo finds lost, duplicate, foreign and changed posts', () => {
  const [tiktok, mastodon] = found;
  const strange = { platform: 'bluesky', text: 'Two', sha256: 'abc' };
  expect(
    problemsOf(
      expected,
      [mastodon, mastodon, strange].flatMap((each) => each ?? []),
      'abc',
    ),
  ).toEqual([
    '"One" on tiktok is lost.',
    '"One" on mastodon was posted 2 times.',
    '"Two" on bluesky was never asked for.',
  ]);
  expect(problemsOf(expected.slice(0, 1), tiktok ? [tiktok] : [], 'other')).toEqual([
    '"One" on tiktok has other bytes than were sent.',
  ]);
});
