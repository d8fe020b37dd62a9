import type {
  ApplicationCheck,
  ConnectAttempt,
  ConnectablePlatform,
  CurrentUser,
  PlatformGuide,
  PlatformSetup,
} from '@reelay/sdk';
import { useRouter } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import { Suspense, useEffect, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { AttemptNotice } from '../../src/pages/accounts/attempt-notice.tsx';
import { ConnectPlatforms } from '../../src/pages/accounts/connect-platforms.tsx';
import { PlatformsPage } from '../../src/pages/operator/platforms-page.tsx';
import { loadAttempt, storeAttempt } from '../../src/queries/attempt.ts';
import { CheckResult } from '../../src/ui/setup/check-result.tsx';
import { SetupPanel } from '../../src/ui/setup/setup-panel.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

type Application = PlatformGuide['applications'][number];

const text = (en: string) => ({ en, de: `${en} (de)` });

const APPLICATION: Application = {
  name: 'pinterest',
  title: null,
  source: null,
  alsoFor: [],
  scopes: ['pins:write', 'boards:read'],
  variables: ['PINTEREST_CLIENT_ID', 'PINTEREST_CLIENT_SECRET'],
  guide: {
    id: text('App ID'),
    secret: text('App secret key'),
    steps: [text('Open [My apps](https://pinterest.example/apps).'), text('Create an app.')],
    review: text('It takes a week.'),
    before: text('Five users can connect.'),
  },
  use: { accounts: 0, posts: 0, isExact: true },
};

const GUIDE: PlatformGuide = {
  platform: 'pinterest',
  name: 'Pinterest',
  portal: 'https://pinterest.example/console',
  redirectUri: 'https://reelay.example/oauth/pinterest/callback',
  warnings: [],
  applications: [APPLICATION],
};

const VERIFIED: ApplicationCheck = { verdict: 'verified', message: 'Pinterest accepts them.' };
const REJECTED: ApplicationCheck = { verdict: 'rejected', message: 'Pinterest rejects the id or the secret.' };
const UNVERIFIED: ApplicationCheck = { verdict: 'unverified', message: 'Pinterest does not respond.' };

/** The panel, closed by navigating away. */
function Page() {
  const { history } = useRouter();
  const [path, setPath] = useState('/');
  useEffect(() => history.subscribe(({ location }) => setPath(location.pathname)), [history]);
  return path === '/' ? <SetupPanel platform="pinterest" onClose={() => history.push('/closed')} /> : null;
}

interface Given {
  guide?: Partial<PlatformGuide>;
  application?: Partial<Application>;
  check?: ApplicationCheck | Error;
  platforms?: GivenCalls['platforms'];
}

/** Shows the panel on a service that keeps whether an application is stored. */
function show({ guide = {}, application = {}, check = VERIFIED, platforms }: Given = {}) {
  let source = application.source ?? null;
  const checkApplication = vi.fn(async (..._given: [string, string, object?]) => {
    if (check instanceof Error) throw check;
    return check;
  });
  const setApplication = vi.fn(async () => {
    source = 'stored';
  });
  const removeApplication = vi.fn(async () => {
    source = null;
  });
  const rendered = render(<Page />, {
    operator: {
      platformSetup: async () => ({
        ...GUIDE,
        ...guide,
        applications: guide.applications ?? [{ ...APPLICATION, ...application, source }],
      }),
      checkApplication,
    },
    platforms: { setApplication, removeApplication, ...platforms },
  });
  const id = () => screen.findByLabelText(/^App ID/);
  const secret = () => screen.findByLabelText(/^App secret key/, { selector: 'input' });
  const fill = async () => {
    await rendered.user.type(await id(), 'my-id');
    await rendered.user.type(await secret(), 'my-secret');
  };
  const press = async (name: string) => rendered.user.click(await screen.findByRole('button', { name }));
  return { ...rendered, checkApplication, setApplication, removeApplication, id, secret, fill, press };
}

describe('what to register', () => {
  test('shows the steps, the addresses and the scopes', async () => {
    show();
    expect(await screen.findByRole('dialog', { name: 'Set up Pinterest' })).toBeTruthy();
    expect(await screen.findByText('Not set up')).toBeTruthy();
    expect(screen.getByLabelText('Redirect URL')).toHaveProperty('value', GUIDE.redirectUri);
    expect(screen.getByLabelText('Scopes')).toHaveProperty('value', 'pins:write boards:read');
    expect(screen.getByText('2 permissions that the application must have.')).toBeTruthy();
    const console = screen.getByRole('link', { name: 'Open the developer console of Pinterest' });
    expect(console.getAttribute('href')).toBe(GUIDE.portal);
    const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(steps).toEqual(['Open My apps.', 'Create an app.']);
    expect(screen.getByRole('link', { name: 'My apps' }).getAttribute('href')).toBe('https://pinterest.example/apps');
    expect(screen.getByText('Five users can connect.')).toBeTruthy();
  });

  test('warns that the address does not work', async () => {
    show({ guide: { warnings: ['redirect_https'] } });
    const warning = await screen.findByRole('alert');
    expect(warning.textContent).toContain('Pinterest will not work with this address');
    expect(warning.textContent).toContain('Set PUBLIC_URL to the public https address');
  });

  test('offers one tab for each kind of application', async () => {
    const { user } = show({
      guide: {
        applications: [
          { ...APPLICATION, name: 'one', title: text('With review') },
          { ...APPLICATION, name: 'two', title: text('Without review'), source: 'stored', alsoFor: ['Threads'] },
        ],
      },
    });
    const tab = await screen.findByRole('tab', { name: 'Without review' });
    expect(tab.getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole('tabpanel').textContent).toMatch(/Set up.*Also used for Threads/);
    await user.click(screen.getByRole('tab', { name: 'With review' }));
    expect(screen.getByRole('tabpanel', { name: 'With review' }).textContent).toMatch(/^Not set up/);
  });

  test('is empty if the platform needs no application', async () => {
    show({ guide: { applications: [] } });
    expect(await screen.findByText('Pinterest needs no application. Accounts can be connected.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save and test' })).toBeNull();
  });

  test('names the environment variables that take precedence', async () => {
    show({ application: { source: 'environment' } });
    expect(await screen.findByText('PINTEREST_CLIENT_SECRET')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Test what is set' })).toBeTruthy();
    for (const name of ['Save and test', 'Remove application'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });
});

describe('an application', () => {
  test('is tested, stored and never shown', async () => {
    const { user, fill, press, id, secret, checkApplication, setApplication } = show();
    await fill();
    expect(await secret()).toHaveProperty('type', 'password');
    await press('Save and test');
    const result = await screen.findByText('Saved, and it works');
    expect(result).toBeTruthy();
    const application = { clientId: 'my-id', clientSecret: 'my-secret' };
    expect(checkApplication.mock.calls).toEqual([['pinterest', 'pinterest', application]]);
    expect(setApplication.mock.calls).toEqual([['pinterest', application]]);
    await screen.findByText('A secret is stored, encrypted. It is not shown; enter a new one to replace it.');
    expect([await id(), await secret()].map((each) => Reflect.get(each, 'value'))).toEqual(['', '']);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('is not stored if the platform rejects it', async () => {
    const { fill, press, secret, setApplication } = show({ check: REJECTED });
    await fill();
    await press('Save and test');
    const result = await screen.findByText('Not saved: the id or the secret is wrong');
    const status = result.closest('[role=status]');
    expect(status?.textContent).toContain('Pinterest rejects the id or the secret.');
    expect(status?.textContent).toContain('Copy both again from the developer console.');
    expect(setApplication).not.toHaveBeenCalled();
    expect(await secret()).toHaveProperty('value', 'my-secret');
    expect(screen.getByText('Not set up')).toBeTruthy();
  });

  test('can be stored although the platform rejects it', async () => {
    const { fill, press, setApplication } = show({ check: REJECTED });
    await fill();
    expect(screen.queryByRole('button', { name: 'Save anyway' })).toBeNull();
    await press('Save and test');
    await press('Save anyway');
    expect(await screen.findByText('Saved, although the platform rejects it')).toBeTruthy();
    expect(setApplication).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save anyway' })).toBeNull());
  });

  test('is stored if the platform cannot test it', async () => {
    const { fill, press, setApplication } = show({ check: UNVERIFIED });
    await fill();
    await press('Save and test');
    expect(await screen.findByText('Saved, but not verified')).toBeTruthy();
    expect(setApplication).toHaveBeenCalledOnce();
  });

  test('loses its result when it is changed', async () => {
    const { user, fill, press, id } = show({ check: REJECTED });
    await fill();
    await press('Save and test');
    await screen.findByText('Not saved: the id or the secret is wrong');
    await user.type(await id(), '2');
    expect(screen.queryByText('Not saved: the id or the secret is wrong')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Save anyway' })).toBeNull();
  });

  test('keeps what was typed if the test fails', async () => {
    const { fill, press, secret, setApplication } = show({ check: refusal('internal', 'Internal error.', 500) });
    await fill();
    await press('Save and test');
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(await secret()).toHaveProperty('value', 'my-secret');
    expect(setApplication).not.toHaveBeenCalled();
  });

  test('needs a question before it is discarded', async () => {
    const { user, fill, secret } = show();
    await fill();
    const ask = async (answer: string) => {
      await user.keyboard('{Escape}');
      const question = await screen.findByRole('dialog', { name: 'Discard your changes?' });
      await user.click(within(question).getByRole('button', { name: answer }));
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull());
    };
    await ask('Keep editing');
    expect(await secret()).toHaveProperty('value', 'my-secret');
    await ask('Discard changes');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('is tested without sending it if already set', async () => {
    const { press, checkApplication, setApplication } = show({ application: { source: 'stored' }, check: REJECTED });
    await press('Test what is set');
    expect(await screen.findByText('The id or the secret is wrong')).toBeTruthy();
    expect(checkApplication.mock.calls).toEqual([['pinterest', 'pinterest']]);
    expect(setApplication).not.toHaveBeenCalled();
  });
});

describe('removing an application', () => {
  const remove = async (given: Given) => {
    const shown = show(given);
    await shown.press('Remove application');
    const dialog = await screen.findByRole('dialog', { name: 'Remove the application at Pinterest?' });
    const confirm = () => shown.user.click(within(dialog).getByRole('button', { name: 'Remove application' }));
    return { ...shown, dialog, confirm };
  };

  test('is offered only for a stored one', async () => {
    show();
    await screen.findByText('Not set up');
    expect(screen.queryByRole('button', { name: 'Remove application' })).toBeNull();
  });

  test('names what stops working', async () => {
    const use = { accounts: 1, posts: 3, isExact: true };
    const { dialog, confirm, removeApplication } = await remove({
      application: { source: 'stored', alsoFor: ['Threads'], use },
    });
    expect(dialog.textContent).toContain('accounts of Pinterest, Threads until');
    expect(dialog.textContent).toContain('1 connected account is affected');
    expect(dialog.textContent).toContain('3 scheduled posts are at risk');
    expect(removeApplication).not.toHaveBeenCalled();
    await confirm();
    expect(await screen.findByText('Not set up')).toBeTruthy();
    expect(removeApplication.mock.calls).toEqual([['pinterest']]);
  });

  test('shows a note if fewer may be affected', async () => {
    const use = { accounts: 2, posts: 1, isExact: false };
    const { dialog } = await remove({ application: { source: 'stored', use } });
    expect(dialog.textContent).toContain('Up to 2 connected accounts may use this application');
    expect(dialog.textContent).toContain('Up to 1 scheduled post is at risk');
  });

  test('stays open with the reason if it fails', async () => {
    const { dialog, confirm } = await remove({
      application: { source: 'stored' },
      platforms: { removeApplication: () => Promise.reject(refusal('internal', 'Internal error.', 500)) },
    });
    await confirm();
    expect((await within(dialog).findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.getByText('Set up')).toBeTruthy();
  });
});

describe('the result of a test', () => {
  const CASES = [
    [VERIFIED, true, 'Saved, and it works', null],
    [UNVERIFIED, true, 'Saved, but not verified', 'Whether it works will show when you connect an account.'],
    [REJECTED, false, 'Not saved: the id or the secret is wrong', 'Copy both again from the developer console.'],
    [REJECTED, true, 'Saved, although the platform rejects it', 'Copy both again from the developer console.'],
    [VERIFIED, null, 'It works', null],
    [UNVERIFIED, null, 'Not verified', 'Whether it works will show when you connect an account.'],
  ] as const;
  for (const [check, isStored, title, hint] of CASES)
    test(`says “${title}”`, () => {
      render(<CheckResult check={check} isStored={isStored} />);
      const status = screen.getByRole('status').textContent ?? '';
      expect(status.startsWith(`${title}${check.message}`)).toBe(true);
      if (hint) expect(status).toContain(hint);
      else expect(status).toBe(`${title}${check.message}`);
    });
});

test('a guide that cannot be read shows why', async () => {
  render(<Page />, {
    operator: { platformSetup: () => Promise.reject(refusal('unreachable', 'No response.', 0)) },
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Reelay does not respond.');
});

describe('a platform that is not set up', () => {
  const entry = {
    platform: 'pinterest',
    name: 'Pinterest',
    configured: false,
    finds: 'own',
    limits: { caption: 500, maxBytes: 1, maxSeconds: null, minSeconds: null },
    login: null,
    consent: null,
  } as unknown as ConnectablePlatform;
  const showTiles = (user: Partial<CurrentUser>) => {
    const onSetUp = vi.fn();
    const rendered = render(
      <Suspense>
        <ConnectPlatforms user={user as CurrentUser} onSetUp={onSetUp} />
      </Suspense>,
      { platforms: { catalog: async () => [entry] } },
    );
    return { ...rendered, onSetUp };
  };

  test('is set up by the operator', async () => {
    const { user, onSetUp } = showTiles({ operator: true });
    const tile = await screen.findByRole('button', { name: /^Pinterest/ });
    expect(tile.textContent).toContain('Needs setup by you');
    await user.click(tile);
    expect(onSetUp.mock.calls).toEqual([['pinterest']]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('tells other users whom to ask', async () => {
    const { user, onSetUp } = showTiles({ operator: false, operatorContact: 'help@example.org' });
    await user.click(await screen.findByRole('button', { name: /^Pinterest.*Not set up/ }));
    expect(await screen.findByRole('dialog', { name: 'Pinterest is not set up' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'help@example.org' }).getAttribute('href')).toBe(
      'mailto:help@example.org?subject=Please%20set%20up%20Pinterest%20in%20Reelay',
    );
    expect(onSetUp).not.toHaveBeenCalled();
    expect(screen.queryByRole('link', { name: 'Set up platforms' })).toBeNull();
  });

  test('has no link to an unknown operator', async () => {
    const { user } = showTiles({ operator: false, operatorContact: null });
    await user.click(await screen.findByRole('button', { name: /^Pinterest/ }));
    expect((await screen.findByRole('dialog')).textContent).toContain('Ask the operator of this service.');
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('the notice of a started connection', () => {
  type Step = ConnectAttempt['steps'][number];
  const REQUEST = { platform: 'pinterest' };
  /** @param last the last step; null if the service does not know the attempt */
  const showNotice = (last: Partial<Step> | null) => {
    storeAttempt({ id: 'attempt-1', request: REQUEST });
    const connect = vi.fn(async () => ({ attempt: 'attempt-2' }) as never);
    const attempt = vi.fn(async () => {
      if (!last) throw refusal('not_found', 'Not found.', 404);
      const step = { at: new Date().toISOString(), step: 'answer', ok: false, text: '', ...last } as Step;
      return { id: 'attempt-1', platform: 'pinterest', sandbox: false, steps: [step] };
    });
    return { ...render(<AttemptNotice />, { platforms: { attempt, connect } }), attempt, connect };
  };

  const CASES = [
    [
      'an unfinished attempt',
      { step: 'consent', ok: true },
      'Connecting Pinterest is not finished',
      'Continue on the page that was opened.',
    ],
    [
      'a denied consent',
      { platformCode: 'access_denied' },
      'Pinterest was not connected',
      'Access was denied or canceled.',
    ],
    [
      'a cancellation here',
      { step: 'begun', status: 200 },
      'Pinterest was not connected',
      'Access was denied or canceled.',
    ],
    ['an attempt that took too long', { status: 410 }, 'Connecting Pinterest took too long', 'within ten minutes'],
    [
      'a failure in the words of the platform',
      { status: 422, text: 'No boards.' },
      'Pinterest was not connected',
      'Pinterest or Reelay gave this reason:No boards.',
    ],
  ] as const;
  for (const [name, last, title, hint] of CASES)
    test(`explains ${name}`, async () => {
      showNotice(last);
      const text = (await screen.findByRole('status')).textContent;
      expect(text).toContain(title);
      expect(text).toContain(hint);
    });

  test('offers the same connection again', async () => {
    const { user, connect } = showNotice({ platformCode: 'access_denied' });
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(connect.mock.calls).toEqual([[REQUEST]]));
  });

  test('stays dismissed', async () => {
    const { user } = showNotice({ step: 'stored', ok: true });
    expect((await screen.findByRole('status')).textContent).toContain('Pinterest is connected');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('status')).toBeNull();
    expect(loadAttempt()).toBeNull();
  });

  test('is not shown for an unknown attempt', async () => {
    const { attempt } = showNotice(null);
    await waitFor(() => expect(attempt).toHaveBeenCalledOnce());
    expect(screen.queryByRole('status')).toBeNull();
  });
});

describe('the list of platforms', () => {
  const setup = (given: Partial<PlatformSetup>): PlatformSetup =>
    ({
      platform: 'pinterest',
      name: 'Pinterest',
      configured: false,
      problem: null,
      applications: [],
      ...given,
    }) as never;
  const application = (check?: ApplicationCheck) =>
    ({ name: 'pinterest', source: 'stored', ...(check && { check }) }) as never;
  const showList = (setups: PlatformSetup[], tested = setups) => {
    const read = vi.fn(async ({ check }: { check?: boolean } = {}) => (check ? tested : setups));
    const element = (
      <Suspense>
        <PlatformsPage />
      </Suspense>
    );
    return { ...render(element, { platforms: { setup: read } }), read };
  };
  const row = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) });

  test('says what is set up and what is not', async () => {
    showList([
      setup({ configured: true, applications: [application()] }),
      setup({ platform: 'mastodon', name: 'Mastodon', configured: true }),
    ]);
    expect((await row('Pinterest')).textContent).toMatch(/Set up.*None known.*Change/);
    expect((await row('Mastodon')).textContent).toMatch(/Needs none/);
    const change = screen.getByRole('link', { name: 'Change: Pinterest' });
    expect(change.getAttribute('href')).toBe('/accounts?setup=pinterest');
    expect(screen.queryByRole('link', { name: /Mastodon/ })).toBeNull();
  });

  test('tests all on demand', async () => {
    const { user, read } = showList(
      [setup({ applications: [application()] })],
      [setup({ applications: [application(REJECTED)], problem: 'The secret is wrong.' })],
    );
    await row('Pinterest');
    expect(screen.queryByText('Rejected')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Test all' }));
    expect(await screen.findByText('Rejected')).toBeTruthy();
    expect((await row('Pinterest')).textContent).toContain('The secret is wrong.');
    expect(read.mock.lastCall).toEqual([{ check: true }]);
  });
});
