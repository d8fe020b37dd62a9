import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Draft, emptyDraft, localTime, parseDraft, problemOf, scheduledAt } from '../src/pages/compose/draft.ts';

const upload = { id: 'u', name: 'a.mp4', bytes: 1 };
const ready: Draft = { ...emptyDraft('k'), accounts: ['a'], upload };
const MINUTE_MS = 60_000;

test('a stored draft is read back unchanged', () => {
  const draft = fc.record<Draft>({
    description: fc.string({ unit: 'binary' }),
    accounts: fc.array(fc.uuid()),
    at: fc.constantFrom('', '2026-08-01T09:30'),
    previewTime: fc.double({ min: 0, max: 90, noNaN: true }).filter((value) => !Object.is(value, -0)),
    upload: fc.option(fc.record({ id: fc.uuid(), name: fc.string(), bytes: fc.nat() })),
    key: fc.uuid(),
  });
  fc.assert(
    fc.property(draft, (each) => {
      expect(parseDraft(JSON.stringify(each), 'other')).toEqual(each);
    }),
  );
});

test('whatever is stored, a draft of the right types is read', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ accounts: fc.anything(), upload: fc.anything(), at: fc.anything() }).map((value) => {
      try {
        return JSON.stringify(value);
      } catch {
        return 'null';
      }
    }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { description, accounts, at, previewTime, upload: stored, key } = parseDraft(text, 'k');
      expect([typeof description, typeof at, typeof previewTime, typeof key]).toEqual([
        'string',
        'string',
        'number',
        'string',
      ]);
      expect(accounts.every((id) => typeof id === 'string')).toBe(true);
      expect(stored === null || typeof stored.id === 'string').toBe(true);
    }),
  );
  expect(parseDraft(null, 'k')).toEqual(emptyDraft('k'));
});

test('a draft can be posted with a video and an account', () => {
  expect(problemOf(ready, 0)).toBeNull();
  expect(problemOf({ ...ready, upload: null }, 0)).toBe('noVideo');
  expect(problemOf({ ...ready, accounts: [] }, 0)).toBe('noAccount');
});

test('the chosen time must be within the next year', () => {
  const now = new Date(2026, 7, 1, 9, 30).getTime();
  const at = (ms: number) => ({ ...ready, at: localTime(ms) });
  expect(problemOf(at(now + MINUTE_MS), now)).toBeNull();
  expect(problemOf(at(now - MINUTE_MS), now)).toBe('inPast');
  expect(problemOf(at(now + 367 * 24 * 60 * MINUTE_MS), now)).toBe('tooFar');
});

test('a chosen minute is kept, in every time zone', () => {
  // At the end of daylight saving time, an hour exists twice: the two moments have the same name.
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
      const minute = Math.floor(seconds / 60) * MINUTE_MS;
      const read = scheduledAt({ at: localTime(minute) }) ?? Number.NaN;
      expect([0, 30 * MINUTE_MS, 60 * MINUTE_MS]).toContain(Math.abs(read - minute));
    }),
  );
  expect(scheduledAt({ at: '' })).toBeNull();
  expect(scheduledAt({ at: 'soon' })).toBeNull();
});
