import type { Platform } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Draft } from '../../src/drafts/draft.ts';
import { AccountPicker } from '../../src/pages/compose/account-picker.tsx';
import { accountOn, showCompose } from './compose-harness.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { SignedIn } from './page-route.tsx';

const anna = accountOn('mastodon', 'anna');
const berta = accountOn('x', 'berta');
const expired = accountOn('facebook', 'expired', { status: 'EXPIRED' });

/** The accounts channel-0 to channel-13; every second one is on X. */
const MANY = Array.from({ length: 14 }, (_, at) => accountOn(at % 2 === 0 ? 'mastodon' : 'x', `channel-${at}`));

interface Needs {
  onOptions?(id: string): void;
  groups?: GivenCalls['accountGroups'];
}

function show(
  accounts: readonly Platform[],
  draft: Partial<Draft> = { accounts: [] },
  { onOptions = () => {}, groups = groupService() }: Needs = {},
) {
  return showCompose(
    ({ options, change }) => (
      <SignedIn userId="user">
        <AccountPicker
          accounts={accounts}
          chosen={options.chosen}
          onChange={(ids) => change({ accounts: ids })}
          onOptions={onOptions}
        />
      </SignedIn>
    ),
    { accounts, draft, platforms: { list: async () => [...accounts] }, accountGroups: groups },
  );
}

const findCard = (name: string) => screen.findByRole('checkbox', { name: new RegExp(`^Name of ${name}\\b`) });
const findSearch = () => screen.findByRole('searchbox', { name: 'Find an account' });
const namesShown = () => screen.getAllByText(/^Name of/).map(({ textContent }) => textContent);

describe('accounts to pick', () => {
  test('are selected and deselected', async () => {
    const { user, draft } = show([anna, berta]);
    await user.click(await findCard('berta'));
    expect(draft().accounts).toEqual(['berta']);
    expect((await findCard('berta')).getAttribute('aria-checked')).toBe('true');
    await user.click(await findCard('anna'));
    await user.click(await findCard('berta'));
    expect(draft().accounts).toEqual(['anna']);
  });

  test('are selected with the keyboard', async () => {
    const { user, draft } = show([anna, berta]);
    (await findCard('anna')).focus();
    await user.keyboard(' ');
    expect(draft().accounts).toEqual(['anna']);
  });

  test('say what simulated accounts are', async () => {
    show([anna, accountOn('x', 'robot', { sandbox: true })]);
    expect((await findCard('robot')).textContent).toContain('Simulated');
    expect((await findCard('anna')).textContent).not.toContain('Simulated');
  });

  test('must be reconnected if their access has ended', async () => {
    const { user, draft } = show([anna, expired]);
    const card = await findCard('expired');
    expect(card.textContent).toContain('Reconnect this account first');
    expect(card).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Select all' }));
    expect(draft().accounts).toEqual(['anna']);
  });

  test('are all selected and deselected with one press', async () => {
    const { user, draft } = show([anna, berta]);
    await user.click(await screen.findByRole('button', { name: 'Select all' }));
    expect(draft().accounts).toEqual(['anna', 'berta']);
    await user.click(screen.getByRole('button', { name: 'Select none' }));
    expect(draft().accounts).toEqual([]);
  });
});

