/** Where each kind of notification is delivered. */
import type { NotificationSettings } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { Notifications } from '../../src/pages/settings/notifications.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

const settings = (isMailAvailable = true): NotificationSettings => ({
  kinds: {
    post_failed: { page: true, mail: true, push: true },
    post_trouble: { page: true, mail: false, push: false },
    account_reconnect: { page: true, mail: true, push: true },
    access_ends: { page: true, mail: false, push: false },
    source_unread: { page: false, mail: false, push: false },
  },
  mail: { available: isMailAvailable, address: 'nora@example.org' },
  quietHours: null,
});

const show = (notifications: GivenCalls['notifications']) =>
  render(
    <Suspense>
      <Notifications />
    </Suspense>,
    {
      notifications: { channels: async () => ({ data: [], publicKey: 'key' }), ...notifications },
      user: { sessions: async () => [] },
    },
  );

const switchOf = async (kind: string, name: string) =>
  within(await screen.findByRole('group', { name: kind })).getByRole<HTMLInputElement>('switch', { name });

describe('the settings of notifications', () => {
  test.each([
    ['Failed posts', true, true],
    ['Posts that are retried', true, false],
    ['Accounts to reconnect', true, true],
    ['Expiring access', true, false],
    ['Sources that cannot be read', false, false],
  ])('show where "%s" is delivered', async (kind, inPage, byMail) => {
    show({ settings: async () => settings() });
    expect((await switchOf(kind, 'In Reelay')).checked).toBe(inPage);
    expect((await switchOf(kind, 'Email')).checked).toBe(byMail);
    expect(screen.getByText('Emails go to nora@example.org.')).toBeTruthy();
  });

  test.each([
    ['Expiring access', 'Email', { kind: 'access_ends', mail: true }],
    ['Failed posts', 'In Reelay', { kind: 'post_failed', page: false }],
    ['Expiring access', 'Phone and chat', { kind: 'access_ends', push: true }],
  ])('send only the change of "%s: %s"', async (kind, name, change) => {
    const editSettings = vi.fn(async () => settings());
    const { user } = show({ settings: async () => settings(), editSettings });
    await user.click(await switchOf(kind, name));
    expect(editSettings.mock.calls).toEqual([[change]]);
  });

  test('show a change before the service confirms it', async () => {
    const editSettings = vi.fn(() => new Promise<never>(() => {}));
    const { user } = show({ settings: async () => settings(), editSettings });
    await user.click(await switchOf('Expiring access', 'Email'));
    await waitFor(() => expect(editSettings).toHaveBeenCalled());
    expect((await switchOf('Expiring access', 'Email')).checked).toBe(true);
    expect((await switchOf('Expiring access', 'In Reelay')).checked).toBe(true);
    expect((await switchOf('Sources that cannot be read', 'Email')).checked).toBe(false);
  });

  test('undo a refused change and say why', async () => {
    const { user } = show({
      settings: async () => settings(),
      editSettings: () => Promise.reject(refusal('rate_limited', 'Too many requests.', 429)),
    });
    await user.click(await switchOf('Expiring access', 'Email'));
    expect((await screen.findByRole('alert')).textContent).toContain('Too many requests.');
    await waitFor(async () => expect((await switchOf('Expiring access', 'Email')).checked).toBe(false));
  });

  test('offer no emails without a mail server', async () => {
    show({ settings: async () => settings(false) });
    const mail = await switchOf('Failed posts', 'Email');
    expect([mail.disabled, mail.checked]).toEqual([true, false]);
    expect((await switchOf('Failed posts', 'In Reelay')).disabled).toBe(false);
    expect(screen.getByText(/^Emails are not available/)).toBeTruthy();
    expect(screen.queryByText(/^Emails go to/)).toBeNull();
  });
});
