import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearBrowserData } from '../../src/drafts/browser-data.ts';
import { claimBrowser } from '../../src/drafts/browser-owner.ts';
import { loadAttempt, storeAttempt } from '../../src/queries/attempt.ts';

const OF_ANA = ['reelay-draft-ana', 'reelay-account-groups-ana'];
const OF_BEN = ['reelay-draft-ben', 'reelay-account-groups-ben'];
const ATTEMPT = { id: 'attempt', request: { platform: 'x' } };

const kept = () => [...OF_ANA, ...OF_BEN].filter((key) => localStorage.getItem(key) !== null);

const unsubscribe = vi.fn(async () => true);

beforeEach(() => {
  unsubscribe.mockClear();
  const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
  localStorage.clear();
  for (const key of [...OF_ANA, ...OF_BEN]) localStorage.setItem(key, '{}');
  localStorage.setItem('mantine-color-scheme-value', 'dark');
  storeAttempt(ATTEMPT);
});

afterEach(() => vi.unstubAllGlobals());

describe('what the browser keeps', () => {
  test('stays for the same user', async () => {
    await claimBrowser('ana');
    storeAttempt(ATTEMPT);
    await claimBrowser('ana');
    expect([kept(), loadAttempt()]).toEqual([OF_ANA, ATTEMPT]);
    expect(unsubscribe).not.toHaveBeenCalled();
  });

  test('is deleted when another user signs in', async () => {
    await claimBrowser('ana');
    storeAttempt(ATTEMPT);
    await claimBrowser('ben');
    expect([kept(), loadAttempt()]).toEqual([[], null]);
    expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark');
    expect(unsubscribe).toHaveBeenCalledOnce();
  });

  test('is deleted at a sign-out', async () => {
    await claimBrowser('ana');
    await clearBrowserData();
    expect([kept(), loadAttempt()]).toEqual([[], null]);
    expect(unsubscribe).toHaveBeenCalledOnce();
  });
});
