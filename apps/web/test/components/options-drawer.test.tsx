import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { OptionValues } from '../../src/drafts/draft.ts';
import { OptionsDrawer } from '../../src/pages/compose/options/options-drawer.tsx';
import {
  accountOn,
  choose,
  countOf,
  countsOf,
  findOptions,
  type PlatformName,
  showCompose,
} from './compose-harness.tsx';
import { refusal } from './fake-client.ts';

const ID = 'anna';

interface Given {
  values?: OptionValues;
  caption?: string;
  description?: string;
  counts?: ReturnType<typeof countsOf>;
  form?: NonNullable<Parameters<typeof showCompose>[1]['platforms']>['form'];
  onClose?(): void;
}

function show(platform: PlatformName, given: Given = {}) {
  const { values = {}, caption = null, description = '', counts = countsOf(), form, onClose = () => {} } = given;
  const shown = showCompose(
    ({ options, draft }) =>
      options.chosen[0] ? (
        <OptionsDrawer
          each={options.chosen[0]}
          description={draft.description}
          counts={counts}
          options={options}
          onClose={onClose}
        />
      ) : null,
    {
      accounts: [accountOn(platform, ID)],
      draft: { description, options: { [ID]: { caption, values } } },
      ...(form ? { platforms: { form } } : {}),
    },
  );
  return { ...shown, sent: () => shown.sentFor(ID) };
}

