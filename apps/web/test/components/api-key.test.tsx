import type { KeyInformation } from '@reelay/sdk';
import { screen } from '@testing-library/react';
import { Suspense } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { ApiKey } from '../../src/pages/settings/api-key.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

const KEY: KeyInformation = {
  keyPrefix: 'rl_abc',
  isActive: true,
  createdAt: '2026-01-02T03:04:05Z',
  lastUsedAt: null,
};

const show = (key: GivenCalls['key']) =>
  render(
    <Suspense>
      <ApiKey />
    </Suspense>,
    { key },
  );

describe('the API key', () => {
  test('is created at once if there is none, and shown', async () => {
    const { user } = show({
      info: () => Promise.reject(refusal('no_api_key')),
      generate: async () => 'rl_secret',
    });
    await user.click(await screen.findByRole('button', { name: 'Create key' }));
    expect(await screen.findByTestId('key')).toHaveProperty('textContent', 'rl_secret');
  });

  test('is replaced only after a confirmation', async () => {
    const generate = vi.fn(async () => 'rl_other');
    const { user } = show({ info: async () => KEY, generate });
    await user.click(await screen.findByRole('button', { name: 'Replace key' }));
    expect(generate).not.toHaveBeenCalled();
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('stops working');
  });
});
