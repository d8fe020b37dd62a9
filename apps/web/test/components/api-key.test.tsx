import type { CurrentUser, KeyInformation } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { ApiKey } from '../../src/pages/settings/api-key.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

const KEY: KeyInformation = {
  keyPrefix: 'rl_abc',
  isActive: true,
  createdAt: '2026-01-02T12:00:00Z',
  lastUsedAt: null,
};

/** Without `info`, the user never had a key. */
const show = (key: NonNullable<GivenCalls['key']>) =>
  render(
    <Suspense>
      <ApiKey />
    </Suspense>,
    { key, user: { current: async () => ({ hasApiKey: key.info !== undefined }) as CurrentUser } },
  );

const dialog = async () => within(await screen.findByRole('dialog'));
const untilClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('the API key', () => {
  test('is created without a question for a new user', async () => {
    const { user } = show({
      generate: async () => 'rl_secret',
    });
    await user.click(await screen.findByRole('button', { name: 'Create key' }));
    expect(await screen.findByTestId('key')).toHaveProperty('textContent', 'rl_secret');
    expect(screen.queryByRole('button', { name: 'Revoke key' })).toBeNull();
  });

  test.each([
    [KEY, /^rl_abc… is active, created Jan 2, 2026.*, never used$/],
    [{ ...KEY, lastUsedAt: '2026-01-05T12:00:00Z' }, /, last used Jan 5, 2026/],
    [{ ...KEY, isActive: false }, /^rl_abc… is revoked,/],
  ])('is described with the known facts: %j', async (key, text) => {
    show({ info: async () => key });
    const region = await screen.findByRole('region', { name: 'API key' });
    const texts = [...region.querySelectorAll('p')].map(({ textContent }) => textContent);
    expect(texts).toContainEqual(expect.stringMatching(text));
  });

  test('is replaced only after a confirmation', async () => {
    const generate = vi.fn(async () => 'rl_other');
    const { user } = show({ info: async () => KEY, generate });
    await user.click(await screen.findByRole('button', { name: 'Replace key' }));
    expect(generate).not.toHaveBeenCalled();
    expect((await dialog()).getByText(/stops working/)).toBeTruthy();
    await user.click((await dialog()).getByRole('button', { name: 'Replace key' }));
    expect(await screen.findByTestId('key')).toHaveProperty('textContent', 'rl_other');
    await untilClosed();
    expect(generate).toHaveBeenCalledOnce();
  });

  test('stays if its replacement is not confirmed', async () => {
    const generate = vi.fn(async () => 'rl_other');
    const { user } = show({ info: async () => KEY, generate });
    await user.click(await screen.findByRole('button', { name: 'Replace key' }));
    await user.click((await dialog()).getByRole('button', { name: 'Keep' }));
    await untilClosed();
    expect(generate).not.toHaveBeenCalled();
  });

  test('is copied, and used in the example', async () => {
    const { user } = show({ generate: async () => 'rl_secret' });
    await user.click(await screen.findByRole('button', { name: 'Create key' }));
    const status = within(await screen.findByRole('status'));
    const path = `${window.location.origin}/api/v1/platform/platforms`;
    expect(status.getByText(`curl ${path} -H "Authorization: Bearer rl_secret"`)).toBeTruthy();
    await user.click(status.getByRole('button', { name: 'Copy' }));
    expect(await status.findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('rl_secret');
  });

  test('is revoked after a confirmation', async () => {
    let key = KEY;
    const revoke = vi.fn(async () => {
      key = { ...KEY, isActive: false };
    });
    const { user } = show({ info: async () => key, revoke });
    await user.click(await screen.findByRole('button', { name: 'Revoke key' }));
    expect(revoke).not.toHaveBeenCalled();
    await user.click((await dialog()).getByRole('button', { name: 'Revoke key' }));
    await untilClosed();
    expect(revoke).toHaveBeenCalledOnce();
    expect(await screen.findByRole('button', { name: 'Create key' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Revoke key' })).toBeNull();
  });

  test('is no longer shown after it was revoked', async () => {
    let key = { ...KEY, isActive: false };
    const { user } = show({
      info: async () => key,
      async generate() {
        key = KEY;
        return 'rl_secret';
      },
      async revoke() {
        key = { ...KEY, isActive: false };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Create key' }));
    await screen.findByTestId('key');
    await user.click(await screen.findByRole('button', { name: 'Revoke key' }));
    await user.click((await dialog()).getByRole('button', { name: 'Revoke key' }));
    await waitFor(() => expect(screen.queryByTestId('key')).toBeNull());
  });

  test.each(['Replace key', 'Revoke key'])('keeps the dialog open if "%s" fails', async (action) => {
    const fail = () => Promise.reject(refusal('internal_error', 'Internal error.', 500));
    const { user } = show({ info: async () => KEY, generate: fail, revoke: fail });
    await user.click(await screen.findByRole('button', { name: action }));
    await user.click((await dialog()).getByRole('button', { name: action }));
    expect((await (await dialog()).findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });

  test('shows the reason if it cannot be created', async () => {
    const { user } = show({
      generate: () => Promise.reject(refusal('rate_limited', 'Too many requests.', 429)),
    });
    await user.click(await screen.findByRole('button', { name: 'Create key' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Too many requests.');
  });
});
