/** The sections of the settings, but for the API key and the notifications. */
import type { CurrentUser, Passkey, UserSession } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { type ReactElement, Suspense } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WorkspaceProvider } from '../../src/drafts/use-upload.tsx';
import type { Workspace } from '../../src/drafts/workspace.ts';
import { DeleteUser } from '../../src/pages/settings/delete-user.tsx';
import { Passkeys } from '../../src/pages/settings/passkeys.tsx';
import { Plan } from '../../src/pages/settings/plan.tsx';
import { Profile } from '../../src/pages/settings/profile.tsx';
import { SecondFactor } from '../../src/pages/settings/second-factor.tsx';
import { Sessions } from '../../src/pages/settings/sessions.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { type Rendered, render } from './render.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const USER: CurrentUser = {
  id: '019a0b1c-0000-7000-8000-000000000001',
  email: 'nora@example.org',
  name: 'Nora',
  createdAt: '2026-01-02T12:00:00Z',
  language: null,
  zone: 'UTC',
  late: 'post',
  plan: 'STARTER',
  operator: false,
  operatorContact: null,
  secondFactor: false,
  hasApiKey: false,
  stored: { videos: 2, bytes: 1_540_000 },
  limits: [
    { name: 'posts_per_month', used: 7, value: 30, resetsAt: '2026-02-01T12:00:00Z' },
    { name: 'connected_accounts', used: 5, value: 5, resetsAt: null },
    { name: 'rules', used: 1, value: 3, resetsAt: null },
    { name: 'scheduled_ahead', used: 4, value: 10, resetsAt: null },
  ],
};

const show = (element: ReactElement, calls: GivenCalls) => render(<Suspense>{element}</Suspense>, calls);

/** Fills in the dialog that asks for the password. */
async function confirmWith({ user }: Rendered, password: string, action: string): Promise<void> {
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByLabelText(/^Password/);
  await user.clear(field);
  await user.type(field, password);
  await user.click(dialog.getByRole('button', { name: action }));
}

/** Without a layout, the list of a select counts as scrolled out of sight, and is hidden. */
const option = (name: string) => screen.findByRole('option', { name, hidden: true });

const untilClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('the profile', () => {
  /** A service that stores settings, unless it refuses them. */
  function showProfile(error: Error | null = null) {
    let stored = USER;
    const edit = vi.fn(async (settings: object) => {
      if (error) throw error;
      stored = { ...stored, ...settings };
      return stored;
    });
    return { edit, ...show(<Profile />, { user: { current: async () => stored, edit } }) };
  }

  test('stores a time zone that was searched for', async () => {
    const { user, edit } = showProfile();
    const zone = await screen.findByRole('combobox', { name: 'Time zone' });
    await user.clear(zone);
    await user.type(zone, 'Berlin');
    await user.click(await option('Europe/Berlin'));
    expect(edit.mock.calls).toEqual([[{ zone: 'Europe/Berlin' }]]);
    expect(zone).toHaveProperty('value', 'Europe/Berlin');
  });

  test('stores what happens to late posts', async () => {
    const { user, edit } = showProfile();
    const skip = await screen.findByRole('radio', { name: 'Skip them' });
    expect(screen.getByRole('radio', { name: 'Publish them as soon as possible' })).toHaveProperty('checked', true);
    await user.click(skip);
    expect(edit.mock.calls).toEqual([[{ late: 'skip' }]]);
    await waitFor(() => expect(skip).toHaveProperty('checked', true));
  });

  test('undoes a refused change and says why', async () => {
    const { user } = showProfile(refusal('rate_limited', 'Too many requests.', 429));
    const skip = await screen.findByRole('radio', { name: 'Skip them' });
    await user.click(skip);
    expect((await screen.findByRole('alert')).textContent).toContain('Too many requests.');
    await waitFor(() => expect(skip).toHaveProperty('checked', false));
  });

  test('changes the language of the page and of the user', async () => {
    const { user, edit } = showProfile();
    await user.click(await screen.findByRole('combobox', { name: 'Language' }));
    await user.click(await option('Deutsch'));
    expect(edit.mock.calls).toEqual([[{ language: 'de' }]]);
    await waitFor(() => expect(document.documentElement.lang).toBe('de'));
  });
});