describe('the search', () => {
  test('is not shown for a few accounts', async () => {
    show(MANY.slice(0, 12));
    expect(await screen.findAllByRole('checkbox')).toHaveLength(12);
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  test('finds platforms and names', async () => {
    const { user } = show(MANY);
    await user.type(await findSearch(), 'mastodon CHANNEL-1');
    expect(namesShown()).toEqual(['Name of channel-10', 'Name of channel-12']);
  });

  test('keeps the accounts that it hides', async () => {
    const { user, draft } = show(MANY, { accounts: ['channel-2'] });
    await user.type(await findSearch(), 'channel-1');
    await user.click(screen.getByRole('button', { name: 'Select all' }));
    const found = ['channel-1', 'channel-10', 'channel-11', 'channel-12', 'channel-13'];
    expect(draft().accounts).toEqual(['channel-2', ...found]);
    expect(screen.getByText('6 of 14 selected')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Select none' }));
    expect(draft().accounts).toEqual(['channel-2']);
  });

  test('is cleared if nothing matches', async () => {
    const { user } = show(MANY);
    await user.type(await findSearch(), 'nobody');
    expect(screen.getByText('No account matches.')).toBeTruthy();
    expect(screen.queryByRole('checkbox')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(screen.getAllByRole('checkbox')).toHaveLength(14);
  });
});

describe('a selected account', () => {
  const tina = accountOn('tiktok', 'tina');
  const withValues = (values: Record<string, string | boolean>, caption: string | null = null) => ({
    options: { tina: { caption, values } },
  });

  test.each([
    ['open questions', withValues({}), '1 question'],
    ['a problem', withValues({ privacy: 'SELF_ONLY', disclosed: true }), 'Needs a correction'],
    ['its options', withValues({ privacy: 'SELF_ONLY', disableComment: true, aiGenerated: true }), '2 options'],
    ['its caption', withValues({ privacy: 'SELF_ONLY' }, 'Own'), 'custom caption'],
    ['both', withValues({ privacy: 'SELF_ONLY', aiGenerated: true }, 'Own'), 'custom caption, 1 option'],
  ])('shows %s', async (_, draft, text) => {
    show([tina], draft);
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test('opens its options', async () => {
    const onOptions = vi.fn();
    const { user } = show([anna, berta], { accounts: ['berta'] }, { onOptions });
    await user.click(await screen.findByRole('button', { name: /^Options for/ }));
    expect(onOptions.mock.calls).toEqual([['berta']]);
  });
});

/** A service that stores account groups. */
function groupService(...given: { name: string; accounts: string[] }[]) {
  let stored = given.map((group, at) => ({ id: `group-${at}`, ...group }));
  return {
    list: async () => stored,
    save: vi.fn(async (group: { name: string; accounts: string[] }) => {
      const id = stored.find(({ name }) => name === group.name)?.id ?? `group-${stored.length}`;
      const saved = { id, ...group };
      stored = stored.some((each) => each.id === id)
        ? stored.map((each) => (each.id === id ? saved : each))
        : [...stored, saved];
      return saved;
    }),
    rename: vi.fn(async (id: string, name: string) => {
      stored = stored.map((each) => (each.id === id ? { ...each, name } : each));
      return { id, name, accounts: [] };
    }),
    delete: vi.fn(async (id: string) => {
      stored = stored.filter((each) => each.id !== id);
    }),
  };
}

describe('groups of accounts', () => {
  const ofTexts = (...accounts: string[]) => ({ name: 'Text lovers', accounts });

  async function openMenu(user: ReturnType<typeof show>['user'], name: string, item: string) {
    await user.click(await screen.findByRole('button', { name: `Menu of the group ${name}` }));
    await user.click(await screen.findByRole('menuitem', { name: item, hidden: true }));
  }

  async function openSave(user: ReturnType<typeof show>['user'], name: string) {
    await user.click(await screen.findByRole('button', { name: 'Save as group' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), name);
  }

  test('are saved for the user', async () => {
    const groups = groupService();
    const { user } = show([anna, berta], { accounts: ['anna', 'berta'] }, { groups });
    await openSave(user, '  Text lovers {Enter}');
    const group = await screen.findByRole('button', { name: 'Text lovers (2)' });
    expect(group.getAttribute('aria-pressed')).toBe('true');
    expect(groups.save.mock.calls).toEqual([[ofTexts('anna', 'berta')]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('button', { name: 'Save as group' })).toBeNull();
  });

  test('need a name', async () => {
    const groups = groupService();
    const { user } = show([anna], { accounts: ['anna'] }, { groups });
    await openSave(user, '   {Enter}');
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    expect(groups.save).not.toHaveBeenCalled();
  });

  test('are not saved if the dialog is canceled', async () => {
    const groups = groupService();
    const { user } = show([anna], { accounts: ['anna'] }, { groups });
    await openSave(user, 'Text lovers');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(groups.save).not.toHaveBeenCalled();
  });

  test('keep the dialog open if they are refused', async () => {
    const refused = refusal('too_many_groups', 'Delete a group first.', 403);
    const groups = { ...groupService(), save: () => Promise.reject(refused) };
    const { user } = show([anna], { accounts: ['anna'] }, { groups });
    await openSave(user, 'Text lovers{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Delete a group first.');
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Text lovers');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await openSave(user, 'Others');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('select their accounts instead of others', async () => {
    const groups = groupService(ofTexts('anna', 'gone', 'expired'));
    const { user, draft } = show([anna, berta, expired], { accounts: ['berta'] }, { groups });
    const group = await screen.findByRole('button', { name: 'Text lovers (1)' });
    expect(group.getAttribute('aria-pressed')).toBe('false');
    await user.click(group);
    expect(draft().accounts).toEqual(['anna']);
    expect(group.getAttribute('aria-pressed')).toBe('true');
  });

  test('cannot be selected without usable accounts', async () => {
    show([anna], undefined, { groups: groupService(ofTexts()) });
    expect(await screen.findByRole('button', { name: 'Text lovers (0)' })).toHaveProperty('disabled', true);
  });

  test('are renamed', async () => {
    const groups = groupService(ofTexts('anna'), { name: 'Others', accounts: ['berta'] });
    const { user } = show([anna, berta], undefined, { groups });
    await openMenu(user, 'Text lovers', 'Rename group');
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename group' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    expect(name).toHaveProperty('value', 'Text lovers');
    await user.clear(name);
    await user.type(name, 'Writers');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Writers (1)' })).toBeTruthy();
    expect(groups.rename.mock.calls).toEqual([['group-0', 'Writers']]);
  });

  test('warn before one replaces another', async () => {
    const groups = groupService(ofTexts('anna'));
    const { user } = show([anna, berta], { accounts: ['berta'] }, { groups });
    await screen.findByRole('button', { name: 'Text lovers (1)' });
    await openSave(user, 'Text lovers');
    expect(screen.getByText('The group “Text lovers” will be replaced.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('button', { name: 'Text lovers (1)', pressed: true });
    expect(groups.save.mock.calls).toEqual([[ofTexts('berta')]]);
  });

  test('are deleted', async () => {
    const groups = groupService(ofTexts('anna'));
    const { user } = show([anna], { accounts: ['anna'] }, { groups });
    await openMenu(user, 'Text lovers', 'Delete group');
    expect(await screen.findByRole('button', { name: 'Save as group' })).toBeTruthy();
    expect(groups.delete.mock.calls).toEqual([['group-0']]);
  });

  test('stay if deleting fails', async () => {
    const groups = { ...groupService(ofTexts('anna')), delete: () => Promise.reject(refusal('busy', 'Try later.')) };
    const { user } = show([anna], { accounts: ['anna'] }, { groups });
    await openMenu(user, 'Text lovers', 'Delete group');
    expect((await screen.findByRole('alert')).textContent).toBe('Try later.');
    expect(screen.getByRole('button', { name: 'Text lovers (1)' })).toBeTruthy();
  });
});

describe('groups that the browser kept', () => {
  const OWN = 'reelay-account-groups-user';
  const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('reelay-account-groups'));
  const keep = (key: string, ...groups: unknown[]) => localStorage.setItem(key, JSON.stringify(groups));

  test('are moved to the service', async () => {
    keep(OWN, { name: 'Old', accounts: ['anna', 'gone'] }, { name: 'Gone', accounts: ['gone'] }, { name: 1 });
    keep('reelay-account-groups-other', { name: 'Private', accounts: ['anna'] });
    const groups = groupService();
    show([anna], { accounts: [] }, { groups });
    expect(await screen.findByRole('button', { name: 'Old (1)' })).toBeTruthy();
    expect(groups.save.mock.calls).toEqual([[{ name: 'Old', accounts: ['anna'] }]]);
    expect(kept()).toEqual(['reelay-account-groups-other']);
  });

  test('do not replace one of the service', async () => {
    keep(OWN, { name: 'Same', accounts: ['berta'] });
    const groups = groupService({ name: 'Same', accounts: ['anna'] });
    const { user, draft } = show([anna, berta], { accounts: [] }, { groups });
    await user.click(await screen.findByRole('button', { name: 'Same (1)' }));
    expect(draft().accounts).toEqual(['anna']);
    expect(groups.save).not.toHaveBeenCalled();
  });

  test('stay in the browser if they are refused for now', async () => {
    keep(OWN, { name: 'Old', accounts: ['anna'] });
    const refused = [refusal('busy', '', 503), refusal('unauthorized', '', 401), refusal('too_many_groups', '', 403)];
    for (const error of refused) {
      const groups = { ...groupService({ name: 'Stored', accounts: ['anna'] }), save: () => Promise.reject(error) };
      const { unmount } = show([anna], { accounts: [] }, { groups });
      expect(await screen.findByRole('button', { name: 'Stored (1)' })).toBeTruthy();
      expect(kept()).toEqual([OWN]);
      unmount();
    }
  });

  test('are forgotten if they can never be moved', async () => {
    keep(OWN, { name: 'n'.repeat(50), accounts: ['anna'] });
    const save = vi.fn(() => Promise.reject(refusal('invalid_request')));
    show([anna], { accounts: [] }, { groups: { ...groupService(), save } });
    await waitFor(() => expect(kept()).toEqual([]));
    expect(save).toHaveBeenCalledOnce();
  });
});
