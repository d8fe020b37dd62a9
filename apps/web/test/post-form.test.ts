import type { Platform, PostForm, PostFormField } from '@reelay/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../../packages/server/src/connectors/registry.ts';
import { formFor } from '../../../packages/server/src/posts/form.ts';
import type { OptionValue, OptionValues } from '../src/drafts/draft.ts';
import { valuesOf } from '../src/drafts/option-values.ts';
import {
  chosenAccounts,
  declarationsOf,
  optionsProblem,
  sentOptions,
} from '../src/pages/compose/options/chosen-accounts.ts';
import {
  copiedAnswers,
  declarationOf,
  fieldStates,
  optionCount,
  optionsOf,
} from '../src/pages/compose/options/form-state.ts';
import { partsOf } from '../src/ui/form-text.ts';

const NOTHING = { choices: {}, choiceValues: {} };
const formOf = (platform: keyof typeof connectors, account = NOTHING) =>
  formFor(connectors[platform], account) as PostForm;

const PRIVACY = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
const tiktok = formOf('tiktok', {
  choices: { privacy: 'PUBLIC_TO_EVERYONE' },
  choiceValues: {
    privacy: PRIVACY.map((value) => ({ value, label: value })),
    comment: [{ value: 'on', label: 'On' }],
    duet: [{ value: 'off', label: 'Off' }],
    stitch: [{ value: 'on', label: 'On' }],
  },
});
const youtube = formOf('youtube');

const stateOf = (form: PostForm, values: OptionValues, name: string) =>
  fieldStates(form, values).find(({ field }) => field.name === name);

/** Values that the page can store for a form, and some that it cannot. */
function valuesFor({ fields }: PostForm): fc.Arbitrary<OptionValues> {
  const record = Object.fromEntries(fields.map((field) => [field.name, valueFor(field)]));
  return fc.record(record, { requiredKeys: [] }) as fc.Arbitrary<OptionValues>;
}

function valueFor({ type, values = [] }: PostFormField): fc.Arbitrary<OptionValue> {
  const any = fc.oneof(fc.string(), fc.boolean(), fc.array(fc.string(), { maxLength: 4 }));
  const offered = values.length > 0 ? fc.constantFrom(...values.map(({ value }) => value)) : fc.string();
  if (type === 'flag') return fc.oneof({ weight: 9, arbitrary: fc.boolean() }, any);
  if (type === 'choice') return fc.oneof({ weight: 9, arbitrary: offered }, any);
  if (type === 'choices') return fc.oneof({ weight: 9, arbitrary: fc.uniqueArray(offered) }, any);
  const text = fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom('en', 'pt-BR', 'en_US', 'https://a.example/b'));
  return type === 'text' ? fc.oneof(text, any) : fc.oneof(fc.array(text, { maxLength: 5 }), any);
}

describe.each(Object.values(connectors))('the form of $id', ({ id, options }) => {
  const form = formOf(id as keyof typeof connectors);

  test('sends options that have the types of the connector', () => {
    fc.assert(
      fc.property(valuesFor(form), (values) => {
        const read = options?.safeParse(optionsOf(form, values));
        const types = (read?.error?.issues ?? []).filter(({ code }) =>
          ['invalid_type', 'unrecognized_keys', 'invalid_value'].includes(code),
        );
        expect(types).toEqual([]);
      }),
    );
  });

  test('finds what is too long, too many or malformed', () => {
    fc.assert(
      fc.property(valuesFor(form), (values) => {
        const isValid = fieldStates(form, values).every(
          ({ problem }) => problem === null || problem.kind === 'missing',
        );
        const read = options?.safeParse(optionsOf(form, values));
        const isKnown = (issue: { code: string; format?: string }) =>
          issue.code === 'too_big' || (issue.code === 'invalid_format' && issue.format === 'regex');
        if (isValid) expect((read?.error?.issues ?? []).filter(isKnown)).toEqual([]);
      }),
    );
  });

  test('sends the same options from a copy', () => {
    fc.assert(
      fc.property(valuesFor(form), (values) => {
        const sent = optionsOf(form, values);
        expect(optionsOf(form, valuesOf(form, sent))).toEqual(sent);
      }),
    );
  });

  test('sends nothing that is not shown', () => {
    fc.assert(
      fc.property(valuesFor(form), (values) => {
        const shown = fieldStates(form, values).map(({ field }) => field.name);
        expect(Object.keys(optionsOf(form, values)).filter((name) => !shown.includes(name))).toEqual([]);
      }),
    );
  });
});

