import {
  type CatalogItem,
  ReelayApiError,
  type Rule,
  type RuleActivity,
  type RuleOptions,
  type RulePreview,
} from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { RulePanel } from '../../src/pages/reposts/panel/rule-panel.tsx';
import { useClient } from '../../src/queries/client.ts';
import { rulesQuery } from '../../src/queries/rules.ts';
import { browserZone } from '../../src/time/zone-time.ts';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

// Nothing but the panel is shown, and finding out what is hidden takes most of the time.
configure({ defaultHidden: true });

const account = (platform: string, username: string): Rule['from'] => ({
  id: `id-${platform}`,
  platform,
  username,
  displayName: username,
  status: 'CONNECTED',
  usernameImage: '',
});

const RULE: Rule = {
  id: 'rule-1',
  date: '2026-08-01T09:30:00.000Z',
  from: account('tiktok', 'clips'),
  to: [account('mastodon', 'nora'), account('bluesky', 'nora.test')],
  isPaused: false,
  dailyLimits: { own: null, foreign: 25 },
  watch: { mode: 'own', checkedAt: null, nextCheckAt: null, problem: null, text: '' },
  options: {
    backCatalog: null,
    caption: { template: '{caption}', append: '', removeMentions: false, removeHashtags: false },
    delayMinutes: 0,
    jitterMinutes: 0,
    filters: { contains: [], excludes: [], hashtags: [], minSeconds: null, maxSeconds: null },
    fit: null,
    maxPerDay: null,
    privacy: {},
    quietHours: null,
    zone: 'UTC',
  },
};

const PREVIEW: RulePreview = { captions: [], items: [], warnings: [], watch: RULE.watch };

const activity = (given: Partial<RuleActivity>): RuleActivity => ({
  id: 'item-1',
  caption: 'A clip',
  durationMs: 8_000,
  origin: 'own',
  publishedAt: '2026-08-02T09:30:00.000Z',
  seenAt: '2026-08-02T09:31:00.000Z',
  reason: 'reposted',
  text: 'It was reposted.',
  repostable: false,
  status: 'reposted',
  url: null,
  ...given,
});

const older = (id: string, given: Partial<CatalogItem> = {}): CatalogItem => ({
  id,
  caption: `Clip ${id}`,
  durationMs: 8_000,
  publishedAt: '2026-07-01T09:30:00.000Z',
  status: 'available',
  url: null,
  ...given,
});

/** The service refuses a field. */
const refusedField = (path: string, problem: string) =>
  new ReelayApiError(problem, { status: 400, code: 'invalid_request', field: { path, problem } });

/** The panel over a list of rules that is read again after changes, closed by navigating away. */
function Page({ onDeleted }: { onDeleted(): void }) {
  const { history } = useRouter();
  const [path, setPath] = useState('/');
  useEffect(() => history.subscribe(({ location }) => setPath(location.pathname)), [history]);
  const { data: rules } = useQuery(rulesQuery(useClient()));
  if (!rules || path !== '/') return null;
  return (
    <RulePanel
      rules={rules}
      rule={rules[0] ?? null}
      onClose={() => history.push('/closed')}
      onDeleted={() => {
        onDeleted();
        history.push('/deleted', undefined, { ignoreBlocker: true });
      }}
    />
  );
}

type RuleCalls = NonNullable<GivenCalls['rules']>;

interface Given {
  rule?: Partial<Omit<Rule, 'options'>>;
  options?: Partial<Rule['options']>;
  rules?: RuleCalls;
  platforms?: GivenCalls['platforms'];
}

