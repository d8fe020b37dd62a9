import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccountOptions,
  changesAfterPost,
  type Draft,
  emptyDraft,
  FITS,
  isSameFile,
  parseDraft,
  problemOf,
  scheduledAt,
  sentAdjustments,
} from '../src/drafts/draft.ts';

const upload = { id: 'u', name: 'a.mp4', bytes: 1, lastModified: 5 };
const KEY = '019a0b1c-2d3e-4f40-8a5b-6c7d8e9f0a1b';
const ready: Draft = { ...emptyDraft(KEY), accounts: ['a'], upload };
const MINUTE_MS = 60_000;

test('a stored draft is read back unchanged', () => {
  const file = { id: fc.uuid(), name: fc.string(), bytes: fc.nat(), lastModified: fc.option(fc.nat()) };
  const draft = fc.record<Draft>({
    description: fc.string({ unit: 'binary' }),
    accounts: fc.array(fc.uuid()),
    options: fc.dictionary(
      fc.uuid(),
      fc.record<AccountOptions>({
        caption: fc.option(fc.string()),
        values: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.array(fc.string())), { maxKeys: 3 }),
      }),
      { maxKeys: 3 },
    ),
    at: fc.oneof(fc.constantFrom('incomplete' as const, null), fc.nat()),
    previewTime: fc.double({ min: 0, max: 90, noNaN: true }).filter((value) => !Object.is(value, -0)),
    fit: fc.constantFrom(...FITS, null),
    cropPosition: fc.constantFrom(0, 0.25, 1),
    trimStart: fc.option(fc.nat(600)),
    trimEnd: fc.option(fc.nat(600)),
    upload: fc.option(fc.record(file)),
    pending: fc.option(fc.record({ ...file, sent: fc.nat(), owner: fc.uuid() })),
    key: fc.uuid(),
    saved: fc.option(fc.record({ version: fc.nat(), text: fc.string() })),
  });
  fc.assert(
    fc.property(draft, (each) => {
      expect(parseDraft(JSON.stringify(each), 'other')).toEqual(each);
    }),
  );
});

test('parsing any value returns a draft of valid types', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({
        accounts: fc.anything(),
        options: fc.anything(),
        upload: fc.anything(),
        at: fc.anything(),
        pending: fc.anything(),
      })
      .map((value) => {
        try {
          return JSON.stringify(value);
        } catch {
          return 'null';
        }
      }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { description, accounts, options, at, previewTime, upload: stored, pending, key } = parseDraft(text, 'k');
      expect([typeof description, typeof previewTime, typeof key]).toEqual(['string', 'number', 'string']);
      expect(at === null || at === 'incomplete' || Number.isSafeInteger(at)).toBe(true);
      expect(pending === null || typeof pending.owner === 'string').toBe(true);
      expect(accounts.every((id) => typeof id === 'string')).toBe(true);
      for (const { caption, values } of Object.values(options)) {
        expect(caption === null || typeof caption === 'string').toBe(true);
        for (const value of Object.values(values))
          expect([value].flat().every((each) => ['string', 'boolean'].includes(typeof each))).toBe(true);
      }
      expect(stored === null || typeof stored.id === 'string').toBe(true);
    }),
  );
  expect(parseDraft(null, 'k')).toEqual(emptyDraft('k'));
});

test('a draft of an earlier version has no options', () => {
  const { options: _, fit: __, saved: ___, ...earlier } = ready;
  expect(parseDraft(JSON.stringify(earlier), 'other')).toEqual(ready);
});

