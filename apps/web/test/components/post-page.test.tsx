/** The page of a post: its outcome in words, and what can be done with it. */
import { type Post, type PostResult, ReelayApiError } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Draft } from '../../src/drafts/draft.ts';
import { WorkspaceProvider } from '../../src/drafts/use-upload.tsx';
import type { Live } from '../../src/live/live.ts';
import { LiveProvider } from '../../src/live/use-live.ts';
import { PostPage } from '../../src/pages/posts/post-page.tsx';
import { postKeys } from '../../src/queries/keys.ts';
import { type GivenCalls, refusal } from './fake-client.ts';
import { pageAt } from './page-route.tsx';
import { failed, postOf, resultOf } from './posts.ts';
import { render } from './render.tsx';
import { workspaceWith } from './workspaces.ts';

const LIVE: Live = {
  start: () => () => {},
  state: () => 'open',
  onState: () => () => {},
  onEvent: () => () => {},
};

interface Given {
  posts?: GivenCalls['posts'];
  drafts?: GivenCalls['drafts'];
  /** The present one. */
  draft?: Partial<Draft>;
}

async function show(post: Post, { posts, drafts = {}, draft = {} }: Given = {}) {
  const workspace = workspaceWith({ draft });
  const page = pageAt({ Page: PostPage, path: '/posts/$id', address: '/posts/p', isSignedIn: true });
  const rendered = render(
    <LiveProvider value={LIVE}>
      <WorkspaceProvider value={workspace}>{page.element}</WorkspaceProvider>
    </LiveProvider>,
    {
      posts: { get: async () => post, ...posts },
      drafts,
      platforms: { list: async () => [] },
      user: { current: async () => ({ operator: false }) as never },
    },
  );
  const heading = await screen.findByRole('heading', { level: 1 });
  return { ...rendered, heading: heading.textContent, href: page.href, drafts: workspace.drafts };
}

/** The buttons that act on the whole post. */
const actions = () =>
  ['Edit', 'Post again as a copy', 'Cancel post', 'Delete'].filter(
    (name) => screen.queryByRole('button', { name }) ?? screen.queryByRole('link', { name }),
  );

const TROUBLE = { code: 'platform_unavailable', text: 'It was busy.', since: '2026-08-01T09:30:00.000Z', attempts: 1 };
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const waiting = (id: string) => resultOf(id, { status: 'PENDING' });
const SCHEDULED = postOf([waiting('nora')], { scheduled: true, date: inHours(48) });

describe('the outcome', () => {
  test.each<[string, string, PostResult[]]>([
    ['Posted', '2 of 2 posted', [resultOf('nora'), resultOf('emil')]],
    ['Posted to 1 of 2', '1 of 2 posted, 1 failed', [resultOf('nora'), failed('emil', 'platform_error')]],
    ['Not posted', '0 of 1 posted, 1 failed', [failed('nora', 'platform_error')]],
    [
      'Outcome unknown',
      '0 of 2 posted, 1 failed, 1 with an unknown outcome',
      [failed('nora', 'outcome_unknown'), failed('emil', 'platform_error')],
    ],
    ['Posting …', '1 of 2 posted', [resultOf('nora'), waiting('emil')]],
    [
      'Posting … 1 account is being retried',
      '1 of 3 posted, 1 being retried',
      [resultOf('nora'), waiting('emil'), resultOf('mia', { status: 'PENDING', trouble: TROUBLE })],
    ],
  ])('has the text "%s"', async (title, counts, result) => {
    const { heading } = await show(postOf(result));
    expect(heading).toBe(title);
    expect(screen.getByText(counts)).toBeTruthy();
    expect(screen.getAllByRole('article')).toHaveLength(result.length);
  });

  test('mentions that the post was deleted meanwhile', async () => {
    const gone = new ReelayApiError('Gone', { status: 404, code: 'unknown_post' });
    let isDeleted = false;
    const { queries } = await show(postOf([resultOf('nora')]), {
      posts: {
        get: async () => {
          if (isDeleted) throw gone;
          return postOf([resultOf('nora')]);
        },
      },
    });
    isDeleted = true;
    void queries.invalidateQueries({ queryKey: postKeys.one('p') });
    expect(await screen.findByText('This post was deleted')).toBeTruthy();
  });
});

