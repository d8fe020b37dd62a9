/** Devices and chats that get notifications. */
import type { NotificationChange, NotificationChannel, NotificationSettings } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Channels } from '../../src/pages/settings/channels/channels.tsx';
import { pushAvailability } from '../../src/queries/this-device.ts';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

const channel = (given: Partial<NotificationChannel> = {}): NotificationChannel => ({
  id: 'one',
  kind: 'ntfy',
  name: 'My topic',
  host: 'ntfy.sh',
  device: null,
  createdAt: '2030-01-01T00:00:00Z',
  lastSentAt: null,
  failure: null,
  stopped: false,
  ...given,
});
const settings = { quietHours: null } as NotificationSettings;

function show(channels: NotificationChannel[], calls: GivenCalls['notifications'] = {}) {
  const notifications = {
    channels: async () => ({ data: channels, publicKey: 'key' }),
    settings: async () => settings,
  };
  return render(
    <Suspense>
      <Channels />
    </Suspense>,
    { notifications: { ...notifications, ...calls }, user: { sessions: async () => [] } },
  );
}

const article = (name: string) => screen.findByRole('article', { name });

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

describe('the list of devices and chats', () => {
  test('shows kind, host and the last message', async () => {
    show([
      channel(),
      channel({ id: 'two', name: 'Team', kind: 'slack', host: 'hooks.slack.com', lastSentAt: '2030-01-02T12:00:00Z' }),
    ]);
    expect((await article('My topic')).textContent).toContain('ntfy · ntfy.sh · no message yet');
    expect((await article('Team')).textContent).toMatch(/Slack · hooks\.slack\.com · last message Jan 2, 2030/);
  });

  test('shows why a message was not delivered', async () => {
    show([channel({ stopped: true, failure: { at: '2030-01-01T00:00:00Z', detail: 'ntfy.sh refuses it.' } })]);
    const row = await article('My topic');
    expect(within(row).getByText('Stopped')).toBeTruthy();
    expect(within(row).getByText('ntfy.sh refuses it.')).toBeTruthy();
  });

  test('sends a test and shows its result', async () => {
    const testChannel = vi.fn(async () => channel({ lastSentAt: '2030-01-02T12:00:00Z' }));
    const { user } = show([channel()], { testChannel });
    await user.click(within(await article('My topic')).getByRole('button', { name: 'Send a test' }));
    expect(await screen.findByText('The test was sent.')).toBeTruthy();
    expect((await article('My topic')).textContent).toContain('last message Jan 2, 2030');
    expect(testChannel.mock.calls).toEqual([['one']]);
  });

  test('shows that too many tests were sent', async () => {
    const testChannel = () => Promise.reject(refusal('rate_limited', 'Too many requests. Try again in 60 s.', 429));
    const { user } = show([channel()], { testChannel });
    await user.click(within(await article('My topic')).getByRole('button', { name: 'Send a test' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Too many requests.');
  });

  test('removes an entry after a question', async () => {
    const deleteChannel = vi.fn(async () => {});
    const { user } = show([channel()], { deleteChannel });
    await user.click(within(await article('My topic')).getByRole('button', { name: 'Remove' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove this entry?' });
    expect(dialog.textContent).toContain('My topic gets no more notifications.');
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(deleteChannel.mock.calls).toEqual([['one']]));
  });
});

describe('an address is added', () => {
  const open = async (calls: GivenCalls['notifications']) => {
    const { user } = show([], calls);
    await user.click(await screen.findByRole('button', { name: 'Add an address' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add an address' }));
    const fill = (name: RegExp, text: string) => user.type(dialog.getByRole('textbox', { name }), text);
    return { user, dialog, fill, submit: () => user.click(dialog.getByRole('button', { name: 'Add' })) };
  };

  test('for ntfy with a token', async () => {
    const addChannel = vi.fn(async () => channel());
    const { fill, submit } = await open({ addChannel });
    await fill(/Address of the topic/, 'https://ntfy.sh/abc');
    await fill(/Access token/, 'tk_1');
    await submit();
    await waitFor(() =>
      expect(addChannel.mock.calls).toEqual([
        [{ kind: 'ntfy', name: 'ntfy', url: 'https://ntfy.sh/abc', token: 'tk_1' }],
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('for Telegram without what was typed before', async () => {
    const addChannel = vi.fn(async () => channel());
    const { user, dialog, fill, submit } = await open({ addChannel });
    await fill(/Access token/, 'tk_1');
    await user.click(dialog.getByRole('radio', { name: 'Telegram' }));
    await fill(/Token of the bot/, '1:abc');
    await fill(/Chat ID/, '42');
    await fill(/Name/, 'Team');
    await submit();
    await waitFor(() =>
      expect(addChannel.mock.calls).toEqual([[{ kind: 'telegram', name: 'Team', token: '1:abc', chatId: '42' }]]),
    );
  });

  test('or the dialog says why not', async () => {
    const addChannel = () => Promise.reject(refusal('invalid_request', 'The field "url" is invalid.', 400));
    const { user, dialog, fill, submit } = await open({ addChannel });
    await user.click(dialog.getByRole('radio', { name: 'Slack' }));
    await fill(/Webhook URL/, 'https://127.0.0.1/x');
    await submit();
    expect((await dialog.findByRole('alert')).textContent).toContain('The field "url" is invalid.');
  });
});

describe('quiet hours', () => {
  test('are turned on for the night', async () => {
    let stored = settings;
    const editSettings = vi.fn(async ({ quietHours = null }: NotificationChange) => {
      stored = { ...settings, quietHours };
      return stored;
    });
    const { user } = show([], { editSettings, settings: async () => stored });
    await user.click(await screen.findByRole('switch', { name: /^Quiet hours/ }));
    expect(editSettings.mock.calls).toEqual([[{ quietHours: { from: '22:00', to: '07:00' } }]]);
    expect(((await screen.findByLabelText('From')) as HTMLInputElement).value).toBe('22:00');
  });

  test('are turned off', async () => {
    const editSettings = vi.fn(async () => settings);
    const { user } = show([], {
      editSettings,
      settings: async () => ({ ...settings, quietHours: { from: '23:00', to: '06:00' } }),
    });
    await user.click(await screen.findByRole('switch', { name: /^Quiet hours/ }));
    expect(editSettings.mock.calls).toEqual([[{ quietHours: null }]]);
  });
});

describe('this device', () => {
  test('says that it cannot be notified', async () => {
    show([]);
    expect(await screen.findByText(/^This browser cannot receive notifications here/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Notify this device' })).toBeNull();
  });

  test('says that notifications were refused', async () => {
    vi.stubGlobal('PushManager', class {});
    vi.stubGlobal('Notification', { permission: 'default', requestPermission: async () => 'denied' });
    const serviceWorker = { getRegistration: async () => undefined };
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
    const { user } = show([]);
    await user.click(await screen.findByRole('button', { name: 'Notify this device' }));
    expect((await screen.findByRole('alert')).textContent).toContain('This browser blocks notifications from Reelay.');
  });

  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)';
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
  test.each([
    ['a browser with push', { isSupported: true, permission: 'default', userAgent: mac, touchPoints: 0 }, 'ready'],
    ['a blocked page', { isSupported: true, permission: 'denied', userAgent: mac, touchPoints: 0 }, 'blocked'],
    ['an iPhone', { isSupported: false, permission: null, userAgent: iPhone, touchPoints: 5 }, 'install'],
    ['an iPad', { isSupported: false, permission: null, userAgent: mac, touchPoints: 5 }, 'install'],
    ['an installed page', { isSupported: true, permission: 'granted', userAgent: iPhone, touchPoints: 5 }, 'ready'],
    ['a page without https', { isSupported: false, permission: null, userAgent: mac, touchPoints: 0 }, 'unsupported'],
  ] as const)('knows %s', (_, facts, availability) => {
    expect(pushAvailability(facts)).toBe(availability);
  });
});