describe('after posting', () => {
  const posted: Draft = {
    ...ready,
    description: 'Posted',
    options: { a: { caption: 'Own', values: {} }, b: { caption: null, values: { title: 'T' } } },
    at: 5,
    previewTime: 2,
    fit: 'crop',
  };
  const after = (draft: Draft) => ({ ...draft, ...changesAfterPost(draft, posted, 'next') });

  test('everything is empty but the accounts', () => {
    expect(after(structuredClone(posted))).toEqual({ ...emptyDraft('next'), accounts: ['a'] });
  });

  test('fields that changed meanwhile stay', () => {
    expect(after({ ...posted, description: 'Next' })).toEqual({
      ...emptyDraft('next'),
      accounts: ['a'],
      description: 'Next',
    });
    expect(after({ ...posted, at: 6 }).at).toBe(6);
    expect(after({ ...posted, at: 'incomplete' }).at).toBe('incomplete');
    const options = { ...posted.options, a: { caption: 'Next', values: {} } };
    expect(after({ ...posted, options }).options).toEqual({ a: { caption: 'Next', values: {} } });
  });

  test('another video stays with its cover and its crop', () => {
    const pending = { ...upload, id: 'v', sent: 0, owner: 'one' };
    for (const video of [{ upload: { ...upload, id: 'v' } }, { upload: null, pending }])
      expect(after({ ...posted, ...video })).toMatchObject({ ...video, previewTime: 2, fit: 'crop', description: '' });
  });

  test('a draft that replaced it is left alone', () => {
    expect(changesAfterPost({ ...posted, key: 'copy' }, posted, 'next')).toEqual({});
  });
});

test('a draft needs a video and an account', () => {
  expect(problemOf(ready, 0)).toBeNull();
  expect(problemOf({ ...ready, upload: null }, 0)).toBe('noVideo');
  expect(problemOf({ ...ready, accounts: [] }, 0)).toBe('noAccount');
  const many = Array.from({ length: 51 }, (_, at) => String(at));
  expect(problemOf({ ...ready, accounts: many }, 0)).toBe('tooManyAccounts');
  expect(problemOf({ ...ready, accounts: many.slice(1) }, 0)).toBeNull();
  expect(problemOf({ ...ready, description: '🌅'.repeat(5_001) }, 0)).toBe('longDescription');
  expect(problemOf({ ...ready, description: '🌅'.repeat(5_000) }, 0)).toBeNull();
});

test('the chosen time must be within the next year', () => {
  const now = Date.UTC(2026, 7, 1, 9, 30);
  const at = (ms: number) => ({ ...ready, at: ms });
  expect(problemOf(at(now + MINUTE_MS), now)).toBeNull();
  expect(problemOf(at(now - MINUTE_MS), now)).toBe('inPast');
  expect(problemOf(at(now + 367 * 24 * 60 * MINUTE_MS), now)).toBe('tooFar');
});

test('an unusable later time does not post now', () => {
  const draft: Draft = { ...ready, at: 'incomplete' };
  expect(problemOf(parseDraft(JSON.stringify(draft), 'k'), 0)).toBe('incomplete');
  expect(scheduledAt(draft)).toBeNull();
});

test('an older draft keeps its local time', () => {
  const atOf = (at: string) => parseDraft(JSON.stringify({ at }), 'k').at;
  expect(atOf('2026-08-01T09:30')).toBe(new Date(2026, 7, 1, 9, 30).getTime());
  expect(atOf('')).toBeNull();
  expect(atOf('soon')).toBe('incomplete');
});

test('an upload of an earlier version is kept without file', () => {
  const { upload: stored } = parseDraft(JSON.stringify({ upload: { id: 'u', name: 'a.mp4', bytes: 1 } }), 'k');
  expect(stored).toEqual({ ...upload, lastModified: null });
  expect(stored && isSameFile(stored, { ...upload, lastModified: null })).toBe(false);
});

test('a file is identified by name, size and time', () => {
  const file = { name: 'a.mp4', bytes: 1, lastModified: 5 };
  expect(isSameFile(upload, file)).toBe(true);
  for (const other of [{ name: 'b.mp4' }, { bytes: 2 }, { lastModified: 6 }])
    expect(isSameFile(upload, { ...file, ...other })).toBe(false);
});

test('a video without changes is sent as it was chosen', () => {
  expect(sentAdjustments(ready)).toEqual({});
  expect(sentAdjustments({ ...ready, cropPosition: 0.1 })).toEqual({});
  expect(sentAdjustments({ ...ready, fit: 'crop', cropPosition: 0.5 })).toEqual({ fit: 'crop' });
  expect(sentAdjustments({ ...ready, fit: 'crop', cropPosition: 0, trimEnd: 9 })).toEqual({
    ...{ fit: 'crop', cropPosition: 0, trimEnd: 9 },
  });
});
