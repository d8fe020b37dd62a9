import type { CaptionCount } from '@reelay/sdk';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Draft } from '../../src/drafts/draft.ts';
import { CaptionCounts } from '../../src/pages/compose/options/caption-counts.tsx';
import { type CaptionCounts as Counts, useCaptionCounts } from '../../src/pages/compose/options/use-caption-counts.ts';
import { accountOn, type ComposeState, countOf, countsOf, showCompose } from './compose-harness.tsx';
import { refusal } from './fake-client.ts';

const facebook = accountOn('facebook', 'anna');
const x = accountOn('x', 'berta');
const mastodon = accountOn('mastodon', 'carla');
const accounts = [facebook, x, mastodon];

const show = (counts: Counts, onOptions = (_: string) => {}) =>
  showCompose(({ options }) => <CaptionCounts chosen={options.chosen} counts={counts} onOptions={onOptions} />, {
    accounts,
  });

const namesOf = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);
const findCounters = () => screen.findAllByRole('button', { name: /\// });

function Counted({ state: { options, draft } }: { state: ComposeState }) {
  const { accounts: platforms, description } = draft;
  const counts = useCaptionCounts({ platforms, description, options: { berta: { caption: 'Own' } } });
  return (
    <>
      <CaptionCounts chosen={options.chosen} counts={counts} onOptions={() => {}} />
      {counts.error && <p role="alert">{counts.error.message}</p>}
    </>
  );
}

describe('counters of captions', () => {
  test('are a list with one entry per account', async () => {
    show(
      countsOf(
        countOf('anna', { length: 1_234, limit: 63_206 }),
        countOf('berta', { length: 5, limit: 280, unit: 'bytes' }),
        countOf('carla', { length: 0, limit: 500 }),
      ),
    );
    expect(namesOf(await findCounters())).toEqual([
      'Name of anna (Facebook)1,234/63,206characters',
      'Name of berta (X)5/280bytes',
      'Name of carla (Mastodon)0/500characters',
    ]);
    expect(screen.getByRole('list', { name: 'Length of the captions' }).children).toHaveLength(3);
  });

  test('are not shown before the service has counted', () => {
    show(countsOf());
    expect(screen.queryByRole('list')).toBeNull();
  });

  test('leave out accounts that are not chosen', async () => {
    show(countsOf(countOf('berta'), countOf('nobody')));
    expect(namesOf(await findCounters())).toEqual(['Name of berta (X)10/100characters']);
  });

  test('begin with what needs attention', async () => {
    show(
      countsOf(
        countOf('anna', { length: 89 }),
        countOf('berta', { length: 90 }),
        countOf('carla', { length: 101, problem: 'Too long for Mastodon.' }),
      ),
    );
    const counters = await findCounters();
    expect(counters.map((counter) => [counter.title, counter.dataset.level])).toEqual([
      ['Name of carla (Mastodon)', 'rejected'],
      ['Name of berta (X)', 'near'],
      ['Name of anna (Facebook)', 'fits'],
    ]);
  });

  test.each([
    ['the reason of the platform', 'Too long for Mastodon.', 'Name of carla (Mastodon): Too long for Mastodon.'],
    ['a text of its own', null, 'Name of carla (Mastodon): The caption is too long.'],
  ])('say that a caption is too long with %s', async (_, problem, text) => {
    show(countsOf(countOf('anna'), countOf('carla', { length: 101, problem })));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText(/^Name of anna.*: /)).toBeNull();
  });

  test('open the options of their account', async () => {
    const onOptions = vi.fn();
    const { user } = show(countsOf(countOf('anna'), countOf('berta')), onOptions);
    await user.click(await screen.findByRole('button', { name: /^Name of berta/ }));
    expect(onOptions.mock.calls).toEqual([['berta']]);
  });
});

describe('counting', () => {
  type CountCaptions = NonNullable<NonNullable<Parameters<typeof showCompose>[1]['posts']>['countCaptions']>;

  function count(draft: Partial<Draft>, countCaptions: CountCaptions, counted = accounts) {
    return showCompose(
      (state) => (
        <>
          <Counted state={state} />
          <button type="button" onClick={() => state.change({ description: 'Longer' })}>
            Change
          </button>
        </>
      ),
      { accounts: counted, draft, posts: { countCaptions } },
    );
  }

  const lengthsOf = ({ platforms, description = '' }: Parameters<CountCaptions>[0]): CaptionCount[] =>
    platforms.map((id) => countOf(id, { length: description.length }));

  test('sends the description and the captions of the accounts', async () => {
    const countCaptions = vi.fn<CountCaptions>(async (post) => lengthsOf(post));
    count({ description: 'First' }, countCaptions);
    await findCounters();
    const ids = ['anna', 'berta', 'carla'];
    const post = { platforms: ids, description: 'First', options: { berta: { caption: 'Own' } } };
    expect(countCaptions.mock.calls.map(([sent]) => sent)).toEqual([post]);
  });

  test('does not begin without accounts', async () => {
    const countCaptions = vi.fn<CountCaptions>();
    count({ accounts: [] }, countCaptions);
    await screen.findByRole('button', { name: 'Change' });
    expect(countCaptions).not.toHaveBeenCalled();
  });

  test('is split between requests of at most 50 accounts', async () => {
    const many = Array.from({ length: 51 }, (_, at) => accountOn('x', `account-${at}`));
    const countCaptions = vi.fn<CountCaptions>(async (post) => lengthsOf(post));
    count({}, countCaptions, many);
    await waitFor(async () => expect(await findCounters()).toHaveLength(51));
    expect(countCaptions.mock.calls.map(([{ platforms }]) => platforms.length)).toEqual([50, 1]);
  });

  test('keeps the last counts until there are new ones', async () => {
    const second = Promise.withResolvers<void>();
    const { user } = count({ description: 'First' }, async (post) => {
      if (post.description === 'Longer') await second.promise;
      return lengthsOf(post);
    });
    await findCounters();
    await user.click(screen.getByRole('button', { name: 'Change' }));
    expect(namesOf(await findCounters())).toContain('Name of berta (X)5/100characters');
    second.resolve();
    await waitFor(async () => expect(namesOf(await findCounters())).toContain('Name of berta (X)6/100characters'));
  });

  test('reports an error', async () => {
    count({}, () => Promise.reject(refusal('busy', 'Try later.', 500)));
    expect((await screen.findByRole('alert')).textContent).toBe('Try later.');
  });
});