/** Shows the panel on a service that keeps what is sent to it. */
function show({ rule = {}, options = {}, rules, ...calls }: Given = {}) {
  let stored: Rule | null = { ...RULE, ...rule, options: { ...RULE.options, ...options } };
  const edit = vi.fn<NonNullable<RuleCalls['edit']>>(async (_id, changes) => {
    stored = withChanges(stored ?? RULE, changes);
    return stored;
  });
  const setPaused = (isPaused: boolean) => async () => {
    if (stored) stored = { ...stored, isPaused };
  };
  const pause = vi.fn(setPaused(true));
  const resume = vi.fn(setPaused(false));
  const remove = vi.fn(async () => {
    stored = null;
  });
  const preview = vi.fn<NonNullable<RuleCalls['preview']>>(async () => PREVIEW);
  const onDeleted = vi.fn();
  const rendered = render(<Page onDeleted={onDeleted} />, {
    ...calls,
    rules: {
      list: async () => (stored ? [stored] : []),
      activity: async () => ({ data: [], next: null, watch: RULE.watch }),
      catalog: async () => ({ data: [], next: null }),
      edit,
      pause,
      resume,
      remove,
      preview,
      ...rules,
    },
  });
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  const openTab = async (name: string) => user.click(await screen.findByRole('tab', { name }));
  return { ...rendered, user, edit, pause, resume, remove, preview, onDeleted, openTab };
}

/** What the service makes of changes: null resets an option. */
function withChanges(rule: Rule, changes: RuleOptions): Rule {
  const given = Object.entries(changes).map(([name, value]) => [
    name,
    value ?? RULE.options[name as keyof Rule['options']],
  ]);
  return { ...rule, options: { ...rule.options, ...Object.fromEntries(given) } };
}

