import { beforeEach, describe, expect, test } from 'vitest';
import { claimBrowserData, clearBrowserData } from '../../src/drafts/browser-data.ts';
import { loadAttempt, storeAttempt } from '../../src/queries/attempt.ts';

const OF_ANA = ['reelay-draft-ana', 'reelay-account-groups-ana'];
const OF_BEN = ['reelay-draft-ben', 'reelay-account-groups-ben'];
const ATTEMPT = { id: 'attempt', request: { platform: 'x' } };

const kept = () => [...OF_ANA, ...OF_BEN].filter((key) => localStorage.getItem(key) !== null);

beforeEach(() => {
  localStorage.clear();
  for (const key of [...OF_ANA, ...OF_BEN]) localStorage.setItem(key, '{}');
  localStorage.setItem('mantine-color-scheme-value', 'dark');
  storeAttempt(ATTEMPT);
});

describe('what the browser keeps', () => {
  test('stays for the same user', async () => {
    await claimBrowserData('ana');
    storeAttempt(ATTEMPT);
    await claimBrowserData('ana');
    expect([kept(), loadAttempt()]).toEqual([OF_ANA, ATTEMPT]);
  });

  test('is deleted when another user signs in', async () => {
    await claimBrowserData('ana');
    storeAttempt(ATTEMPT);
    await claimBrowserData('ben');
    expect([kept(), loadAttempt()]).toEqual([[], null]);
    expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark');
  });

  test('is deleted at a sign-out', async () => {
    await claimBrowserData('ana');
    await clearBrowserData();
    expect([kept(), loadAttempt()]).toEqual([[], null]);
  });
});