const findDrawer = () => screen.findByRole('dialog', { name: /^Options for Name of anna/ });
const findSwitch = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name: new RegExp(`^${name}`) });
const findCheckbox = (name: string) =>
  screen.findByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name}`) });
const findPrivacy = () => screen.findByRole<HTMLInputElement>('combobox', { name: /^Who can see this video/ });

describe('options on TikTok', () => {
  test('are off until they are turned on', async () => {
    const { sent } = show('tiktok');
    for (const name of ['Allow comments', 'Allow duets', 'Allow stitches', 'Made with AI'])
      expect(await findCheckbox(name)).toHaveProperty('checked', false);
    expect(await findSwitch('Disclose video content')).toHaveProperty('checked', false);
    expect(sent()).toEqual({ disableComment: true, disableDuet: true, disableStitch: true });
  });

  test('send an interaction that is allowed', async () => {
    const { user, sent } = show('tiktok');
    await user.click(await findCheckbox('Allow comments'));
    expect(sent()).toEqual({ disableComment: false, disableDuet: true, disableStitch: true });
  });

  test('say why the account does not allow an interaction', async () => {
    show('tiktok');
    expect(await findCheckbox('Allow duets')).toHaveProperty('disabled', true);
    expect(screen.getByText('Duets are turned off in the settings of this TikTok account.')).toBeTruthy();
  });

  test('ask for the kind of a disclosure', async () => {
    const { user } = show('tiktok');
    expect(await findSwitch('Disclose video content')).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: /^Branded content/ })).toBeNull();
    await user.click(await findSwitch('Disclose video content'));
    expect(await findCheckbox('Branded content')).toHaveProperty('checked', false);
    expect(screen.getByText(/^You need to indicate if your content promotes yourself/)).toBeTruthy();
  });

  test.each([
    ['Your brand', "Your video will be labeled as 'Promotional content'."],
    ['Branded content', "Your video will be labeled as 'Paid partnership'."],
  ])('say how "%s" labels the video', async (name, text) => {
    const { user } = show('tiktok', { values: { disclosed: true } });
    await user.click(await findCheckbox(name));
    expect(screen.getByRole('status').textContent).toBe(text);
    expect(screen.queryByText(/^You need to indicate/)).toBeNull();
  });

  test('declare the policy of branded content', async () => {
    const { user } = show('tiktok', { values: { disclosed: true } });
    await findCheckbox('Branded content');
    expect(screen.queryByRole('link', { name: 'Branded Content Policy' })).toBeNull();
    await user.click(await findCheckbox('Branded content'));
    expect(screen.getByRole('link', { name: 'Branded Content Policy' }).parentElement?.textContent).toBe(
      "By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation.",
    );
  });

  test('do not offer a private post for branded content', async () => {
    const { user, sent } = show('tiktok', { values: { disclosed: true, brandContent: true } });
    await user.click(await findPrivacy());
    const onlyMe = (await findOptions()).find(({ textContent }) => textContent?.startsWith('Only me'));
    expect(onlyMe?.textContent).toBe('Only meBranded content visibility cannot be set to private.');
    expect(onlyMe?.hasAttribute('data-combobox-disabled')).toBe(true);
    if (onlyMe) await user.click(onlyMe);
    expect(sent()).not.toHaveProperty('privacy');
  });

  test('do not offer branded content for a private post', async () => {
    show('tiktok', { values: { disclosed: true, privacy: 'SELF_ONLY' } });
    expect(await findCheckbox('Branded content')).toHaveProperty('disabled', true);
    expect(screen.getByText('Branded content visibility cannot be set to private.')).toBeTruthy();
  });

  test('let branded content be turned off in a private post', async () => {
    const { user, sent } = show('tiktok', { values: { disclosed: true, brandContent: true, privacy: 'SELF_ONLY' } });
    await user.click(await findCheckbox('Branded content'));
    expect(sent()).not.toHaveProperty('brandContent');
  });
});

describe('options of other platforms', () => {
  test('show the limit of a text that is too long', async () => {
    const { user, sent } = show('youtube', { values: { title: 'x'.repeat(100) } });
    const title = await screen.findByRole('textbox', { name: 'Title' });
    expect(screen.queryByText('At most 100 characters.')).toBeNull();
    await user.type(title, 'y');
    expect(screen.getByText('At most 100 characters.')).toBeTruthy();
    await user.clear(title);
    expect(screen.queryByText('At most 100 characters.')).toBeNull();
    expect(sent()).toBeUndefined();
  });

  test('take several texts', async () => {
    const { user, sent } = show('bluesky');
    await user.type(await screen.findByRole('combobox', { name: 'Languages' }), 'en{Enter}pt-BR{Enter}');
    expect(sent()).toEqual({ langs: ['en', 'pt-BR'] });
  });

  test('limit the number of texts', async () => {
    const { user } = show('bluesky', { values: { langs: ['en', 'de', 'fr'] } });
    await user.type(await screen.findByRole('combobox', { name: 'Languages' }), 'it{Enter}');
    expect(screen.getByText('At most 3 entries.')).toBeTruthy();
  });

  test('take several choices', async () => {
    const { user, sent } = show('bluesky');
    await user.click(await findCheckbox('Nudity'));
    await user.click(await findCheckbox('Graphic media'));
    expect(sent()).toEqual({ labels: ['nudity', 'graphic-media'] });
    await user.click(await findCheckbox('Nudity'));
    await user.click(await findCheckbox('Graphic media'));
    expect(sent()).toBeUndefined();
  });

  test('can be cleared', async () => {
    const { user, sent } = show('youtube');
    const category = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Category' });
    expect(category.placeholder).toBe('Not set');
    await choose(user, category, 'Comedy');
    expect(sent()).toEqual({ category: '23' });
    await user.click(screen.getByLabelText('Clear Category'));
    expect(sent()).toBeUndefined();
  });
});

describe('the caption of an account', () => {
  test('begins with the description', async () => {
    const { user, sent } = show('x', { description: 'First light' });
    await user.click(await findSwitch('Different caption here'));
    const caption = screen.getByRole('textbox', { name: 'Caption' });
    expect(caption).toHaveProperty('value', 'First light');
    await user.type(caption, ' on X');
    expect(sent()).toEqual({ caption: 'First light on X' });
  });

  test('can be empty', async () => {
    const { user, sent } = show('x', { caption: 'Own' });
    await user.clear(await screen.findByRole('textbox', { name: 'Caption' }));
    expect(sent()).toEqual({ caption: '' });
  });

  test('is the description again when it is turned off', async () => {
    const { user, sent } = show('x', { caption: 'Own', description: 'First light' });
    await user.click(await findSwitch('Different caption here'));
    expect(screen.queryByRole('textbox', { name: 'Caption' })).toBeNull();
    expect(sent()).toBeUndefined();
  });

  test('is counted as its platform counts', async () => {
    const problem = 'X allows at most 280.';
    show('x', { counts: countsOf(countOf(ID, { length: 1_300, limit: 280, unit: 'bytes', problem })) });
    expect(await screen.findByText('1,300 of 280 bytes. X allows at most 280.')).toBeTruthy();
  });
});

describe('the drawer', () => {
  test('is reset with one press', async () => {
    const { user, draft } = show('tiktok', { caption: 'Own', values: { privacy: 'SELF_ONLY' } });
    await user.click(await screen.findByRole('button', { name: 'Reset' }));
    expect(draft().options[ID]).toEqual({ caption: null, values: {} });
    expect(await findPrivacy()).toHaveProperty('value', '');
  });

  test.each(['Done', 'Close'])('closes with "%s"', async (name) => {
    const onClose = vi.fn();
    const { user } = show('x', { onClose });
    await user.click(within(await findDrawer()).getByRole('button', { name }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('closes with Escape', async () => {
    const onClose = vi.fn();
    const { user } = show('x', { onClose });
    await findDrawer();
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('takes the focus', async () => {
    show('x');
    const drawer = await findDrawer();
    await waitFor(() => expect(drawer.contains(document.activeElement)).toBe(true));
  });

  test('shows that the options are loading', async () => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<NonNullable<Given['form']>>>>();
    show('x', { form: () => promise });
    expect((await screen.findByLabelText('Loading options …')).getAttribute('aria-busy')).toBe('true');
    resolve({ fields: [] });
    await waitFor(() => expect(screen.queryByLabelText('Loading options …')).toBeNull());
  });

  test('shows why the options cannot be loaded', async () => {
    show('x', { form: () => Promise.reject(refusal('busy', 'Try later.', 500)) });
    expect((await screen.findByRole('alert')).textContent).toContain('Try later.');
    expect(screen.getByRole('switch', { name: /^Different caption here/ })).toBeTruthy();
  });
});
