import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeChoices, valueMeant } from '../../src/accounts/settings/account-settings.ts';
import { accessEnd, accessOf, aheadMs, backOffMs, lifeProblem } from '../../src/accounts/tokens/token-lifetime.ts';

const random = fc.double({ min: 0, max: 0.999, noNaN: true });

test('a refresh precedes expiry, after 40% of the lifetime', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 3e11, noNaN: true }), random, (life, r) => {
      const ahead = aheadMs(life, r) ?? -1;
      expect(ahead).toBeLessThan(life);
      expect(ahead).toBeGreaterThanOrEqual(life * 0.4);
      // A long-lived token is refreshed at most a week early.
      expect(life - ahead).toBeLessThanOrEqual(7 * 86_400_000 + 1);
    }),
  );
  expect(aheadMs(null, 0)).toBeNull();
});

test('back-off never shrinks, is bounded and respects the platform', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 1e8 }), random, (attempts, asked, r) => {
      const pause = backOffMs(attempts, asked, r);
      expect(pause).toBeGreaterThanOrEqual(asked);
      expect(backOffMs(attempts + 1, asked, r)).toBeGreaterThanOrEqual(pause);
      expect(backOffMs(attempts, 0, r)).toBeLessThanOrEqual(72 * 60_000);
    }),
  );
});

test('lifetimes are between zero and ten years', () => {
  fc.assert(fc.property(fc.double({ min: 0.001, max: 3.15e8, noNaN: true }), (life) => lifeProblem(life) === null));
  for (const life of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 3.2e8, '60', {}, true])
    expect(lifeProblem(life)).not.toBeNull();
  expect(lifeProblem(null)).toBeNull();
});

test('the stored choices are those that the account allows', () => {
  const values = ['PUBLIC_TO_EVERYONE', 'FRIENDS', 'ME'];
  const choice = {
    name: 'privacy',
    label: 'who',
    required: true,
    values: values.map((value) => ({ value, label: value })),
  };
  fc.assert(
    fc.property(
      fc.option(fc.subarray(values), { nil: undefined }),
      fc.constantFrom(undefined, ...values, 'nonsense'),
      fc.constantFrom(undefined, ...values, 'nonsense'),
      (allowed, before, now) => {
        const given = (value: string | undefined): Record<string, string> =>
          value === undefined ? {} : { privacy: value };
        const { choices, notes } = mergeChoices([choice], allowed && { privacy: allowed }, given(before), given(now));
        if (choices.privacy !== undefined) expect(allowed ?? values).toContain(choices.privacy);
        else expect(notes.map(({ text }) => text).join()).toContain('To choose for every post');
        if (now !== undefined && (allowed ?? values).includes(now)) expect(choices.privacy).toBe(now);
      },
    ),
  );
  expect(valueMeant(choice, 'public')).toBe('PUBLIC_TO_EVERYONE');
  expect(valueMeant(choice, 'ME')).toBe('ME');
  expect(valueMeant(choice, 'nobody')).toBeUndefined();
});

test('access ends with the last token that cannot be renewed', () => {
  type Flows = Parameters<typeof accessEnd>[0];
  const refresh = async () => ({}) as never;
  const flows = (oauth: object | null, credentials: object | null = null) =>
    ({ oauth, credentials }) as unknown as Flows;
  const ends = { kind: 'oauth', expiresAt: 10, refreshExpiresAt: 100 } as const;
  expect(accessEnd(flows({}), ends)).toBe(10);
  expect(accessEnd(flows({}), { ...ends, expiresAt: null })).toBeNull();
  expect(accessEnd(flows({ refresh }), ends)).toBeNull();
  expect(accessEnd(flows({ refresh, refreshRenews: false }), ends)).toBe(100);
  expect(accessEnd(flows({ refresh, refreshRenews: false }), { ...ends, refreshExpiresAt: null })).toBe(10);
  expect(accessEnd(flows({ refresh, refreshRenews: 'unlessStated' }), ends)).toBe(100);
  expect(accessEnd(flows({ refresh, refreshRenews: 'unlessStated' }), { ...ends, refreshExpiresAt: null })).toBeNull();
  expect(accessEnd(flows({ refresh }, {}), { ...ends, kind: 'credentials' })).toBe(10);
  expect(accessEnd(flows(null), ends)).toBeNull();
  expect(accessEnd(undefined, ends)).toBeNull();
});

test('the account shows whether its access is renewable', () => {
  const refresh = async () => ({}) as never;
  const flows = (oauth: object) => ({ oauth, credentials: null }) as unknown as Parameters<typeof accessOf>[0];
  const ends = { kind: 'oauth', expiresAt: 10, refreshExpiresAt: 100 } as const;
  expect(accessOf(flows({ refresh }), ends)).toEqual({ endsAt: 10, renewed: true });
  expect(accessOf(flows({ refresh, refreshRenews: false }), ends)).toEqual({ endsAt: 100, renewed: false });
  expect(accessOf(flows({}), ends)).toEqual({ endsAt: 10, renewed: false });
  expect(accessOf(flows({}), { ...ends, expiresAt: null })).toEqual({ endsAt: null, renewed: false });
  expect(accessOf(undefined, ends)).toEqual({ endsAt: 10, renewed: false });
});
