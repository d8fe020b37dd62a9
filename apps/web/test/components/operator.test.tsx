/** The operator's pages: users, storage, checks and the audit log. */
import type { AuditEntry, DoctorFinding, ManagedUser, StorageStatus } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { type ReactElement, Suspense } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { AuditPage } from '../../src/pages/operator/audit-page.tsx';
import { DoctorPage } from '../../src/pages/operator/doctor-page.tsx';
import { StoragePage } from '../../src/pages/operator/storage-page.tsx';
import { UserActions } from '../../src/pages/operator/user-actions.tsx';
import { UsersPage } from '../../src/pages/operator/users-page.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { pageAt } from './page-route.tsx';
import { type Rendered, render } from './render.tsx';

type Calls = GivenCalls['operator'];

const NORA: ManagedUser = {
  id: 'nora',
  email: 'nora@example.org',
  name: 'Nora',
  plan: 'PRO',
  operator: false,
  suspended: false,
  secondFactor: false,
  createdAt: '2026-01-02T12:00:00Z',
  lastSeenAt: null,
  limits: [{ name: 'rules', used: 1, value: 3 }],
};

const show = (element: ReactElement, operator: Calls) => render(<Suspense>{element}</Suspense>, { operator });

// Without a layout, the list of a select and the items of a menu count as scrolled out of sight, and are hidden.
const HIDDEN = { hidden: true };

describe('what can be done with a user', () => {
  const showActions = (given: Partial<ManagedUser>, operator: Calls = {}) =>
    show(<UserActions user={{ ...NORA, ...given }} />, operator);
  const openMenu = async ({ user }: Rendered) => {
    await user.click(screen.getByRole('button', { name: 'Actions: nora@example.org' }));
    await screen.findByRole('menuitem', { name: 'Change plan', ...HIDDEN });
  };
  const choose = async (rendered: Rendered, action: string) => {
    await openMenu(rendered);
    await rendered.user.click(screen.getByRole('menuitem', { name: action, ...HIDDEN }));
  };
  const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  test('the plan is changed', async () => {
    const setPlan = vi.fn(async () => {});
    const rendered = showActions({}, { setPlan });
    await choose(rendered, 'Change plan');
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the plan of nora@example.org' }));
    await rendered.user.click(dialog.getByRole('combobox', { name: 'Plan' }));
    await rendered.user.click(await screen.findByRole('option', { name: 'STARTER', ...HIDDEN }));
    await rendered.user.click(dialog.getByRole('button', { name: 'Save' }));
    await closed();
    expect(setPlan.mock.calls).toEqual([['nora', 'STARTER']]);
  });

  test('an unchanged plan is not sent', async () => {
    const setPlan = vi.fn(async () => {});
    const rendered = showActions({}, { setPlan });
    await choose(rendered, 'Change plan');
    await rendered.user.click(await screen.findByRole('button', { name: 'Save' }));
    await closed();
    expect(setPlan).not.toHaveBeenCalled();
  });

  test('a refused plan is explained', async () => {
    const setPlan = () => Promise.reject(refusal('not_found', 'There is no such user.', 404));
    const rendered = showActions({}, { setPlan });
    await choose(rendered, 'Change plan');
    await rendered.user.click(await screen.findByRole('combobox', { name: 'Plan' }));
    await rendered.user.click(await screen.findByRole('option', { name: 'FREE', ...HIDDEN }));
    await rendered.user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such user.');
  });

  test('a user is suspended after a confirmation', async () => {
    const suspend = vi.fn(async () => {});
    const rendered = showActions({}, { suspend });
    await choose(rendered, 'Suspend');
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend nora@example.org?' }));
    expect(suspend).not.toHaveBeenCalled();
    await rendered.user.click(dialog.getByRole('button', { name: 'Suspend' }));
    await closed();
    expect(suspend.mock.calls).toEqual([['nora']]);
  });

  test('a suspended user is resumed at once', async () => {
    const resume = vi.fn(async () => {});
    const rendered = showActions({ suspended: true }, { resume });
    await openMenu(rendered);
    expect(screen.queryByRole('menuitem', { name: 'Suspend', ...HIDDEN })).toBeNull();
    await rendered.user.click(screen.getByRole('menuitem', { name: 'Resume', ...HIDDEN }));
    await waitFor(() => expect(resume.mock.calls).toEqual([['nora']]));
  });

  test('an operator cannot be suspended', async () => {
    await openMenu(showActions({ operator: true }));
    expect(screen.getAllByRole('menuitem', HIDDEN).map(({ textContent }) => textContent)).toEqual([
      'Change plan',
      'Audit log',
    ]);
  });
});