/** Shows the options of a rule, whose destinations have no privacy setting. */
async function showOptions(given: Given = {}) {
  const shown = show({ platforms: { get: async () => ({ choices: [] }) as never }, ...given });
  await shown.openTab('Options');
  await screen.findByRole('button', { name: 'Save' });
  return shown;
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const queryField = (name: string) => screen.queryByLabelText(name, { selector: 'input, textarea' });
const field = (name: string) => screen.getByLabelText(name, { selector: 'input, textarea' });
const save = () => button('Save');

const askToPause = async (user: UserEvent) => user.click(await screen.findByRole('button', { name: 'Pause' }));

async function confirmPause(user: UserEvent) {
  const dialog = await screen.findByRole('dialog', { name: 'Pause this rule?' });
  await user.click(within(dialog).getByRole('button', { name: 'Pause' }));
}

describe('the head of a rule', () => {
  test('says that the source delivers everything', async () => {
    show();
    expect(await screen.findByText('Everything that is posted')).toBeTruthy();
    expect(screen.getByText('Active')).toBeTruthy();
  });

  test('says what the source cannot deliver', async () => {
    show({ rule: { watch: { ...RULE.watch, problem: 'Access has expired.', text: 'Only own posts.' } } });
    expect(await screen.findByText('Access has expired. Only own posts.')).toBeTruthy();
  });

  test('shows the charged reads of a watched source', async () => {
    const watch = { ...RULE.watch, mode: 'files', readsToday: 12, readLimit: 1_000, costToday: 0.06 } as const;
    show({ rule: { watch } });
    const text = await screen.findByText(/Not checked yet/);
    expect(text.textContent).toContain('Charged reads today: 12 of 1,000 (US dollars: 0.06)');
  });

  const withOthers = (...platforms: string[]) => {
    const [destination = RULE.from] = RULE.to;
    const others = platforms.map((platform) => ({
      ...RULE,
      id: platform,
      from: account(platform, 'ben'),
      to: [destination],
    }));
    return { rules: { list: async () => [RULE, ...others] } };
  };

  test('says which destinations other rules share', async () => {
    show(withOthers('instagram', 'x'));
    expect(await screen.findByText('Mastodon: nora also gets videos from Instagram: ben and X: ben.')).toBeTruthy();
    expect(screen.getByText(/bring the same video there once/)).toBeTruthy();
    expect(screen.queryByText(/Bluesky: nora.test also/)).toBeNull();
  });

  test('counts what shares a destination beyond three', async () => {
    show(withOthers('instagram', 'x', 'facebook', 'threads', 'linkedin'));
    expect(await screen.findByText(/from Instagram: ben, X: ben, Facebook: ben, and 2 more\.$/)).toBeTruthy();
  });

  test('says nothing while no destination is shared', async () => {
    show();
    await screen.findByText('Everything that is posted');
    expect(screen.queryByText(/also gets videos/)).toBeNull();
  });

  test('pauses and resumes', async () => {
    const { user, pause, resume } = show();
    await askToPause(user);
    await confirmPause(user);
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    expect(await screen.findByRole('button', { name: 'Pause' })).toBeTruthy();
    expect([pause.mock.calls, resume.mock.calls]).toEqual([[['rule-1', { between: 'skip' }]], [['rule-1']]]);
  });

  test('can keep what is posted during a pause', async () => {
    const { user, pause } = show();
    await askToPause(user);
    await user.click(await screen.findByRole('radio', { name: 'Keep' }));
    await confirmPause(user);
    await waitFor(() => expect(pause.mock.calls).toEqual([['rule-1', { between: 'keep' }]]));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Pause this rule?' })).toBeNull());
  });

  test('stays active if the question is left', async () => {
    const { user, pause } = show();
    await askToPause(user);
    await user.click(await screen.findByRole('button', { name: 'Do not pause' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Pause this rule?' })).toBeNull());
    expect(pause).not.toHaveBeenCalled();
  });

  test('warns while paused that new posts are skipped', async () => {
    show({ rule: { isPaused: true } });
    expect(await screen.findByText(/new posts are skipped for good/)).toBeTruthy();
    expect(screen.getByText('Paused')).toBeTruthy();
  });

  test('deletes after naming what is lost', async () => {
    const { user, remove, onDeleted } = show({
      options: { backCatalog: { items: ['a', 'b'], order: 'oldest', perDay: 1 } },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete this rule?' });
    expect(dialog.textContent).toContain('with 2 selected older posts');
    expect(remove).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce());
    expect(remove.mock.calls).toEqual([['rule-1']]);
  });

  test('stays when it cannot be deleted', async () => {
    const { user, onDeleted } = show({
      rules: { remove: () => Promise.reject(refusal('rate_limited', 'Too many requests.')) },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete this rule?' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect((await within(dialog).findByRole('alert')).textContent).toContain('Too many requests.');
    expect(onDeleted).not.toHaveBeenCalled();
  });

  test('is replaced by a notice if the rule is gone', async () => {
    show({ rules: { list: async () => [] } });
    expect(await screen.findByText('This rule no longer exists.')).toBeTruthy();
    expect(screen.queryByRole('tab')).toBeNull();
  });
});

describe('the activity', () => {
  const showActivity = (data: RuleActivity[], rules: RuleCalls = {}) =>
    show({ rules: { activity: async () => ({ data, next: null, watch: RULE.watch }), ...rules } });

  test('says that nothing was seen yet', async () => {
    showActivity([]);
    expect(await screen.findByText('This rule has not seen any posts yet.')).toBeTruthy();
  });

  test('shows each item with its reason and links', async () => {
    showActivity([
      activity({ url: 'https://tiktok.example/1', postId: 'post-1' }),
      activity({ id: 'item-2', status: 'skipped', caption: '', text: 'It is too long.' }),
    ]);
    const [first, second] = await screen.findAllByRole('listitem');
    if (!first || !second) throw new Error('There are not two items.');
    expect(first.textContent).toMatch(/Reposted.*A clip.*It was reposted\./);
    const hrefs = within(first)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);
    expect(hrefs).toEqual([
      ['Open source', 'https://tiktok.example/1'],
      ['Open repost', '/posts/post-1'],
    ]);
    expect(second.textContent).toMatch(/Skipped.*No caption.*It is too long\./);
    expect(within(second).queryByRole('link')).toBeNull();
  });

  test('reposts only items that can be reposted', async () => {
    const repost = vi.fn(async () => activity({}));
    const { user } = showActivity(
      [activity({}), activity({ id: 'item-2', caption: 'Skipped clip', status: 'skipped', repostable: true })],
      { repost },
    );
    await screen.findByText('Skipped clip');
    await user.click(button(/^Repost “/));
    await waitFor(() => expect(repost.mock.calls).toEqual([['rule-1', 'item-2']]));
  });

  test('shows at an item why it cannot be reposted', async () => {
    const { user } = showActivity([activity({ repostable: true })], {
      repost: () => Promise.reject(refusal('gone', 'The source no longer has the post.')),
    });
    await user.click(await screen.findByRole('button', { name: 'Repost “A clip” now' }));
    expect(await within(screen.getByRole('listitem')).findByText('The source no longer has the post.')).toBeTruthy();
  });

  test('loads the next page on demand', async () => {
    const read = vi.fn(async (_id: string, { cursor }: { cursor?: string } = {}) =>
      cursor
        ? { data: [activity({ id: 'item-2', caption: 'Earlier' })], next: null, watch: RULE.watch }
        : { data: [activity({})], next: 'page-2', watch: RULE.watch },
    );
    const { user } = showActivity([], { activity: read });
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('Earlier')).toBeTruthy();
    expect(screen.getByText('A clip')).toBeTruthy();
    expect(read.mock.lastCall).toEqual(['rule-1', { cursor: 'page-2' }]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
  });

  test('shows why it cannot be read', async () => {
    showActivity([], { activity: () => Promise.reject(refusal('internal', 'Internal error.')) });
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.queryByText('This rule has not seen any posts yet.')).toBeNull();
  });
});

describe('the options', () => {
  test('send only what was changed', async () => {
    const { user, edit } = await showOptions({ options: { delayMinutes: 5 } });
    expect(save()).toHaveProperty('disabled', true);
    await user.type(field('Random extra delay'), '{Backspace}30');
    await user.click(save());
    expect(await screen.findByText('Saved.')).toBeTruthy();
    expect(edit.mock.calls).toEqual([['rule-1', { jitterMinutes: 30 }]]);
    expect(field('Delay')).toHaveProperty('value', '5');
    expect(save()).toHaveProperty('disabled', true);
  });

  test('take a delay in another unit', async () => {
    const { user, edit } = await showOptions({ options: { delayMinutes: 120 } });
    expect(field('Delay')).toHaveProperty('value', '2');
    const unit = screen.getByRole('combobox', { name: 'Unit: Delay' });
    expect(unit).toHaveProperty('value', 'hours');
    await user.selectOptions(unit, 'days');
    expect(field('Delay')).toHaveProperty('value', '2');
    await user.click(save());
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { delayMinutes: 2_880 }]]));
  });

  test('have no audience if no destination has one', async () => {
    await showOptions();
    expect(screen.queryByText('Audience')).toBeNull();
  });

  test('reset an emptied number to its default', async () => {
    const { user, edit } = await showOptions({ options: { maxPerDay: 3 } });
    expect(screen.queryByText(/^Empty: no limit/)).toBeNull();
    await user.clear(field('Reposts per day'));
    await user.click(save());
    expect(
      await screen.findByText(
        'Empty: no limit for posts made with Reelay, 25 for others. What waits longer than 3 days is skipped.',
      ),
    ).toBeTruthy();
    expect(edit.mock.lastCall).toEqual(['rule-1', { maxPerDay: null }]);
  });

  test('can be discarded', async () => {
    const { user, edit } = await showOptions();
    await user.type(field('Reposts per day'), '7');
    await user.click(button('Discard changes'));
    expect(field('Reposts per day')).toHaveProperty('value', '');
    expect(screen.queryByText('You have unsaved changes.')).toBeNull();
    expect(edit).not.toHaveBeenCalled();
  });

  test('show what the service refuses at its field', async () => {
    const { user } = await showOptions({
      rules: { edit: () => Promise.reject(refusedField('options.maxPerDay', 'It must be at least 1.')) },
    });
    await user.type(field('Reposts per day'), '0');
    await user.click(save());
    const refused = await screen.findByRole('textbox', {
      name: 'Reposts per day',
      description: /It must be at least 1\./,
    });
    expect(refused.getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByRole('alert')).toBeNull();
    await user.type(field('Reposts per day'), '5');
    await waitFor(() => expect(screen.queryByText('It must be at least 1.')).toBeNull());
  });

  test('keep what was typed if saving fails', async () => {
    const { user } = await showOptions({
      rules: { edit: () => Promise.reject(refusal('rate_limited', 'Too many requests.')) },
    });
    await user.type(field('Reposts per day'), '7');
    await user.click(save());
    expect((await screen.findByRole('alert')).textContent).toContain('Too many requests.');
    expect(field('Reposts per day')).toHaveProperty('value', '7');
    expect(screen.queryByText('Saved.')).toBeNull();
  });

  test('send the form with Enter', async () => {
    const { user, edit } = await showOptions();
    await user.type(field('Add at the end'), 'Bye{Enter}');
    await waitFor(() => expect(edit.mock.lastCall?.[1].caption).toMatchObject({ append: 'Bye' }));
  });
});

describe('time and pace', () => {
  /** Searches for the city of a zone in small letters. */
  async function chooseZone(user: UserEvent, label: string, zone: string): Promise<void> {
    await user.clear(field(label));
    await user.type(field(label), zone.slice(zone.indexOf('/') + 1).toLowerCase());
    await user.click(await screen.findByRole('option', { name: zone, hidden: true }));
  }

  test('offers quiet hours in the time zone of the user', async () => {
    const { user, edit } = await showOptions();
    expect(queryField('Time zone of the quiet hours')).toBeNull();
    await user.click(screen.getByRole('switch', { name: /^Quiet hours/ }));
    await user.click(save());
    await waitFor(() => expect(edit).toHaveBeenCalledOnce());
    const quietHours = { from: '22:00', to: '07:00', zone: browserZone() };
    expect(edit.mock.lastCall).toEqual(['rule-1', { quietHours }]);
  });

  test('days and quiet hours share the zone of the rule', async () => {
    const { user, edit } = await showOptions({ options: { zone: 'Asia/Tokyo' } });
    await user.click(screen.getByRole('switch', { name: /^Quiet hours/ }));
    expect(queryField('Time zone of the quiet hours')).toBeNull();
    await chooseZone(user, 'Time zone of the rule', 'Europe/Berlin');
    await user.click(save());
    const quietHours = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' };
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { quietHours, zone: 'Europe/Berlin' }]]));
  });

  test('two zones of one rule are both shown', async () => {
    const { user, edit } = await showOptions({
      options: { zone: 'Asia/Tokyo', quietHours: { from: '20:00', to: '08:00', zone: 'Europe/Berlin' } },
    });
    expect(field('Time zone of the quiet hours')).toHaveProperty('value', 'Europe/Berlin');
    await chooseZone(user, 'The day ends at midnight in', 'Europe/Helsinki');
    await user.click(save());
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { zone: 'Europe/Helsinki' }]]));
  });

  test('explain quiet hours on days of a clock change', async () => {
    await showOptions({ options: { quietHours: { from: '22:00', to: '02:30', zone: 'Europe/Berlin' } } });
    expect(screen.getByText(/^On March \d+, \d{4}, the clock skips 2:30 AM\. 3:00 AM counts instead\.$/)).toBeTruthy();
    expect(
      screen.getByText(/^On October \d+, \d{4}, the clock shows 2:30 AM twice\. The first counts\.$/),
    ).toBeTruthy();
  });

  test('removes quiet hours', async () => {
    const { user, edit } = await showOptions({ options: { quietHours: { from: '20:00', to: '08:00', zone: 'UTC' } } });
    expect(field('To')).toHaveProperty('value', '08:00');
    await user.click(screen.getByRole('switch', { name: /^Quiet hours/ }));
    expect(queryField('To')).toBeNull();
    await user.click(save());
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { quietHours: null }]]));
  });

  test('shows a refused time of the quiet hours', async () => {
    const { user } = await showOptions({
      options: { quietHours: { from: '20:00', to: '08:00', zone: 'UTC' } },
      rules: { edit: () => Promise.reject(refusedField('options.quietHours', 'They must not be the whole day.')) },
    });
    await user.type(field('Reposts per day'), '7');
    await user.click(save());
    await screen.findByText('They must not be the whole day.');
    expect(field('To').getAttribute('aria-invalid')).toBe('true');
    expect(field('From').getAttribute('aria-invalid')).not.toBe('true');
  });

  test('chooses the time zone of the rule by search', async () => {
    const { user, edit } = await showOptions();
    await chooseZone(user, 'Time zone of the rule', 'Europe/Berlin');
    await user.click(save());
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { zone: 'Europe/Berlin' }]]));
  });
});

