/** The card of an account, its details, and disconnecting it. */
import type { Account, ConnectablePlatform, Platform } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { AccountCard } from '../../src/pages/accounts/account-card.tsx';
import { AccountPanel } from '../../src/pages/accounts/account-panel.tsx';
import { DisconnectDialog } from '../../src/pages/accounts/disconnect-dialog.tsx';
import { ConnectDialog } from '../../src/ui/connect/connect-dialog.tsx';
import { listedAccount } from './accounts.ts';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

const LISTED = listedAccount('one', { platform: 'threads', username: 'nora', displayName: 'Nora' });

const accountOf = (given: Partial<Account> = {}): Account => ({
  ...LISTED,
  access: { endsAt: null, renewed: true },
  checkedAt: null,
  choices: [],
  disconnecting: { posts: 0, rules: 0, changedRules: 0 },
  postsLeft: null,
  ...given,
});

/** A moment this many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const showPanel = (account: Account, platforms: GivenCalls['platforms'] = {}, listed: Platform = LISTED) => {
  const given = { onReconnect: vi.fn(), onClose: vi.fn() };
  const calls = { platforms: { get: async () => account, ...platforms } };
  return { ...given, ...render(<AccountPanel account={listed} {...given} />, calls) };
};

describe('the card of an account', () => {
  const show = (given: Partial<Platform>) => {
    const actions = { onOpen: vi.fn(), onReconnect: vi.fn() };
    return { ...actions, ...render(<AccountCard account={{ ...LISTED, ...given }} {...actions} />) };
  };

  test('that is connected opens its details', async () => {
    const { user, onOpen } = show({ sandbox: true });
    const card = within(screen.getByRole('article', { name: 'Threads: Nora' }));
    expect(card.getByText('Connected')).toBeTruthy();
    expect(card.getByText('Simulated')).toBeTruthy();
    expect(card.queryByRole('button', { name: 'Reconnect' })).toBeNull();
    await user.click(card.getByRole('button', { name: 'Details' }));
    expect(onOpen).toHaveBeenCalledOnce();
  });

  test.each([
    ['EXPIRED', 'Access expired'],
    ['REVOKED', 'Access removed'],
  ] as const)('that is %s offers to reconnect', async (status, text) => {
    const { user, onReconnect } = show({ status });
    expect(screen.getByText(text)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Reconnect' }));
    expect(onReconnect).toHaveBeenCalledOnce();
  });

  test('says what needs attention', () => {
    show({
      detail: 'No board is chosen.',
      accessEndsAt: '2030-03-04T12:00:00Z',
      warnings: [{ code: 'x', text: 'Rules see nothing.' }],
    });
    for (const text of ['No board is chosen.', 'Access expires on Mar 4, 2030', 'Rules see nothing.'])
      expect(screen.getByText(text)).toBeTruthy();
  });
});

describe('the details of an account', () => {
  test('show how many posts are left today', async () => {
    showPanel(accountOf({ postsLeft: { limit: 250, left: 249, freeAt: null } }));
    expect(await screen.findByText('249 posts of 250 left')).toBeTruthy();
    const bar = screen.getByRole('progressbar', { name: 'Posts today' });
    expect(bar.getAttribute('aria-valuetext')).toBe('1 of 250 used');
  });

  test('show when posts are possible again', async () => {
    showPanel(accountOf({ postsLeft: { limit: 250, left: 0, freeAt: '2030-03-04T12:00:00Z' } }));
    expect(await screen.findByText('No post of 250 left')).toBeTruthy();
    expect(screen.getByText(/^Posts are possible again at Mar 4, 2030/)).toBeTruthy();
  });

  test.each([
    ['does not expire', { access: { endsAt: null, renewed: false } }, /^Access does not expire/],
    ['is renewed', { access: { endsAt: inDays(10), renewed: true } }, /^Access expires in \d+ days\. Reelay renews/],
    ['must be renewed by its owner', { access: { endsAt: inDays(60), renewed: false } }, /^Reconnect before .+ days\)/],
    ['has ended', { access: null, status: 'EXPIRED' }, /^Access has expired/],
  ] as const)('say that the access %s', async (_, given, text) => {
    showPanel(accountOf(given));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test('offer no check of an ended access', async () => {
    const { user, onReconnect } = showPanel(accountOf({ access: null, status: 'EXPIRED' }));
    await user.click(await screen.findByRole('button', { name: 'Reconnect' }));
    expect(onReconnect).toHaveBeenCalledOnce();
    expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
  });

  test.each([
    [true, 'Name, picture, limits and settings are up to date.'],
    [false, 'The platform did not respond, so nothing was updated.'],
  ])('are read from the platform on demand (it responds: %s)', async (fresh, text) => {
    let account = accountOf();
    const refresh = vi.fn(async () => {
      account = accountOf({ checkedAt: '2030-03-04T12:00:00Z' });
      return { ...account, fresh };
    });
    const { user } = showPanel(account, { get: async () => account, refresh });
    expect(await screen.findByText('Not checked yet. Reelay checks every account daily.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Check now' }));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText(/^Last checked: Mar 4, 2030/)).toBeTruthy();
    expect(refresh.mock.calls).toEqual([['one']]);
  });

  test('show problems of the account', async () => {
    const listed = { ...LISTED, detail: 'No board is chosen.', warnings: [{ code: 'x', text: 'Rules see nothing.' }] };
    showPanel(accountOf(), {}, listed);
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('No board is chosen.')).toBeTruthy();
    expect(within(alert).getByText('Rules see nothing.')).toBeTruthy();
  });

  test('show the reason if they cannot be read', async () => {
    showPanel(accountOf(), { get: () => Promise.reject(refusal('internal_error', 'Internal error.', 500)) });
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.queryByLabelText('Loading')).toBeNull();
    expect(screen.getByRole('button', { name: 'Disconnect' })).toBeTruthy();
  });

  test('close with Escape', async () => {
    const { user, onClose } = showPanel(accountOf());
    await screen.findByText(/^Access does not expire|^Reelay is renewing/);
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('the settings of an account', () => {
  const boards = (value: string | null): Account['choices'] => [
    {
      name: 'board',
      label: 'the board',
      title: { en: 'Board', de: 'Pinnwand' },
      required: true,
      value,
      values: [
        { value: 'a', label: 'Boats', title: null },
        { value: 'b', label: 'Bikes', title: null },
      ],
    },
  ];
  // Without a layout, the list of a select counts as scrolled out of sight, and is hidden.
  const option = (name: string) => screen.findByRole('option', { name, hidden: true });

  test('are saved when they change', async () => {
    let account = accountOf({ choices: boards(null) });
    const choose = vi.fn(async (_: string, { board = '' }: Record<string, string>) => {
      account = accountOf({ choices: boards(board) });
      return account;
    });
    const { user } = showPanel(account, { get: async () => account, choose });
    const board = await screen.findByRole('combobox', { name: 'Board' });
    expect(screen.getByText('Choose one, or posts will fail.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await user.click(board);
    await user.click(await option('Bikes'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Saved.')).toBeTruthy();
    expect(choose.mock.calls).toEqual([['one', { board: 'b' }]]);
    expect(board).toHaveProperty('value', 'Bikes');
    expect(screen.queryByText('Choose one, or posts will fail.')).toBeNull();
  });

  test('keep the input if the service refuses it', async () => {
    const { user } = showPanel(accountOf({ choices: boards('a') }), {
      choose: () => Promise.reject(refusal('invalid_choice', 'This board was deleted.')),
    });
    const board = await screen.findByRole('combobox', { name: 'Board' });
    await user.click(board);
    await user.click(await option('Bikes'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toContain('This board was deleted.');
    expect(board).toHaveProperty('value', 'Bikes');
  });
});

describe('disconnecting an account', () => {
  const show = (account: Account, disconnect: (id: string) => Promise<void>) => {
    const onClose = vi.fn();
    const platforms = { get: async () => account, disconnect, list: async () => [] };
    return { onClose, ...render(<DisconnectDialog account={LISTED} onClose={onClose} />, { platforms }) };
  };

  test.each([
    [
      { posts: 0, rules: 0, changedRules: 0 },
      'No scheduled post will fail on this account. No rule is deleted, and no rule loses this destination.',
    ],
    [
      { posts: 1, rules: 2, changedRules: 1 },
      '1 scheduled post will fail on this account. 2 rules are deleted, and 1 rule loses this destination.',
    ],
  ])('says what is lost: %j', async (disconnecting, text) => {
    show(accountOf({ disconnecting }), async () => {});
    const dialog = await screen.findByRole('dialog', { name: 'Disconnect Nora?' });
    expect(await within(dialog).findByText(`${text} What is published stays.`)).toBeTruthy();
  });

  test('happens after the confirmation', async () => {
    const disconnect = vi.fn(async () => {});
    const { user, onClose } = show(accountOf(), disconnect);
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(disconnect.mock.calls).toEqual([['one']]);
  });

  test('can be refused', async () => {
    const { user, onClose } = show(accountOf(), () =>
      Promise.reject(refusal('internal_error', 'Internal error.', 500)),
    );
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(onClose).not.toHaveBeenCalled();
  });

  test('needs the confirmation', async () => {
    const disconnect = vi.fn(async () => {});
    const { user, onClose } = show(accountOf(), disconnect);
    await user.click(await screen.findByRole('button', { name: 'Keep' }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(disconnect).not.toHaveBeenCalled();
  });
});

describe('reconnecting an account', () => {
  const ENTRY: ConnectablePlatform = {
    platform: 'mastodon',
    name: 'Mastodon',
    configured: true,
    options: true,
    finds: 'push',
    limits: { caption: 500, maxBytes: 1, maxSeconds: null, minSeconds: null },
    login: null,
    consent: [
      {
        name: 'service',
        label: 'Server',
        title: { en: 'Server', de: 'Server' },
        hint: {
          en: 'It has [a list](https://servers.example).',
          de: 'Es gibt [eine Liste](https://servers.example).',
        },
        required: true,
        secret: false,
        values: null,
      },
    ],
  };
  const started = { attempt: 'x', url: null };

  test('asks for what the platform needs, and names the account', async () => {
    const connect = vi.fn(async () => started);
    const onClose = vi.fn();
    const account = { ...LISTED, platform: 'mastodon', sandbox: true };
    const { user } = render(<ConnectDialog entry={ENTRY} account={account} onClose={onClose} />, {
      platforms: { connect: connect as never, list: async () => [] },
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Reconnect Nora' }));
    await user.type(dialog.getByRole('textbox', { name: /^Server/ }), 'social.example');
    await user.click(dialog.getByRole('button', { name: 'Reconnect' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(connect.mock.calls).toEqual([
      [{ platform: 'mastodon', account: 'one', sandbox: true, service: 'social.example' }],
    ]);
  });

  test('explains fields in words of the platform', async () => {
    render(<ConnectDialog entry={ENTRY} account={null} onClose={() => {}} />);
    const field = await screen.findByRole('textbox', { name: /^Server/ });
    expect(field.getAttribute('aria-describedby')).not.toBeNull();
    expect(screen.getByRole('link', { name: 'a list' }).getAttribute('href')).toBe('https://servers.example');
  });

  test('preselects the first of several logins', async () => {
    const connect = vi.fn(async () => started);
    const value = (each: string) => ({ value: each, label: each, title: { en: each, de: each } });
    const [server] = ENTRY.consent ?? [];
    const login = { ...(server as NonNullable<typeof server>), name: 'login' as const, required: false, hint: null };
    const entry = { ...ENTRY, consent: [{ ...login, values: [value('member'), value('both')] }] };
    const { user } = render(<ConnectDialog entry={entry} account={null} onClose={() => {}} />, {
      platforms: { connect: connect as never, list: async () => [] },
    });
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'member' })).checked).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Connect' }));
    await waitFor(() => expect(connect.mock.calls).toEqual([[{ platform: 'mastodon', login: 'member' }]]));
  });

  test('stays open with the reason if it is refused', async () => {
    const onClose = vi.fn();
    const { user } = render(<ConnectDialog entry={ENTRY} account={LISTED} onClose={onClose} />, {
      platforms: { connect: () => Promise.reject(refusal('server_unknown', 'This is no server.')) },
    });
    await user.type(await screen.findByRole('textbox', { name: /^Server/ }), 'x{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('This is no server.');
    expect(onClose).not.toHaveBeenCalled();
  });
});