describe('the plan', () => {
  const showPlan = (given: Partial<CurrentUser> = {}) =>
    show(<Plan />, { user: { current: async () => ({ ...USER, ...given }) } });

  test('shows how much is used', async () => {
    showPlan();
    expect(await screen.findByRole('region', { name: 'Plan and usage: STARTER' })).toBeTruthy();
    for (const text of ['7 of 30', '5 of 5', '1 of 3', '4 of 10', 'Resets on Feb 1, 2026'])
      expect(screen.getByText(text)).toBeTruthy();
    const bar = screen.getByRole('progressbar', { name: 'Connected accounts' });
    expect(bar.getAttribute('aria-valuenow')).toBe('100');
  });

  test.each([
    [{ videos: 0, bytes: 0 }, 'No videos are stored.'],
    [{ videos: 1, bytes: 1_540_000 }, '1 video is stored (1.5 MB).'],
    [{ videos: 2, bytes: 2_000_000 }, '2 videos are stored (2 MB).'],
  ])('counts the stored videos of %j', async (stored, text) => {
    showPlan({ stored });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test('shows a limit of zero as used up', async () => {
    showPlan({ limits: [{ name: 'rules', used: 0, value: 0, resetsAt: null }] });
    const bar = await screen.findByRole('progressbar', { name: 'Repost rules' });
    expect(bar.getAttribute('aria-valuenow')).toBe('100');
  });
});

describe('the sessions', () => {
  const session = (given: Partial<UserSession>): UserSession => ({
    id: 'this',
    current: false,
    device: { browser: 'Firefox', system: 'Linux', type: 'desktop' },
    address: '192.0.2.1',
    createdAt: '2026-01-02T12:00:00Z',
    expiresAt: '2026-02-02T12:00:00Z',
    lastUsedAt: '2026-01-03T12:00:00Z',
    ...given,
  });
  const OWN = session({ current: true });
  const OTHER = session({ id: 'other', device: { browser: null, system: null, type: 'other' }, address: null });

  test('show the current one, which cannot be ended here', async () => {
    show(<Sessions />, { user: { sessions: async () => [OWN] } });
    const own = within(await screen.findByRole('article', { name: 'Firefox, Linux' }));
    expect(own.getByText('This session')).toBeTruthy();
    expect(own.getByText(/^192\.0\.2\.1 · last used Jan 3, 2026/)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('are ended one by one', async () => {
    let sessions = [OWN, OTHER];
    const endSession = vi.fn(async () => {
      sessions = [OWN];
    });
    const { user } = show(<Sessions />, { user: { sessions: async () => sessions, endSession } });
    const other = within(await screen.findByRole('article', { name: 'Unknown device' }));
    expect(other.queryByText('This session')).toBeNull();
    await user.click(other.getByRole('button', { name: 'End session' }));
    expect(endSession.mock.calls).toEqual([['other']]);
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  });

  test('are ended all at once', async () => {
    let sessions = [OWN, OTHER];
    const endOtherSessions = vi.fn(async () => {
      sessions = [OWN];
      return 1;
    });
    const { user } = show(<Sessions />, { user: { sessions: async () => sessions, endOtherSessions } });
    await user.click(await screen.findByRole('button', { name: 'End all other sessions' }));
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'End all other sessions' })).toBeNull();
  });

  test('stay, with the reason, if they cannot be ended', async () => {
    const { user } = show(<Sessions />, {
      user: {
        sessions: async () => [OWN, OTHER],
        endSession: () => Promise.reject(refusal('internal_error', 'Internal error.', 500)),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'End session' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.getAllByRole('article')).toHaveLength(2);
  });
});

describe('two-step verification', () => {
  const CODES = ['aaaa-1111', 'bbbb-2222'];

  /** A service where the password is "right" and the code "123456". */
  function showFactor(isOn: boolean, backupCodesLeft = 2) {
    let secondFactor = isOn;
    const check = (password: string) => {
      if (password !== 'right') throw refusal('invalid_password');
    };
    const calls = {
      current: async () => ({ ...USER, secondFactor }),
      secondFactor: async () => ({ enabled: secondFactor, backupCodesLeft }),
      beginSecondFactor: vi.fn(async (password: string) => {
        check(password);
        return { uri: 'otpauth://totp/Reelay:nora?secret=JBSWY3DP', backupCodes: CODES };
      }),
      confirmSecondFactor: vi.fn(async (code: string) => {
        if (code !== '123456') throw refusal('invalid_code');
        secondFactor = true;
      }),
      disableSecondFactor: vi.fn(async (password: string) => {
        check(password);
        secondFactor = false;
      }),
      renewBackupCodes: vi.fn(async (password: string) => {
        check(password);
        return ['cccc-3333'];
      }),
    };
    return { calls, ...show(<SecondFactor />, { user: calls }) };
  }

  const begin = async (rendered: Rendered) => {
    await rendered.user.click(await screen.findByRole('button', { name: 'Set up' }));
    await confirmWith(rendered, 'right', 'Set up');
    return screen.findByLabelText(/^Code from the app/);
  };

  test('shows the key, but no backup codes yet', async () => {
    const rendered = showFactor(false);
    expect(await screen.findByText('It is off.')).toBeTruthy();
    await begin(rendered);
    expect(screen.getByTestId('secret').textContent).toBe('JBSWY3DP');
    expect(screen.getByRole('img', { name: 'QR code for the authenticator app' })).toBeTruthy();
    expect(screen.queryByTestId('backup-codes')).toBeNull();
    expect(screen.queryByText(CODES[0] ?? '')).toBeNull();
  });

  test('shows backup codes once, after a correct code', async () => {
    const rendered = showFactor(false);
    await rendered.user.type(await begin(rendered), ' 123456 ');
    await rendered.user.click(screen.getByRole('button', { name: 'Turn on' }));
    const codes = await screen.findByTestId('backup-codes');
    expect(
      within(codes)
        .getAllByText(/-/)
        .map(({ textContent }) => textContent),
    ).toEqual(CODES);
    expect(rendered.calls.confirmSecondFactor.mock.calls).toEqual([['123456']]);
    await rendered.user.click(screen.getByRole('button', { name: 'I have saved them' }));
    expect(await screen.findByText('It is on.')).toBeTruthy();
    expect(screen.queryByTestId('backup-codes')).toBeNull();
    expect(await screen.findByText('You have 2 backup codes left.')).toBeTruthy();
  });

  test('stays off after a wrong code', async () => {
    const rendered = showFactor(false);
    await rendered.user.type(await begin(rendered), '000000{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('That code is wrong or has expired.');
    expect(screen.queryByTestId('backup-codes')).toBeNull();
    await rendered.user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('It is off.')).toBeTruthy();
  });

  test('begins only with the right password', async () => {
    const rendered = showFactor(false);
    await rendered.user.click(await screen.findByRole('button', { name: 'Set up' }));
    await confirmWith(rendered, 'wrong', 'Set up');
    expect(await screen.findByText('The password is wrong.')).toBeTruthy();
    expect(screen.queryByTestId('secret')).toBeNull();
    await confirmWith(rendered, 'right', 'Set up');
    await untilClosed();
    expect(screen.getByTestId('secret')).toBeTruthy();
  });

  test('forgets an error when the dialog is opened again', async () => {
    const rendered = showFactor(true);
    await rendered.user.click(await screen.findByRole('button', { name: 'Turn off' }));
    await confirmWith(rendered, 'wrong', 'Turn off');
    await screen.findByText('The password is wrong.');
    await rendered.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await untilClosed();
    await rendered.user.click(screen.getByRole('button', { name: 'Turn off' }));
    await screen.findByRole('dialog');
    expect(screen.queryByText('The password is wrong.')).toBeNull();
  });

  test('shows new backup codes, and copies them', async () => {
    const rendered = showFactor(true);
    await rendered.user.click(await screen.findByRole('button', { name: 'New backup codes' }));
    await confirmWith(rendered, 'right', 'New backup codes');
    const status = within(await screen.findByRole('status'));
    expect(status.getByText('The old backup codes no longer work')).toBeTruthy();
    await untilClosed();
    await rendered.user.click(status.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe('cccc-3333');
    await rendered.user.click(status.getByRole('button', { name: 'I have saved them' }));
    expect(screen.queryByText('cccc-3333')).toBeNull();
    expect(screen.getByText('It is on.')).toBeTruthy();
  });

  test('is turned off after a warning', async () => {
    const rendered = showFactor(true);
    await rendered.user.click(await screen.findByRole('button', { name: 'Turn off' }));
    expect((await screen.findByRole('dialog')).textContent).toContain('Your password alone will be enough');
    await confirmWith(rendered, 'right', 'Turn off');
    expect(await screen.findByText('It is off.')).toBeTruthy();
    expect(rendered.calls.disableSecondFactor.mock.calls).toEqual([['right']]);
  });

  test('warns if no backup codes are left', async () => {
    showFactor(true, 0);
    expect(await screen.findByText('You have no backup codes left.')).toBeTruthy();
  });
});

describe('the passkeys', () => {
  const PHONE: Passkey = { id: 'phone', name: 'My phone', createdAt: '2026-01-02T12:00:00Z', lastUsedAt: null };

  function showPasskeys(given: Passkey[], calls: GivenCalls['user'] = {}, passkeyHost: string | null = 'localhost') {
    const options = { passkeyHost, passwordReset: 'mail', sandbox: true, signUp: 'open', userExists: true } as const;
    return show(<Passkeys />, {
      user: { passkeys: async () => given, ...calls },
      session: { options: async () => options },
    });
  }
  const supportPasskeys = () => vi.stubGlobal('PublicKeyCredential', class {});

  test('show when they were added and used', async () => {
    supportPasskeys();
    showPasskeys([PHONE, { ...PHONE, id: 'key', name: 'Key', lastUsedAt: '2026-01-05T12:00:00Z' }]);
    expect((await screen.findByRole('article', { name: 'My phone' })).textContent).toContain(
      'added Jan 2, 2026 · never used',
    );
    expect(screen.getByRole('article', { name: 'Key' }).textContent).toContain('last used Jan 5, 2026');
    expect(screen.getByRole('button', { name: 'Add another passkey' })).toBeTruthy();
  });

  test('are added only with the right password', async () => {
    supportPasskeys();
    const beginPasskey = vi.fn(() => Promise.reject(refusal('invalid_password')));
    const rendered = showPasskeys([], { beginPasskey });
    await rendered.user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
    await confirmWith(rendered, 'wrong', 'Add a passkey');
    expect(await screen.findByText('The password is wrong.')).toBeTruthy();
    expect(beginPasskey.mock.calls).toEqual([['wrong']]);
  });

  test('are renamed', async () => {
    let passkey = PHONE;
    const renamePasskey = vi.fn(async (_: string, name: string) => {
      passkey = { ...passkey, name };
      return passkey;
    });
    const { user } = showPasskeys([], { passkeys: async () => [passkey], renamePasskey });
    await user.click(await screen.findByRole('button', { name: 'Rename' }));
    const dialog = within(await screen.findByRole('dialog'));
    const name = dialog.getByLabelText(/^Name/);
    expect(name).toHaveProperty('value', 'My phone');
    await user.clear(name);
    expect(dialog.getByRole('button', { name: 'Rename' })).toHaveProperty('disabled', true);
    await user.type(name, 'My key{Enter}');
    expect(await screen.findByRole('article', { name: 'My key' })).toBeTruthy();
    expect(renamePasskey.mock.calls).toEqual([['phone', 'My key']]);
    await untilClosed();
  });

  test('are removed only with the right password', async () => {
    let passkeys = [PHONE];
    const removePasskey = vi.fn(async (_: string, password: string) => {
      if (password !== 'right') throw refusal('invalid_password');
      passkeys = [];
    });
    const rendered = showPasskeys([], { passkeys: async () => passkeys, removePasskey });
    await rendered.user.click(await screen.findByRole('button', { name: 'Remove' }));
    expect((await screen.findByRole('dialog')).textContent).toContain('“My phone” no longer signs you in.');
    await confirmWith(rendered, 'wrong', 'Remove');
    expect(await screen.findByText('The password is wrong.')).toBeTruthy();
    expect(screen.getByText('My phone')).toBeTruthy();
    await confirmWith(rendered, 'right', 'Remove');
    await waitFor(() => expect(screen.queryByText('My phone')).toBeNull());
    expect(removePasskey.mock.lastCall).toEqual(['phone', 'right']);
  });

  test.each([
    ['the browser lacks them', 'localhost', /^This browser does not support passkeys/],
    ['the service has no host name', null, /^Passkeys need a host name and https/],
    ['the page has another address', 'reelay.example', /^Passkeys do not work at the address/],
  ])('are not offered if %s', async (_, host, text) => {
    if (host !== 'localhost') supportPasskeys();
    showPasskeys([], {}, host);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('at another address link to their host', async () => {
    supportPasskeys();
    showPasskeys([], {}, 'reelay.example');
    const { protocol, port, pathname } = window.location;
    const url = `${protocol}//reelay.example:${port}`;
    const link = await screen.findByRole('link', { name: url });
    expect(link.getAttribute('href')).toBe(url + pathname);
  });
});

describe('deleting the account', () => {
  function showDelete(deleted: (password: string) => Promise<void>) {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    const draft = `reelay-draft-${USER.id}`;
    localStorage.setItem(draft, '{}');
    const isDraftKept = () => localStorage.getItem(draft) !== null;
    const manager = { resume() {}, wait() {}, end: vi.fn() };
    const workspace = { drafts: {}, manager, edits: new Map() } as unknown as Workspace;
    const rendered = show(
      <WorkspaceProvider value={workspace}>
        <DeleteUser />
      </WorkspaceProvider>,
      { user: { current: async () => USER, delete: deleted } },
    );
    return { assign, isDraftKept, end: manager.end, ...rendered };
  }

  test('says what is lost', async () => {
    const { user } = showDelete(async () => {});
    await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    expect((await screen.findByRole('dialog')).textContent).toContain(
      'This deletes 5 connected accounts, 4 scheduled posts, 1 rule, 2 stored videos, your history and your API key.',
    );
  });

  test('needs the password', async () => {
    const rendered = showDelete(() => Promise.reject(refusal('invalid_password')));
    await rendered.user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    await confirmWith(rendered, 'wrong', 'Delete my account');
    expect(await screen.findByText('The password is wrong.')).toBeTruthy();
    expect(rendered.isDraftKept()).toBe(true);
    expect(rendered.assign).not.toHaveBeenCalled();
  });

  test('ends the upload, removes the draft and leaves', async () => {
    const remove = vi.fn(async () => {});
    const rendered = showDelete(remove);
    await rendered.user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    await confirmWith(rendered, 'right', 'Delete my account');
    await waitFor(() => expect(rendered.assign).toHaveBeenCalledWith('/app/sign-in'));
    expect(remove.mock.calls).toEqual([['right']]);
    expect(rendered.end).toHaveBeenCalledOnce();
    expect(rendered.isDraftKept()).toBe(false);
  });
});
