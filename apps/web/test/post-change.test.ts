/** What a change of a post sends: only what the user changed. */
import type { Post, PostForm } from '@reelay/sdk';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../../packages/server/src/connectors/registry.ts';
import { formFor } from '../../../packages/server/src/posts/form.ts';
import type { Draft } from '../src/drafts/draft.ts';
import { valuesOf } from '../src/drafts/option-values.ts';
import { changedAccounts, openedDraft, postChange } from '../src/pages/compose/edit/post-change.ts';
import { chosenAccounts } from '../src/pages/compose/options/chosen-accounts.ts';
import { listedAccount } from './components/accounts.ts';
import { postOf, resultOf, targetOf } from './components/posts.ts';

const formOf = (platform: 'mastodon' | 'youtube' | 'x') =>
  formFor(connectors[platform], { choices: {}, choiceValues: {} }) as PostForm;
const FORMS = new Map<string, PostForm>([
  ['nora', formOf('mastodon')],
  ['emil', formOf('youtube')],
  ['ana', formOf('x')],
]);
const ACCOUNTS = [...FORMS.keys()].map((id) => listedAccount(id));
const DATE = '2030-05-01T10:00:00.000Z';

/** Nora has options, one of which no form has; Emil has a caption of his own. */
const POST = postOf([resultOf('nora', { status: 'PENDING' }), resultOf('emil', { status: 'PENDING' })], {
  description: 'Hello',
  scheduled: true,
  date: DATE,
  previewTime: 1.5,
  targets: [
    targetOf('nora', { status: 'PENDING', options: { visibility: 'unlisted', secret: 7 } as never }),
    targetOf('emil', { status: 'PENDING', caption: 'Mine' }),
  ],
});

function open(post: Post = POST) {
  const values = post.targets.map(({ platformId: id, options = {} }) => {
    const form = FORMS.get(id);
    return [id, form ? valuesOf(form, options) : {}] as const;
  });
  return openedDraft(post, new Map(values), 'key');
}

function changeOf(fields: Partial<Draft>, { post = POST, forms = FORMS } = {}) {
  const opened = open(post);
  const draft = { ...opened, ...fields };
  const chosen = chosenAccounts(draft, ACCOUNTS, forms);
  return {
    change: postChange({ post, opened, draft, chosen }),
    accounts: changedAccounts({ opened, chosen }).map(({ account }) => account.id),
  };
}

const OPENED = open();
const UPLOAD = { id: 'u', name: 'a.mp4', bytes: 1, lastModified: null };

describe('a change', () => {
  test('of nothing is empty', () => {
    expect(changeOf({})).toEqual({ change: {}, accounts: [] });
  });

  test.each<[string, Partial<Draft>, object]>([
    ['the description', { description: 'Hi' }, { description: 'Hi' }],
    ['the time', { at: 5 }, { scheduled: 5 }],
    ['the time to now', { at: null }, { scheduled: null }],
    ['the cover', { previewTime: 2 }, { previewTime: 2 }],
    ['the accounts', { accounts: ['emil'] }, { platforms: ['emil'] }],
    ['the video', { upload: UPLOAD, previewTime: 0 }, { uploadId: 'u', previewTime: 0 }],
    ['the video with its fit', { upload: UPLOAD, fit: 'crop' }, { uploadId: 'u', previewTime: 1.5, fit: 'crop' }],
  ])('of %s names nothing else', (_, fields, change) => {
    expect(changeOf(fields).change).toEqual(change);
  });

  test('keeps the order of accounts that are chosen again', () => {
    expect(changeOf({ accounts: ['emil', 'nora'] }).change).toEqual({});
  });

  test('of one caption keeps the options of all accounts', () => {
    const { emil, ...others } = OPENED.options;
    const options = { ...others, emil: { caption: 'Yours', values: emil?.values ?? {} } };
    expect(changeOf({ options })).toEqual({
      change: {
        options: { nora: { visibility: 'unlisted', secret: 7 }, emil: expect.objectContaining({ caption: 'Yours' }) },
      },
      accounts: ['emil'],
    });
  });

  test('of one option keeps those that the form lacks', () => {
    const options = { ...OPENED.options, nora: { caption: null, values: { visibility: 'private' } } };
    expect(changeOf({ options }).change).toMatchObject({
      options: { nora: { visibility: 'private', secret: 7 }, emil: { caption: 'Mine' } },
    });
  });

  test('to the text of the post removes a caption', () => {
    const { change } = changeOf({ options: { ...OPENED.options, emil: { caption: null, values: {} } } });
    expect(change.options?.emil ?? {}).not.toHaveProperty('caption');
    expect(change.options?.nora).toEqual({ visibility: 'unlisted', secret: 7 });
  });

  test('that adds an account without options names only accounts', () => {
    expect(changeOf({ accounts: ['nora', 'emil', 'ana'] })).toEqual({
      change: { platforms: ['nora', 'emil', 'ana'] },
      accounts: ['ana'],
    });
  });

  test('that adds an account with options names all of them', () => {
    const options = { ...OPENED.options, ana: { caption: 'On X', values: {} } };
    expect(changeOf({ accounts: ['nora', 'ana'], options }).change).toEqual({
      platforms: ['nora', 'ana'],
      options: { nora: { visibility: 'unlisted', secret: 7 }, ana: { caption: 'On X' } },
    });
  });

  test('keeps options whose form cannot be read', () => {
    const forms = new Map([...FORMS].filter(([id]) => id !== 'nora'));
    const options = { ...OPENED.options, emil: { caption: 'Yours', values: {} } };
    expect(changeOf({ options }, { forms }).change.options).toMatchObject({
      nora: { visibility: 'unlisted', secret: 7 },
    });
  });
});

test('accounts that failed already are not chosen', () => {
  const result = [resultOf('nora', { status: 'PENDING' }), resultOf('emil', { status: 'FAILED' })];
  expect(open({ ...POST, result }).accounts).toEqual(['nora']);
});