describe('the list of users', () => {
  test('shows plan, usage and state', async () => {
    const users = async () => ({ data: [{ ...NORA, suspended: true, secondFactor: true }], next: null });
    show(<UsersPage />, { users });
    const row = within(await screen.findByRole('row', { name: /nora@example\.org/ }));
    for (const text of ['Nora', 'PRO', 'Suspended', 'Two-step sign-in', '1 of 3 rules', 'Not signed in', 'Jan 2, 2026'])
      expect(row.getByText(text)).toBeTruthy();
    expect(row.queryByText('Operator')).toBeNull();
  });

  test('is searched by email address or name', async () => {
    const users = vi.fn(async ({ text }: { text?: string } = {}) => ({ data: text ? [] : [NORA], next: null }));
    const { user } = show(<UsersPage />, { users });
    await screen.findByText('nora@example.org');
    await user.type(screen.getByRole('searchbox', { name: 'Search by email address or name' }), ' olaf ');
    expect(await screen.findByText('No user matches.')).toBeTruthy();
    expect(users.mock.calls.map(([options]) => options?.text)).toEqual([undefined, 'olaf']);
  });

  test('shows further users on demand', async () => {
    const users = async ({ cursor }: { cursor?: string } = {}) =>
      cursor
        ? { data: [{ ...NORA, id: 'olaf', email: 'olaf@example.org' }], next: null }
        : { data: [NORA], next: 'more' };
    const { user } = show(<UsersPage />, { users });
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('olaf@example.org')).toBeTruthy();
    expect(screen.getByText('nora@example.org')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  test('shows the reason if it cannot be read', async () => {
    show(<UsersPage />, { users: () => Promise.reject(refusal('internal_error', 'Internal error.', 500)) });
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.queryByText('No user matches.')).toBeNull();
  });
});

describe('the checks of the installation', () => {
  const finding = (verdict: DoctorFinding['verdict'], name: string) => ({ verdict, name, text: `About ${name}.` });

  test('run on demand, and list problems first', async () => {
    const findings = [finding('ok', 'database'), finding('fail', 'storage'), finding('fail', 'key')];
    const runDoctor = vi.fn(async () => findings);
    const { user } = show(<DoctorPage />, { runDoctor });
    expect(runDoctor).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Run checks' }));
    expect((await screen.findByRole('status')).textContent).toBe('2 problems found.');
    const results = within(screen.getByRole('list', { name: 'Results' })).getAllByRole('listitem');
    expect(results.map(({ textContent }) => textContent)).toEqual([
      'storageAbout storage.',
      'keyAbout key.',
      'databaseAbout database.',
    ]);
    expect(screen.getByRole('button', { name: 'Run again' })).toBeTruthy();
  });

  test('find no problem in notes', async () => {
    const { user } = show(<DoctorPage />, { runDoctor: async () => [finding('note', 'mail')] });
    await user.click(screen.getByRole('button', { name: 'Run checks' }));
    expect((await screen.findByRole('status')).textContent).toBe('No problems found.');
    expect(screen.getByRole('img', { name: 'Note' })).toBeTruthy();
  });

  test('show the reason if they fail', async () => {
    const runDoctor = () => Promise.reject(refusal('internal_error', 'Internal error.', 500));
    const { user } = show(<DoctorPage />, { runDoctor });
    await user.click(screen.getByRole('button', { name: 'Run checks' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.queryByRole('status')).toBeNull();
  });
});

describe('the storage', () => {
  const showStorage = (given: Partial<StorageStatus>) => {
    const status: StorageStatus = {
      freeBytes: 5e9,
      minFreeBytes: 2e9,
      retentionDays: 30,
      stored: [
        { kind: 'videos', bytes: 3e9, files: 12, maxBytes: null },
        { kind: 'sandbox', bytes: 5e8, files: 4, maxBytes: 1e9 },
        { kind: 'database', bytes: 1e6, files: null, maxBytes: null },
      ],
      ...given,
    };
    show(<StoragePage />, { storage: async () => status });
  };
  const gauge = async (name: string) => (await screen.findByRole('region', { name })).textContent;

  test('shows what is free and what is stored', async () => {
    showStorage({});
    expect(await gauge('Free space')).toContain('5 GB');
    expect(await gauge('Stored')).toContain('3.5 GB');
    const row = (name: RegExp) => screen.getByRole('row', { name }).textContent;
    expect(row(/^Videos/)).toBe('Videos3 GB12no limit');
    expect(row(/^Sandbox/)).toBe('Sandbox500 MB450% of 1 GB');
    expect(row(/^Database/)).toBe('Database1 MB–no limit');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    [1_999_999_999, true],
    [2_000_000_000, false],
  ])('warns with %d bytes free: %s', async (freeBytes, isLow) => {
    showStorage({ freeBytes });
    await gauge('Free space');
    expect(screen.queryByRole('alert', { name: 'The disk is nearly full' }) !== null).toBe(isLow);
  });

  test('shows no free space without a limit', async () => {
    showStorage({ freeBytes: null });
    expect(await gauge('Free space')).toContain('No limit');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the audit log', () => {
  const auditEntry = (id: string, given: Partial<AuditEntry> = {}): AuditEntry => ({
    id,
    action: 'user.suspend',
    actor: 'session',
    address: '192.0.2.1',
    at: '2026-01-02T12:00:00Z',
    subject: id,
    subjectEmail: null,
    user: { id: 'nora', email: 'nora@example.org' },
    ...given,
  });
  const showAudit = (audit: NonNullable<Calls>['audit'], address?: string) => {
    const page = pageAt({ Page: AuditPage, path: '/operator/audit', isSignedIn: true, ...(address && { address }) });
    return { ...page, ...render(page.element, { operator: { audit } }) };
  };

  test('says who changed what', async () => {
    const data = [
      auditEntry('u1 PRO', { subjectEmail: 'olaf@example.org' }),
      auditEntry('key', { actor: 'command line', user: null, address: null }),
      auditEntry('rule', { user: { id: 'x', email: null } }),
    ];
    showAudit(async () => ({ data, next: null }));
    const rows = within(await screen.findByRole('table', { name: 'Audit log' })).getAllByRole('row');
    const cells = rows.slice(1).map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
    expect(cells).toEqual([
      [
        'user.suspend',
        expect.stringMatching(/^Jan 2, 2026/),
        'nora@example.org',
        'olaf@example.org PRO',
        'Dashboard',
        '192.0.2.1',
      ],
      ['user.suspend', expect.anything(), 'nobody', 'key', 'Command line', 'unknown'],
      ['user.suspend', expect.anything(), 'deleted user', 'rule', 'Dashboard', '192.0.2.1'],
    ]);
  });

  test('shows a note without entries', async () => {
    showAudit(async () => ({ data: [], next: null }));
    expect(await screen.findByText('There are no entries yet.')).toBeTruthy();
  });

  test('keeps its entries when the next page fails', async () => {
    let isBroken = true;
    const audit = async ({ cursor }: { cursor?: string } = {}) => {
      if (!cursor) return { data: [auditEntry('first')], next: 'more' };
      if (isBroken) throw refusal('internal_error', 'Internal error.', 500);
      return { data: [auditEntry('second')], next: null };
    };
    const { user } = showAudit(audit);
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.getByText('first')).toBeTruthy();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('second')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test("links from one user's entries to the complete log", async () => {
    const audit = vi.fn(async ({ userId }: { userId?: string } = {}) => ({
      data: [auditEntry(userId ? 'own' : 'any')],
      next: null,
    }));
    const { user, href } = showAudit(audit, '/operator/audit?user=nora');
    expect(await screen.findByText('Entries of one user.')).toBeTruthy();
    expect(screen.getByText('own')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    expect(await screen.findByText('any')).toBeTruthy();
    expect(screen.queryByText('Entries of one user.')).toBeNull();
    expect(href()).toBe('/operator/audit');
    // A slow page reads again what it shows.
    expect([audit.mock.calls[0], audit.mock.lastCall]).toEqual([[{ userId: 'nora' }], [{}]]);
  });
});
