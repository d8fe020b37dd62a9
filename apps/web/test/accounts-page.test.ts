import { describe, expect, test } from 'vitest';
import { accessState, accessText, byUrgency, changedChoices, isDaysAway } from '../src/pages/accounts/access.ts';
import { contactLink } from '../src/pages/accounts/contact-link.ts';
import { attemptState, parseAttempt } from '../src/queries/attempt.ts';
import { partsOf } from '../src/ui/form-text.ts';

const NOW = Date.UTC(2026, 7, 1);
const DAY = 86_400_000;
const at = (ms: number) => new Date(NOW + ms).toISOString();

describe('the access to an account', () => {
  const of = (endsAt: string | null, renewed: boolean) =>
    accessText({ status: 'CONNECTED', access: { endsAt, renewed } }, NOW);

  test.each([
    ['renewed', false, at(12 * DAY), true],
    ['renewing', false, at(-1), true],
    ['reconnect', false, at(30 * DAY), false],
    ['reconnect', true, at(3 * DAY), false],
    ['endless', false, null, true],
    ['endless', false, null, false],
  ])('is %s (urgent: %s) if it ends %s', (text, isUrgent, endsAt, renewed) => {
    expect(of(endsAt, renewed)).toEqual({ text, isUrgent });
  });

  test('is counted in days if it ends within weeks', () => {
    const counted = (days: number) => isDaysAway(new Date(NOW + days * DAY), NOW);
    expect([-3, 1, 2, 30, 99, 365].filter(counted)).toEqual([2, 30, 99]);
  });

  test('has ended if the account is not connected', () => {
    expect(accessText({ status: 'EXPIRED', access: null }, NOW)).toEqual({ text: 'ended', isUrgent: true });
  });
});

describe('accounts that must be reconnected', () => {
  const warned = (code: string) => ({ status: 'CONNECTED' as const, warnings: [{ code, text: 'Why.' }] });
  const ended = { status: 'REVOKED' as const, warnings: [{ code: 'access_not_renewed', text: 'Why.' }] };

  test('have no access, or one that is not renewed', () => {
    expect(accessState(ended)).toBe('ended');
    expect(accessState(warned('access_not_renewed'))).toBe('notRenewed');
    expect(accessState(warned('watch_failing'))).toBe('works');
  });

  test('are listed first', () => {
    const [a, b, c] = [warned('watch_failing'), warned('access_not_renewed'), warned('access_not_renewed')];
    expect(byUrgency([a, b, ended, c])).toEqual([ended, b, c, a]);
  });
});

test('the request contains changed settings only', () => {
  const choices = [
    { name: 'board', value: 'a' },
    { name: 'privacy', value: null },
  ];
  expect(changedChoices(choices, {})).toEqual({});
  expect(changedChoices(choices, { board: 'a' })).toEqual({});
  expect(changedChoices(choices, { board: 'b', privacy: 'x', gone: 'y' })).toEqual({ board: 'b', privacy: 'x' });
});

describe('an attempt to connect', () => {
  const step = (name: 'begun' | 'consent' | 'answer' | 'stored', ok: boolean, more = {}) => ({
    at: at(0),
    step: name,
    ok,
    text: name,
    ...more,
  });
  const stateOf = (last: ReturnType<typeof step>, afterMs = 0) =>
    attemptState({ steps: [step('begun', true), last] }, NOW + afterMs);

  test.each([
    ['connected', step('stored', true)],
    ['waiting', step('consent', true)],
    ['denied', step('answer', false, { platformCode: 'access_denied' })],
    ['denied', step('answer', false, { platformCode: 'user_cancelled_login' })],
    ['denied', step('begun', false, { status: 200 })],
    ['expired', step('answer', false, { status: 410 })],
    ['failed', step('answer', false, { status: 422 })],
    ['failed', step('begun', false, { status: 403 })],
  ])('is %s after %j', (state, last) => {
    expect(stateOf(last)[0]).toBe(state);
  });

  test('expires ten minutes after its last step', () => {
    expect(stateOf(step('consent', true), 600_000)[0]).toBe('waiting');
    expect(stateOf(step('consent', true), 600_001)[0]).toBe('expired');
    expect(stateOf(step('stored', true), 600_001)[0]).toBe('connected');
    expect(attemptState({ steps: [] }, NOW)[0]).toBe('waiting');
  });

  test('is read from storage only if it is complete', () => {
    const stored = { id: 'x', request: { platform: 'y' } };
    expect(parseAttempt(JSON.stringify(stored))).toEqual(stored);
    expect(parseAttempt(JSON.stringify({ ...stored, retryPost: 'p' }))).toEqual({ ...stored, retryPost: 'p' });
    expect(parseAttempt(JSON.stringify({ ...stored, retryPost: 1 }))).toEqual(stored);
    for (const text of [null, '', '{', 'null', '{}', '{"id":"x"}', '{"id":1,"request":{"platform":"y"}}'])
      expect(parseAttempt(text), String(text)).toBeNull();
  });
});

test('the operator is reached by mail or on a page', () => {
  expect(contactLink('a@example.org', 'Set up A & B')).toBe('mailto:a@example.org?subject=Set%20up%20A%20%26%20B');
  expect(contactLink('https://example.org/help', 'x')).toBe('https://example.org/help');
});

test('links become links if they are https', () => {
  expect(partsOf('Open [the page](https://a.example/b) now.')).toEqual([
    { text: 'Open ' },
    { text: 'the page', href: 'https://a.example/b' },
    { text: ' now.' },
  ]);
  expect(partsOf('[x](javascript:alert(1))')).toEqual([{ text: '[x](javascript:alert(1))' }]);
});