describe('on TikTok', () => {
  test('nothing is preselected and interactions are off', () => {
    expect(stateOf(tiktok, {}, 'privacy')).toMatchObject({ value: null, problem: { kind: 'missing' } });
    expect(optionsOf(tiktok, {})).toEqual({ disableComment: true, disableDuet: true, disableStitch: true });
    expect(fieldStates(tiktok, {}).every(({ field }) => field.preset === undefined)).toBe(true);
  });

  test('an interaction that the account has disabled stays off', () => {
    const values = { disableComment: true, disableDuet: true };
    expect(stateOf(tiktok, values, 'disableDuet')?.field.unavailable?.en).toContain('turned off');
    expect(optionsOf(tiktok, values)).toMatchObject({ disableComment: false, disableDuet: true });
  });

  test('a copy has the answers of the post', () => {
    const values = { privacy: 'SELF_ONLY', disableComment: true, disclosed: true, brandOrganic: true };
    const copied = valuesOf(tiktok, { ...optionsOf(tiktok, values), coverAtMs: 500 });
    expect(copied).toEqual({ ...values, disableDuet: false, disableStitch: false });
    expect(fieldStates(tiktok, copied).every(({ problem }) => problem === null)).toBe(true);
  });

  test('a disclosure needs its kind', () => {
    expect(stateOf(tiktok, { brandContent: true }, 'brandContent')).toBeUndefined();
    expect(stateOf(tiktok, { disclosed: true }, 'disclosed')?.problem).toMatchObject({ kind: 'refused' });
    const own = { disclosed: true, brandOrganic: true };
    expect(stateOf(tiktok, own, 'disclosed')?.problem).toBeNull();
    expect(stateOf(tiktok, own, 'brandOrganic')?.notes[0]?.en).toContain('Promotional content');
    expect(stateOf(tiktok, { ...own, brandContent: true }, 'brandOrganic')?.notes).toEqual([]);
    expect(optionsOf(tiktok, own)).toMatchObject({ brandOrganic: true });
    expect(optionsOf(tiktok, { ...own, disclosed: false })).not.toHaveProperty('brandOrganic');
  });

  test('branded content cannot be private', () => {
    const branded = { disclosed: true, brandContent: true };
    expect(stateOf(tiktok, branded, 'privacy')?.blocked.map(({ value }) => value)).toEqual(['SELF_ONLY']);
    expect(stateOf(tiktok, { disclosed: true, privacy: 'SELF_ONLY' }, 'brandContent')?.blocked).toHaveLength(1);
    const both = { ...branded, privacy: 'SELF_ONLY' };
    expect(stateOf(tiktok, both, 'privacy')?.problem).toMatchObject({ kind: 'refused' });
    // A disclosure that is turned off blocks nothing.
    expect(stateOf(tiktok, { ...both, disclosed: false }, 'privacy')?.problem).toBeNull();
  });

  test('the declaration follows the disclosure', () => {
    const declared = (values: OptionValues) => declarationOf(tiktok, values)?.en.replaceAll(/\[|\]\([^)]*\)/g, '');
    const music = "By posting, you agree to TikTok's Music Usage Confirmation.";
    expect(declared({})).toBe(music);
    expect(declared({ disclosed: true, brandOrganic: true })).toBe(music);
    expect(declared({ disclosed: true, brandContent: true })).toBe(
      "By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation.",
    );
  });

  test('a value that is no longer offered must be replaced', () => {
    expect(stateOf(tiktok, { privacy: 'FOLLOWER_OF_CREATOR' }, 'privacy')?.problem).toEqual({ kind: 'missing' });
    expect(optionsOf(tiktok, { privacy: 'FOLLOWER_OF_CREATOR' })).not.toHaveProperty('privacy');
  });
});

test('a question is answered by yes and by no', () => {
  expect(stateOf(youtube, {}, 'madeForKids')?.problem).toEqual({ kind: 'missing' });
  expect(optionsOf(youtube, {})).not.toHaveProperty('madeForKids');
  for (const madeForKids of [true, false]) {
    expect(stateOf(youtube, { madeForKids }, 'madeForKids')?.problem).toBeNull();
    expect(optionsOf(youtube, { madeForKids })).toEqual({ madeForKids });
  }
});

test('limits of texts become problems', () => {
  const problem = (name: string, value: OptionValue) => stateOf(youtube, { [name]: value }, name)?.problem;
  expect(problem('title', 'x'.repeat(101))).toEqual({ kind: 'tooLong', limit: 100 });
  expect(problem('title', ` ${'x'.repeat(100)} `)).toBeNull();
  const langs = stateOf(formOf('bluesky'), { langs: ['en', 'de', 'fr', 'it'] }, 'langs');
  expect(langs?.problem).toEqual({ kind: 'tooMany', limit: 3 });
});