describe('the description', () => {
  test('gets placeholders by button', async () => {
    const { user, edit } = await showOptions();
    await user.click(button('Insert {source}'));
    await user.click(screen.getByRole('checkbox', { name: 'Remove mentions' }));
    expect(field('Template')).toHaveProperty('value', '{caption}{source}');
    await user.click(save());
    const caption = { template: '{caption}{source}', append: '', removeMentions: true, removeHashtags: false };
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { caption }]]));
  });

  test('is shown on each account with its length', async () => {
    const captions = [
      { platformId: 'id-mastodon', text: 'Hello', count: 5, limit: 500, problem: null },
      { platformId: 'id-bluesky', text: '', count: 0, limit: 300, problem: 'It needs a description.' },
    ];
    await showOptions({ rules: { preview: async () => ({ ...PREVIEW, captions, items: [previewed({})] }) } });
    const result = screen.getByRole('region', { name: 'Result on each account' });
    await within(result).findByText('Hello');
    expect(result.textContent).toMatch(/Mastodon: nora5 of 500 characters.*Hello/);
    expect(result.textContent).toMatch(/Bluesky: nora\.test0 of 300 characters.*Empty/);
    expect(within(result).getByRole('alert').textContent).toBe('It needs a description.');
  });

  test('is previewed with unsaved changes and a given text', async () => {
    const { user, preview } = await showOptions();
    expect(await screen.findByText(/^Nothing to show yet/)).toBeTruthy();
    await user.type(field('Add at the end'), 'Bye');
    await user.type(field('Try it with'), 'A clip');
    await waitFor(() => expect(preview.mock.lastCall?.[1]).toMatchObject({ text: 'A clip' }));
    expect(preview.mock.lastCall?.[1]?.options?.caption).toMatchObject({ append: 'Bye' });
    expect(screen.queryByText(/^Nothing to show yet/)).toBeNull();
    expect(preview.mock.calls[0]).toEqual(['rule-1', { options: {} }]);
  });

  test('shows a wrong template while it is typed', async () => {
    const refuse = async (_id: string, { options = {} }: { options?: RuleOptions } = {}) => {
      if (options.caption) throw refusedField('options.caption.template', 'unknown placeholder: nothing');
      return PREVIEW;
    };
    const { user, edit } = await showOptions({ rules: { preview: refuse } });
    await user.type(field('Template'), ' {{nothing}');
    expect(
      await screen.findByRole('textbox', { name: 'Template', description: /unknown placeholder: nothing/ }),
    ).toBeTruthy();
    expect(within(screen.getByRole('region', { name: 'Result on each account' })).queryByRole('alert')).toBeNull();
    expect(edit).not.toHaveBeenCalled();
  });
});

