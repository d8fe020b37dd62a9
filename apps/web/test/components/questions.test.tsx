import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { Questions } from '../../src/pages/compose/options/questions.tsx';
import { SubmitArea } from '../../src/pages/compose/submit-area.tsx';
import { accountOn, choose, findOptions, formOn, showCompose } from './compose-harness.tsx';
import { refusal } from './fake-client.ts';

const tiktok = accountOn('tiktok', 'anna');
const otherTiktok = accountOn('tiktok', 'berta');
const youtube = accountOn('youtube', 'carla');
const x = accountOn('x', 'dora');

type Given = Parameters<typeof showCompose>[1];

const show = (given: Given, onOptions = (_: string) => {}) =>
  showCompose(({ options }) => <Questions options={options} onOptions={onOptions} />, given);

/** With the button of the page. */
const showWithButton = (given: Given, onOptions = (_: string) => {}) =>
  showCompose(
    ({ options }) => (
      <>
        <Questions options={options} onOptions={onOptions} />
        <SubmitArea
          chosen={options.chosen}
          at={null}
          problem={null}
          isSending={false}
          isConverting={false}
          error={null}
          onSubmit={() => {}}
          onSubmitAnother={() => {}}
          onOptions={onOptions}
        />
      </>
    ),
    given,
  );

const findRegion = () => screen.findByRole('region', { name: 'Questions to answer' });
const findGroup = (name: string) => screen.findByRole('group', { name });
const findPrivacy = async (group: string) =>
  within(await findGroup(group)).findByRole<HTMLInputElement>('combobox', { name: /^Who can see this video/ });