describe('the actions', () => {
  test.each<[string, Post, string[]]>([
    ['a scheduled post', SCHEDULED, ['Edit', 'Post again as a copy', 'Cancel post']],
    ['a post in progress', postOf([waiting('nora')]), ['Post again as a copy']],
    ['a finished post', postOf([resultOf('nora')]), ['Post again as a copy', 'Delete']],
    [
      'a scheduled post whose time has come',
      { ...SCHEDULED, date: inHours(-1), result: [resultOf('nora')] },
      ['Post again as a copy', 'Delete'],
    ],
  ])('fit %s', async (_, post, expected) => {
    await show(post);
    expect(actions()).toEqual(expected);
  });

  test('cancel a post after a confirmation', async () => {
    const cancel = vi.fn(async () => undefined as never);
    const { user, href } = await show(SCHEDULED, { posts: { cancel } });
    await user.click(screen.getByRole('button', { name: 'Cancel post' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this post?' });
    expect(cancel).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(href()).toBe('/posts'));
    expect(cancel.mock.calls).toEqual([['p']]);
  });

  test('keep a post that can no longer be canceled', async () => {
    const cancel = vi.fn(() => Promise.reject(refusal('not_editable', 'It has already started.', 409)));
    const { user, href } = await show(SCHEDULED, { posts: { cancel } });
    await user.click(screen.getByRole('button', { name: 'Cancel post' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await within(dialog).findByText('It has already started.')).toBeTruthy();
    expect(href()).toBe('/posts/p');
  });

  test.each([
    [1, /The published post stays online/],
    [2, /The 2 published posts stay online/],
  ])('say before a deletion that %s published stay online', async (count, text) => {
    const { user } = await show(postOf([resultOf('nora'), resultOf('emil')].slice(0, count)));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete this post from Reelay?' });
    expect(within(dialog).getByText(text)).toBeTruthy();
  });

  const copyVideo = async () => ({ uploadId: 'upload', bytes: 5 }) as never;

  test('copy a post into an empty draft', async () => {
    const { user, href, drafts } = await show(postOf([resultOf('nora')]), { posts: { copyVideo } });
    await user.click(screen.getByRole('button', { name: 'Post again as a copy' }));
    await waitFor(() => expect(href()).toBe('/'));
    expect(drafts.get()).toMatchObject({ description: 'Hello', accounts: ['nora'], upload: { id: 'upload' } });
  });

  const whole = { previewTime: 0, fit: null, cropPosition: 0.5, trimStart: null, trimEnd: null };
  const stored = { ...whole, options: {}, video: null, changedAt: inHours(0) };

  test('move a scheduled post to the drafts', async () => {
    const moveFromPost = vi.fn(async (_: string, { draftId: id }: { draftId: string }) => ({
      ...{ ...stored, id, version: 1, description: 'Hello', platforms: ['nora'], scheduled: 5 },
    }));
    const { user, href, drafts } = await show(SCHEDULED, { drafts: { moveFromPost } });
    await user.click(screen.getByRole('button', { name: 'Cancel post' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this post?' });
    await user.click(within(dialog).getByRole('button', { name: 'Move to drafts' }));
    await waitFor(() => expect(href()).toBe('/'));
    const [id, { draftId } = { draftId: '' }] = moveFromPost.mock.calls[0] ?? [];
    expect([id, drafts.get()]).toMatchObject(['p', { key: draftId, description: 'Hello', at: 5 }]);
  });

  test('keep a post that cannot be moved', async () => {
    const moveFromPost = vi.fn(() => Promise.reject(refusal('too_many_drafts', 'There are 100.', 403)));
    const { user, href } = await show(SCHEDULED, { drafts: { moveFromPost } });
    await user.click(screen.getByRole('button', { name: 'Cancel post' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Move to drafts' }));
    expect(await within(dialog).findByText('There are 100.')).toBeTruthy();
    expect(href()).toBe('/posts/p');
  });

  test('save the draft before a copy replaces it', async () => {
    const save = vi.fn(async () => ({ version: 1 }) as never);
    const { user, href, drafts } = await show(postOf([resultOf('nora')]), {
      ...{ posts: { copyVideo }, draft: { description: 'Mine' }, drafts: { save } },
    });
    const { key } = drafts.get();
    await user.click(screen.getByRole('button', { name: 'Post again as a copy' }));
    await waitFor(() => expect(href()).toBe('/'));
    expect(save.mock.calls).toMatchObject([[key, { version: 0, description: 'Mine' }]]);
    expect(drafts.get()).toMatchObject({ description: 'Hello', saved: null });
    expect(drafts.get().key).not.toBe(key);
  });

  test('keep a draft that cannot be saved', async () => {
    const save = vi.fn(() => Promise.reject(refusal('too_many_drafts', 'There are 100.', 403)));
    const { user, href, drafts } = await show(postOf([resultOf('nora')]), {
      ...{ posts: { copyVideo }, draft: { description: 'Mine' }, drafts: { save } },
    });
    await user.click(screen.getByRole('button', { name: 'Post again as a copy' }));
    expect(await screen.findByText('There are 100.')).toBeTruthy();
    expect(href()).toBe('/posts/p');
    expect(drafts.get().description).toBe('Mine');
  });

  test('ask before a copy ends an upload', async () => {
    const pending = { id: 'u', name: 'clip.mp4', bytes: 9, lastModified: 1, sent: 3, owner: 'tab' };
    const save = vi.fn(async () => ({ version: 1 }) as never);
    const { user, href, drafts } = await show(postOf([resultOf('nora')]), {
      ...{ posts: { copyVideo }, draft: { description: 'Mine', pending }, drafts: { save } },
    });
    await user.click(screen.getByRole('button', { name: 'Post again as a copy' }));
    const dialog = await screen.findByRole('dialog', { name: 'End the upload?' });
    expect(drafts.get().description).toBe('Mine');
    await user.click(within(dialog).getByRole('button', { name: 'End upload and copy' }));
    await waitFor(() => expect(href()).toBe('/'));
    expect(drafts.get()).toMatchObject({ description: 'Hello', pending: null });
  });

  test('warn before copying a post that is in progress', async () => {
    const post = postOf([resultOf('nora'), waiting('emil')]);
    const { user, href, drafts } = await show(post, { posts: { copyVideo } });
    await user.click(screen.getByRole('button', { name: 'Post again as a copy' }));
    const dialog = await screen.findByRole('dialog', { name: 'This post is still in progress' });
    expect(within(dialog).getByText(/^1 account is still being tried\./)).toBeTruthy();
    expect(drafts.get().description).toBe('');
    await user.click(within(dialog).getByRole('button', { name: 'Make a copy' }));
    await waitFor(() => expect(href()).toBe('/'));
    expect(drafts.get().description).toBe('Hello');
  });

  test('copy a post without its video if that is gone', async () => {
    const { user, href, drafts } = await show(postOf([resultOf('nora')]), {
      posts: { copyVideo: () => Promise.reject(refusal('video_gone', 'Gone', 410)) },
    });
    await user.click(screen.getByRole('button', { name: 'Post again as a copy' }));
    await waitFor(() => expect(href()).toBe('/'));
    expect(drafts.get()).toMatchObject({ description: 'Hello', upload: null });
  });
});