describe('the audience', () => {
  const privacy = {
    name: 'privacy',
    label: 'who sees it',
    title: null,
    required: true,
    value: 'public',
    values: [
      { value: 'public', label: 'Everyone', title: null },
      { value: 'friends', label: 'Friends', title: { en: 'Only friends', de: 'Nur Freunde' } },
    ],
  };
  /** Only the first destination has the setting. */
  const accounts = (async (id: string) => {
    const shown = RULE.to.find((each) => each.id === id);
    return { ...shown, choices: id === 'id-mastodon' ? [privacy] : [] };
  }) as never;
  const showAudience = async (given: Given = {}) => {
    const shown = show({ platforms: { get: accounts }, ...given });
    await shown.openTab('Options');
    const select = await screen.findByRole('combobox', { name: 'Mastodon: nora' });
    return { ...shown, select };
  };

  test('is chosen for destinations with such a setting', async () => {
    const { user, edit, select } = await showAudience();
    expect(screen.queryByRole('combobox', { name: /^Bluesky/ })).toBeNull();
    expect([...(select as HTMLSelectElement).options].map(({ text }) => text)).toEqual([
      'As set for the account',
      'Everyone',
      'Only friends',
    ]);
    await user.selectOptions(select, 'Only friends');
    await user.click(save());
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { privacy: { 'id-mastodon': 'friends' } }]]));
  });

  test('goes back to the setting of the account', async () => {
    const { user, edit, select } = await showAudience({
      options: { privacy: { 'id-mastodon': 'friends' } as never },
    });
    expect(select).toHaveProperty('value', 'friends');
    await user.selectOptions(select, 'As set for the account');
    await user.click(save());
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { privacy: null }]]));
  });
});