describe('questions of platforms', () => {
  test('are asked for each account that has some', async () => {
    show({ accounts: [tiktok, x, youtube] });
    const region = await findRegion();
    await waitFor(() => expect(within(region).getAllByRole('group')).toHaveLength(2));
    expect(await findPrivacy('Name of anna (TikTok)')).toBeDefined();
    expect(await within(region).findAllByRole('radiogroup')).toHaveLength(2);
    expect(screen.queryByRole('group', { name: 'Name of dora (X)' })).toBeNull();
  });

  test('are not shown if no account has any', async () => {
    const form = vi.fn(async () => formOn('x'));
    const { queries } = show({ accounts: [x], platforms: { form } });
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(form).toHaveBeenCalledWith('dora');
    expect(screen.queryByRole('region')).toBeNull();
  });

  test('have no answer yet', async () => {
    show({ accounts: [tiktok, youtube] });
    expect((await findPrivacy('Name of anna (TikTok)')).value).toBe('');
    const radios = await within(await findGroup('Name of carla (YouTube)')).findAllByRole('radio');
    expect(radios).toHaveLength(5);
    for (const radio of radios) expect(radio).toHaveProperty('checked', false);
  });

  test('offer only what the account can choose', async () => {
    const { user } = show({ accounts: [tiktok] });
    await user.click(await findPrivacy('Name of anna (TikTok)'));
    const offered = (await findOptions()).map(({ textContent }) => textContent);
    expect(offered).toEqual(['Everyone', 'Friends', 'Only me']);
  });

  test('send the chosen visibility', async () => {
    const { user, sentFor } = show({ accounts: [tiktok] });
    await choose(user, await findPrivacy('Name of anna (TikTok)'), 'Friends');
    expect(await findPrivacy('Name of anna (TikTok)')).toHaveProperty('value', 'Friends');
    expect(sentFor('anna')).toMatchObject({ privacy: 'MUTUAL_FOLLOW_FRIENDS' });
  });

  test.each([
    ['Yes, it’s made for kids', true],
    ['No, it’s not made for kids', false],
  ])('send the answer "%s"', async (name, madeForKids) => {
    const { user, sentFor } = show({ accounts: [youtube] });
    const radio = await screen.findByRole('radio', { name });
    await user.click(radio);
    expect(radio).toHaveProperty('checked', true);
    expect(sentFor('carla')).toEqual({ madeForKids });
  });

  test('are answered with the keyboard', async () => {
    const { user, sentFor } = show({ accounts: [youtube] });
    const first = await screen.findByRole('radio', { name: 'Everyone' });
    while (document.activeElement !== first) await user.tab();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('radio', { name: 'Anyone with the link' })).toHaveProperty('checked', true);
    await user.tab();
    await user.tab();
    await user.keyboard(' ');
    expect(sentFor('carla')).toEqual({ privacy: 'unlisted', madeForKids: true });
  });

  test('read the account from its platform if it asks', async () => {
    const { refresh } = show({ accounts: [tiktok, x] });
    await waitFor(() => expect(refresh).toHaveBeenCalled());
    expect(refresh.mock.calls).toEqual([['anna']]);
  });

  test('lead to more options of the account', async () => {
    const onOptions = vi.fn();
    const { user } = show({ accounts: [tiktok, youtube] }, onOptions);
    const group = within(await findGroup('Name of carla (YouTube)'));
    await user.click(group.getByRole('button', { name: 'More options' }));
    expect(onOptions.mock.calls).toEqual([['carla']]);
  });

  test('can be read again after an error', async () => {
    const form = vi.fn(async () => formOn('tiktok')).mockRejectedValueOnce(refusal('busy', 'Try later.', 500));
    const { user } = show({ accounts: [tiktok], platforms: { form } });
    expect((await screen.findByRole('alert')).textContent).toContain('Try later.');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await findRegion();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('answers for other accounts of the platform', () => {
  const COPY = 'Use these answers for the other TikTok account';

  test('are copied with one press', async () => {
    const { user, sentFor } = show({ accounts: [tiktok, otherTiktok, youtube] });
    await findGroup('Name of carla (YouTube)');
    await choose(user, await findPrivacy('Name of anna (TikTok)'), 'Everyone');
    await user.click(screen.getByRole('button', { name: COPY }));
    expect(sentFor('berta')).toMatchObject({ privacy: 'PUBLIC_TO_EVERYONE' });
    expect(sentFor('carla')).toBeUndefined();
    expect(screen.queryByRole('button', { name: COPY })).toBeNull();
  });

  test('are not offered before there is an answer', async () => {
    show({ accounts: [tiktok, otherTiktok] });
    await findGroup('Name of berta (TikTok)');
    expect(screen.queryByRole('button', { name: COPY })).toBeNull();
  });

  test('keep what was answered there', async () => {
    const answered = (privacy: string) => ({ caption: null, values: { privacy } });
    const options = { anna: answered('SELF_ONLY'), berta: answered('PUBLIC_TO_EVERYONE') };
    const { sentFor } = show({ accounts: [tiktok, otherTiktok], draft: { options } });
    await findGroup('Name of berta (TikTok)');
    expect(screen.queryByRole('button', { name: COPY })).toBeNull();
    expect(sentFor('berta')).toMatchObject({ privacy: 'PUBLIC_TO_EVERYONE' });
  });
});

describe('the button to post', () => {
  test('leads to the questions while some are open', async () => {
    const { user } = showWithButton({ accounts: [tiktok, youtube] });
    await user.click(await screen.findByRole('button', { name: 'Answer 3 more questions' }));
    expect(document.activeElement).toBe(await findRegion());
    expect(screen.getByRole('button', { name: 'Post to 2 accounts' })).toHaveProperty('disabled', true);
  });

  test('can be pressed when all are answered', async () => {
    const { user } = showWithButton({ accounts: [tiktok] });
    await choose(user, await findPrivacy('Name of anna (TikTok)'), 'Everyone');
    expect(screen.getByRole('button', { name: 'Post to 1 account' })).toHaveProperty('disabled', false);
  });

  test('leads to an option that must be corrected', async () => {
    const onOptions = vi.fn();
    const options = { anna: { caption: null, values: { privacy: 'PUBLIC_TO_EVERYONE', disclosed: true } } };
    const { user } = showWithButton({ accounts: [tiktok], draft: { options } }, onOptions);
    await user.click(await screen.findByRole('button', { name: /^Name of anna, Disclose video content: You need/ }));
    expect(onOptions.mock.calls).toEqual([['anna']]);
  });

  test('are shown below the declaration of each platform', async () => {
    showWithButton({ accounts: [tiktok, youtube] });
    const link = await screen.findByRole('link', { name: 'Music Usage Confirmation' });
    expect(link.parentElement?.textContent).toBe("By posting, you agree to TikTok's Music Usage Confirmation.");
    expect(screen.getByRole('link', { name: 'https://www.youtube.com/t/terms' })).toBeTruthy();
  });
});