test('the count contains freely chosen options only', () => {
  const values = { privacy: 'SELF_ONLY', disclosed: true, brandOrganic: true, aiGenerated: true };
  expect(optionCount(fieldStates(tiktok, values))).toBe(2);
});

test('answers are copied if the other account allows them', () => {
  const open = formOf('tiktok', {
    ...NOTHING,
    choiceValues: { privacy: [{ value: 'SELF_ONLY', label: 'Only me' }] },
  });
  expect(copiedAnswers(tiktok, {}, { privacy: 'SELF_ONLY', aiGenerated: true })).toEqual({ privacy: 'SELF_ONLY' });
  expect(copiedAnswers(open, {}, { privacy: 'PUBLIC_TO_EVERYONE' })).toEqual({});
  expect(copiedAnswers(tiktok, { privacy: 'SELF_ONLY' }, { privacy: 'PUBLIC_TO_EVERYONE' })).toEqual({
    privacy: 'SELF_ONLY',
  });
  const branded = { disclosed: true, brandContent: true };
  expect(copiedAnswers(tiktok, branded, { privacy: 'SELF_ONLY' })).toEqual(branded);
});

test('a circle of conditions ends', () => {
  const field = (name: string, other: string): PostFormField => ({
    name,
    type: 'flag',
    label: { en: name, de: name },
    ask: false,
    inverted: false,
    always: false,
    pageOnly: false,
    when: { [other]: true } as unknown as NonNullable<PostFormField['when']>,
  });
  expect(fieldStates({ fields: [field('a', 'b'), field('b', 'a')] }, { a: true, b: true })).toHaveLength(2);
});

describe('of all chosen accounts', () => {
  const account = (id: string, platform: string) => ({ id, platform, displayName: id }) as Platform;
  const accounts = [account('a', 'tiktok'), account('b', 'tiktok'), account('c', 'youtube'), account('d', 'x')];
  const forms = new Map([
    ['a', tiktok],
    ['b', tiktok],
    ['c', youtube],
    ['d', formOf('x')],
  ]);
  const choose = (ids: string[], options = {}) => chosenAccounts({ accounts: ids, options }, accounts, forms);

  test('options of accounts that are not chosen are not sent', () => {
    const options = { a: { caption: 'Own', values: { privacy: 'SELF_ONLY' } }, d: { caption: '', values: {} } };
    expect(Object.keys(sentOptions(choose(['b', 'a', 'd'], options)))).toEqual(['b', 'a', 'd']);
    expect(sentOptions(choose(['d'], options))).toEqual({ d: { caption: '' } });
    expect(sentOptions(choose(['d']))).toEqual({});
  });

  test('open questions, unknown forms and invalid values prevent a post', () => {
    expect(optionsProblem(choose(['d']))).toBeNull();
    expect(optionsProblem(choose(['a', 'c']))).toEqual({ kind: 'unanswered', count: 3 });
    expect(optionsProblem(chosenAccounts({ accounts: ['d'], options: {} }, accounts, new Map()))).toEqual({
      kind: 'loading',
    });
    const disclosed = { a: { caption: null, values: { privacy: 'SELF_ONLY', disclosed: true } } };
    expect(optionsProblem(choose(['a'], disclosed))).toMatchObject({ kind: 'invalid', account: { id: 'a' } });
  });

  test('each platform declares once, and each text once', () => {
    const branded = { b: { caption: null, values: { disclosed: true, brandContent: true } } };
    const texts = declarationsOf(choose(['a', 'c', 'b', 'd'], branded));
    expect(texts.map(({ platform, texts: each }) => [platform, each.length])).toEqual([
      ['tiktok', 3],
      ['youtube', 1],
    ]);
  });
});

describe('links in texts', () => {
  test('exist only for https', () => {
    expect(partsOf('See [the rules](https://a.example/b) first.')).toEqual([
      { text: 'See ' },
      { text: 'the rules', href: 'https://a.example/b' },
      { text: ' first.' },
    ]);
    expect(partsOf('[x](javascript:alert(1))')).toEqual([{ text: '[x](javascript:alert(1))' }]);
  });

  test('nothing is lost', () => {
    const label = fc.string().filter((text) => !/[[\]()]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(label, label)), (pairs) => {
        const text = pairs.map(([before, name]) => `${before}[${name}](https://a.example)`).join('');
        const shown = partsOf(text).map((part) => part.text);
        expect(shown.join('')).toBe(pairs.flat().join(''));
      }),
    );
  });
});