describe('the filters', () => {
  test('take several words and a range of seconds', async () => {
    const { user, edit } = await showOptions();
    await user.type(field('Only with one of these words'), 'cats{Enter}dogs,');
    await user.type(field('Not with any of these words'), 'ad');
    await user.type(field('Shortest video'), '5');
    await user.click(save());
    await waitFor(() => expect(edit).toHaveBeenCalledOnce());
    const filters = { contains: ['cats', 'dogs'], excludes: ['ad'], hashtags: [], minSeconds: 5, maxSeconds: null };
    expect(edit.mock.lastCall).toEqual(['rule-1', { filters }]);
  });

  test('show a refused word at its list', async () => {
    await showOptions({
      rules: { preview: () => Promise.reject(refusedField('options.filters.hashtags.0', 'It is no hashtag.')) },
    });
    await screen.findByText('It is no hashtag.');
    expect(field('Only with one of these hashtags').getAttribute('aria-invalid')).toBe('true');
    expect(field('Only with one of these words').getAttribute('aria-invalid')).not.toBe('true');
  });

  test('choose what happens to videos of another shape', async () => {
    const { user, edit } = await showOptions();
    expect(screen.getByRole('radio', { name: 'Skip' })).toHaveProperty('checked', true);
    await user.click(screen.getByRole('radio', { name: 'Crop' }));
    await user.click(save());
    await waitFor(() => expect(edit.mock.calls).toEqual([['rule-1', { fit: 'crop' }]]));
  });
});

