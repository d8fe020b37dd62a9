/** Shows parts of the compose page with a draft, as the page does. The forms are those of the service. */
import type { CaptionCount, Platform, PostForm } from '@reelay/sdk';
import { screen } from '@testing-library/react';
import { type ReactElement, useCallback, useEffect, useState } from 'react';
import { vi } from 'vitest';
import { connectors } from '../../../../packages/server/src/connectors/registry.ts';
import { formFor } from '../../../../packages/server/src/posts/form.ts';
import { type AccountOptions, type Draft, emptyDraft, NO_OPTIONS } from '../../src/drafts/draft.ts';
import { sentOptions } from '../../src/pages/compose/options/chosen-accounts.ts';
import type { CaptionCounts } from '../../src/pages/compose/options/use-caption-counts.ts';
import { type OptionsState, useOptions } from '../../src/pages/compose/options/use-options.ts';
import { listedAccount } from './accounts.ts';
import type { GivenCalls } from './fake-client.ts';
import { type Rendered, render } from './render.tsx';

export type PlatformName = keyof typeof connectors;

/** An account with the id `id`, named "Name of id". */
export function accountOn(platform: PlatformName, id: string, given: Partial<Platform> = {}): Platform {
  return listedAccount(id, { platform, ...given });
}

const choice = (...values: string[]) => values.map((value) => ({ value, label: value }));

/** What a platform offers to an account. On TikTok, it has turned off duets. */
const ACCOUNT_CHOICES: Partial<Record<PlatformName, Parameters<typeof formFor>[1]>> = {
  tiktok: {
    choices: { privacy: 'PUBLIC_TO_EVERYONE' },
    choiceValues: {
      privacy: choice('PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'),
      comment: choice('on'),
      duet: choice('off'),
      stitch: choice('on'),
    },
  },
};

export function formOn(platform: PlatformName): PostForm {
  return formFor(connectors[platform], ACCOUNT_CHOICES[platform] ?? { choices: {}, choiceValues: {} }) as PostForm;
}

export interface ComposeState {
  accounts: readonly Platform[];
  draft: Draft;
  options: OptionsState;
  change(fields: Partial<Draft>): void;
}

interface Given {
  accounts: readonly Platform[];
  /** Default: all accounts are chosen. */
  draft?: Partial<Draft>;
  platforms?: GivenCalls['platforms'];
  posts?: GivenCalls['posts'];
  /** Default: none are stored. */
  accountGroups?: GivenCalls['accountGroups'];
}

export interface ShownCompose extends Rendered {
  /** The current draft. */
  draft(): Draft;
  /** What would be sent for an account now. */
  sentFor(id: string): Record<string, unknown> | undefined;
  /** The accounts that were read from their platform. */
  refresh: ReturnType<typeof vi.fn>;
}

interface ComposeProps extends Pick<Given, 'accounts' | 'draft'> {
  view(state: ComposeState): ReactElement | null;
  onRender(state: ComposeState): void;
}

function Compose({ view, onRender, accounts, draft: given }: ComposeProps) {
  const [draft, setDraft] = useState<Draft>({
    ...emptyDraft('key'),
    accounts: accounts.map(({ id }) => id),
    ...given,
  });
  const change = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  const changeOptions = useCallback(
    (id: string, update: (before: AccountOptions) => AccountOptions) =>
      setDraft((before) => ({
        ...before,
        options: { ...before.options, [id]: update(before.options[id] ?? NO_OPTIONS) },
      })),
    [],
  );
  const options = useOptions(draft, accounts, changeOptions);
  const state = { accounts, draft, options, change };
  useEffect(() => {
    onRender(state);
  });
  return view(state);
}

export function showCompose(
  view: ComposeProps['view'],
  { accounts, draft, platforms, posts, accountGroups }: Given,
): ShownCompose {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const platformOf = (id: string) => (byId.get(id)?.platform ?? 'x') as PlatformName;
  const refresh = vi.fn(async (id: string) => ({ ...byId.get(id), fresh: true }) as never);
  const states: ComposeState[] = [];
  const now = () => {
    const state = states.at(-1);
    if (!state) throw new Error('Nothing is shown yet.');
    return state;
  };
  const rendered = render(
    <Compose
      view={view}
      onRender={(state) => void states.push(state)}
      accounts={accounts}
      {...(draft ? { draft } : {})}
    />,
    {
      platforms: { form: async (id) => formOn(platformOf(id)), refresh, ...platforms },
      posts: posts ?? {},
      accountGroups: accountGroups ?? { list: async () => [] },
    },
  );
  return {
    ...rendered,
    draft: () => now().draft,
    sentFor: (id) => sentOptions(now().options.chosen)[id],
    refresh,
  };
}

export function countOf(id: string, given: Partial<CaptionCount> = {}): CaptionCount {
  return { id, length: 10, limit: 100, problem: null, unit: 'characters', ...given };
}

export function countsOf(...counts: CaptionCount[]): CaptionCounts {
  return { byAccount: new Map(counts.map((count) => [count.id, count])), error: null };
}

/** The options of the open list. Without a layout, the list seems to be detached from its field, and is hidden. */
export function findOptions(): Promise<HTMLElement[]> {
  return screen.findAllByRole('option', { hidden: true });
}

/** Chooses from a list. */
export async function choose(user: Rendered['user'], field: HTMLElement, option: string): Promise<void> {
  await user.click(field);
  const wanted = (await findOptions()).find(({ textContent }) => textContent === option);
  if (!wanted) throw new Error(`The list has no option "${option}".`);
  await user.click(wanted);
}
