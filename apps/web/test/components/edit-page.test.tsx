/** The page that changes a post. Only what was changed in it is sent. */
import type { Post } from '@reelay/sdk';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { WorkspaceProvider } from '../../src/drafts/use-upload.tsx';
import type { Live } from '../../src/live/live.ts';
import { LiveProvider } from '../../src/live/use-live.ts';
import { EditPage } from '../../src/pages/compose/edit/edit-page.tsx';
import { postKeys } from '../../src/queries/keys.ts';
import { accountOn, formOn } from './compose-harness.tsx';
import { refusal } from './fake-client.ts';
import { pageAt } from './page-route.tsx';
import { postOf, resultOf, targetOf } from './posts.ts';
import { render } from './render.tsx';
import { workspaceWith } from './workspaces.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS).toISOString();
const LIVE: Live = { start: () => () => {}, state: () => 'open', onState: () => () => {}, onEvent: () => () => {} };

const POST = postOf([resultOf('nora', { status: 'PENDING' })], {
  description: 'Tomorow',
  scheduled: true,
  date: inHours(48),
  filename: 'cover.jpg',
  previewTime: 1,
  targets: [targetOf('nora', { status: 'PENDING', options: { visibility: 'unlisted' } as never })],
});

interface Given {
  post?: Post;
  edit?(id: string, change: object): Promise<Post>;
  workspace?: ReturnType<typeof workspaceWith>;
}

async function show({ post = POST, edit = vi.fn(async () => post), workspace = workspaceWith() }: Given = {}) {
  const page = pageAt({ Page: EditPage, path: '/posts/$id/edit', address: '/posts/p/edit', isSignedIn: true });
  const rendered = render(
    <LiveProvider value={LIVE}>
      <WorkspaceProvider value={workspace}>{page.element}</WorkspaceProvider>
    </LiveProvider>,
    {
      posts: {
        get: async () => post,
        edit,
        countCaptions: async () => [],
        calendar: async () => ({ data: [], next: null }) as never,
      },
      platforms: {
        list: async () => [accountOn('mastodon', 'nora'), accountOn('mastodon', 'emil')],
        form: async () => formOn('mastodon'),
      },
      user: { current: async () => ({ zone: 'UTC' }) as never },
    },
  );
  await screen.findByRole('heading', { level: 1 });
  /** The post is changed elsewhere. */
  const change = (given: Partial<Post>) => rendered.queries.setQueryData(postKeys.one('p'), { ...post, ...given });
  return { ...rendered, edit, change, href: page.href, workspace };
}

const words = () => screen.findByLabelText('Description');
const type = async (text: string) => fireEvent.change(await words(), { target: { value: text } });
const press = async ({ user }: Awaited<ReturnType<typeof show>>, name: string) =>
  user.click(await screen.findByRole('button', { name }));

describe('editing a post', () => {
  test('sends the text alone, although the time changes meanwhile', async () => {
    const shown = await show();
    await type('Tomorrow');
    shown.change({ date: inHours(72) });
    await press(shown, 'Save');
    await waitFor(() => expect(shown.href()).toBe('/posts/p'));
    expect(shown.edit).toHaveBeenCalledExactlyOnceWith('p', { description: 'Tomorrow' });
    expect(shown.workspace.edits.has('p')).toBe(false);
  });

  test('can post at once', async () => {
    const shown = await show();
    await shown.user.click(await screen.findByRole('radio', { name: 'Now' }));
    await press(shown, 'Save and post now');
    await waitFor(() => expect(shown.edit).toHaveBeenCalledExactlyOnceWith('p', { scheduled: null }));
  });

  test('adds an account', async () => {
    const shown = await show();
    await shown.user.click(await screen.findByRole('checkbox', { name: /Name of emil/ }));
    await press(shown, 'Save');
    await waitFor(() => expect(shown.edit).toHaveBeenCalledExactlyOnceWith('p', { platforms: ['nora', 'emil'] }));
  });

  test('moves the cover', async () => {
    const shown = await show();
    const field = await screen.findByLabelText('Cover (second of the video)');
    await shown.user.clear(field);
    await shown.user.type(field, '2.5');
    await press(shown, 'Save');
    await waitFor(() => expect(shown.edit).toHaveBeenCalledExactlyOnceWith('p', { previewTime: 2.5 }));
  });

  test('without a change sends nothing', async () => {
    const shown = await show();
    await press(shown, 'Save');
    await waitFor(() => expect(shown.href()).toBe('/posts/p'));
    expect(shown.edit).not.toHaveBeenCalled();
  });

  test('needs an account', async () => {
    const shown = await show();
    await shown.user.click(await screen.findByRole('checkbox', { name: /Name of nora/ }));
    expect(screen.getByText('Select at least one account.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  });

  test('offers to discard only what was changed', async () => {
    const shown = await show();
    await screen.findByRole('button', { name: 'Close' });
    await type('Tomorrow');
    await press(shown, 'Discard changes');
    await waitFor(() => expect(shown.href()).toBe('/posts/p'));
    expect(shown.workspace.edits.has('p')).toBe(false);
    expect(shown.edit).not.toHaveBeenCalled();
  });

  test('stays open with the reason when refused', async () => {
    const edit = vi.fn(() => Promise.reject(refusal('not_editable', 'The post has already started.', 409)));
    const shown = await show({ edit });
    await type('Tomorrow');
    await press(shown, 'Save');
    expect(await screen.findByText('The post has already started.')).toBeTruthy();
    expect(await words()).toHaveProperty('value', 'Tomorrow');
    expect(shown.href()).toBe('/posts/p/edit');
  });

  test('continues after the page was left', async () => {
    const first = await show();
    await type('Half a sentence');
    first.unmount();
    await show({ workspace: first.workspace });
    expect(await words()).toHaveProperty('value', 'Half a sentence');
  });

  test('warns when the post begins meanwhile', async () => {
    const { change } = await show();
    await type('Too late');
    change({ scheduled: true, date: inHours(-24) });
    expect(await screen.findByText(/It has begun meanwhile/)).toBeTruthy();
    expect(await words()).toHaveProperty('value', 'Too late');
  });
});

test('a repost keeps its video and accounts', async () => {
  await show({ post: { ...POST, repostOf: 'original' } });
  expect(await screen.findByText('This is a repost. It keeps the video and the accounts of its rule.')).toBeTruthy();
  expect(await screen.findByRole('checkbox', { name: /Name of nora/ })).toHaveProperty('disabled', true);
  expect(screen.queryByRole('checkbox', { name: /Name of emil/ })).toBeNull();
  expect(screen.queryByText('Choose another video')).toBeNull();
});

test('a post that has begun cannot be edited', async () => {
  await show({ post: { ...POST, date: inHours(-24) } });
  expect(screen.getByRole('heading', { name: 'This post can no longer be changed' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open post' }).getAttribute('href')).toBe('/posts/p');
});