describe('older posts', () => {
  const showOlder = async (data: CatalogItem[], given: Given = {}) => {
    const catalog = vi.fn(async () => ({ data, next: null }));
    const shown = show({ ...given, rules: { catalog, ...given.rules } });
    await screen.findByText('This rule has not seen any posts yet.');
    // Platforms charge for such reads.
    expect(catalog).not.toHaveBeenCalled();
    await shown.openTab('Older posts');
    return shown;
  };
  const item = (name: RegExp) => screen.findByRole('checkbox', { name });

  test('an empty list shows a note', async () => {
    await showOlder([]);
    expect(await screen.findByText(/^The platform has no older posts/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Select all shown' })).toBeNull();
  });

  test('end with a whole emoji when they are shortened', async () => {
    await showOlder([older('a', { caption: `${'a'.repeat(119)}🌅 and more` })]);
    expect((await screen.findByText(/^a+/)).textContent).toBe(`${'a'.repeat(119)}🌅`);
  });

  test('are selected with their order and pace', async () => {
    const { user, edit } = await showOlder([older('a'), older('b'), older('c')]);
    await user.click(await item(/^Clip c/));
    await user.click(await item(/^Clip a/));
    expect(screen.getByText('2 posts selected')).toBeTruthy();
    expect(screen.getByText('You have unsaved changes.')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Newest first' }));
    await user.type(field('Posts per day'), '{Backspace}4');
    await user.click(save());
    expect(await screen.findByText('2 posts selected · Saved.')).toBeTruthy();
    const backCatalog = { items: ['c', 'a'], order: 'newest', perDay: 4 };
    expect(edit.mock.calls).toEqual([['rule-1', { backCatalog }]]);
  });

  test('cannot be selected if they cannot be reposted', async () => {
    const { user } = await showOlder([
      older('a'),
      older('b', { status: 'reposted' }),
      older('c', { status: 'unavailable', text: 'It has no video.' }),
    ]);
    expect(await item(/^Clip b/)).toHaveProperty('disabled', true);
    expect(await item(/^Clip c/)).toHaveProperty('disabled', true);
    expect(screen.getByText(/Not available · It has no video\.$/)).toBeTruthy();
    await user.click(button('Select all shown'));
    expect(screen.getByText('1 post selected')).toBeTruthy();
  });

  test('are all removed with an empty selection', async () => {
    const { user, edit } = await showOlder([older('a', { status: 'selected' })], {
      options: { backCatalog: { items: ['a'], order: 'oldest', perDay: 1 } },
    });
    expect(await item(/^Clip a/)).toHaveProperty('checked', true);
    await user.click(button('Select none'));
    await user.click(save());
    expect(await screen.findByText('No post selected · Saved.')).toBeTruthy();
    expect(edit.mock.calls).toEqual([['rule-1', { backCatalog: null }]]);
  });

  test('show a refused pace at its field', async () => {
    const { user } = await showOlder([older('a')], {
      rules: { edit: () => Promise.reject(refusedField('options.backCatalog.perDay', 'It must be at most 100.')) },
    });
    await user.click(await item(/^Clip a/));
    await user.click(save());
    expect(
      await screen.findByRole('textbox', { name: 'Posts per day', description: /It must be at most 100\./ }),
    ).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('load further pages without losing the selection', async () => {
    const catalog = async (_id: string, { cursor }: { cursor?: string } = {}) =>
      cursor ? { data: [older('b')], next: null } : { data: [older('a')], next: 'page-2' };
    const { user } = show({ rules: { catalog } });
    await user.click(await screen.findByRole('tab', { name: 'Older posts' }));
    await user.click(await item(/^Clip a/));
    await user.click(button('Show more'));
    await user.click(await item(/^Clip b/));
    expect(screen.getByText('2 posts selected')).toBeTruthy();
  });
});

describe('the preview', () => {
  test('shows what would happen to the last posts', async () => {
    const items = [
      previewed({ repostCaption: 'From clips' }),
      previewed({ status: 'skip', caption: 'An ad', text: 'It contains “ad”.' }),
    ];
    const { openTab } = show({ rules: { preview: async () => ({ ...PREVIEW, items }) } });
    await openTab('Preview');
    const [first, second] = await screen.findAllByRole('listitem');
    expect(first?.textContent).toMatch(/Repost.*A clip.*Caption of the repost.*From clips/);
    expect(second?.textContent).toMatch(/Skip.*An ad.*It contains “ad”\.$/);
  });

  test('does not repeat warnings of the source', async () => {
    const watch = { ...RULE.watch, text: 'Only own posts.' };
    const warnings = [
      { code: 'source', text: 'Only own posts.' },
      { code: 'quiet', text: 'The whole day is quiet.' },
    ];
    const { openTab } = show({ rule: { watch }, rules: { preview: async () => ({ ...PREVIEW, warnings }) } });
    await openTab('Preview');
    expect((await screen.findByRole('alert')).textContent).toBe('The whole day is quiet.');
    expect(screen.getAllByText('Only own posts.')).toHaveLength(1);
    expect(screen.getByText('No post of the source is known yet.')).toBeTruthy();
  });
});

describe('unsaved changes', () => {
  test('survive a change of the tab', async () => {
    const { user, openTab } = await showOptions();
    await user.type(field('Reposts per day'), '7');
    await openTab('Older posts');
    expect(await screen.findByText('You have unsaved changes.')).toBeTruthy();
    await user.type(field('Posts per day'), '{Backspace}5');
    await openTab('Options');
    expect(field('Reposts per day')).toHaveProperty('value', '7');
    await openTab('Older posts');
    expect(field('Posts per day')).toHaveProperty('value', '5');
  });

  test('are kept or discarded after a question', async () => {
    const { user } = await showOptions();
    await user.type(field('Reposts per day'), '7');
    const ask = async (answer: string) => {
      await user.click(within(screen.getByRole('dialog', { name: 'Rule' })).getByRole('button', { name: 'Close' }));
      const question = await screen.findByRole('dialog', { name: 'Discard your changes?' });
      await user.click(within(question).getByRole('button', { name: answer }));
    };
    await ask('Keep editing');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull());
    expect(field('Reposts per day')).toHaveProperty('value', '7');
    await ask('Discard changes');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Rule' })).toBeNull());
  });

  test('need no question without changes', async () => {
    const { user } = await showOptions();
    await user.click(button('Close'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

function previewed(given: Partial<RulePreview['items'][number]>): RulePreview['items'][number] {
  return {
    caption: 'A clip',
    durationMs: 8_000,
    origin: 'own',
    publishedAt: '2026-08-02T09:30:00.000Z',
    reason: 'would_repost',
    status: 'repost',
    text: 'It would be reposted.',
    url: null,
    ...given,
  };
}
