/** Options of the chosen accounts: their forms from the service, and changes of the draft. */
import type { Platform, PostForm } from '@reelay/sdk';
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { AccountOptions, Draft, OptionValue, OptionValues } from '../../../drafts/draft.ts';
import { currentAccountQuery, postFormQuery } from '../../../queries/accounts.ts';
import { useClient } from '../../../queries/client.ts';
import { accountKeys } from '../../../queries/keys.ts';
import { type ChosenAccount, chosenAccounts } from './chosen-accounts.ts';

export interface OptionsState {
  /** In the order of the draft. */
  chosen: ChosenAccount[];
  forms: ReadonlyMap<string, PostForm>;
  /** Why a form could not be read. */
  error: Error | null;
  retry(): void;
  /** @param value undefined empties the field */
  setValue(id: string, name: string, value: OptionValue | undefined): void;
  setValues(id: string, values: OptionValues): void;
  /** @param caption null: the description */
  setCaption(id: string, caption: string | null): void;
  /** Removes the caption and all values of an account. */
  reset(id: string): void;
}

type Change = (id: string, update: (before: AccountOptions) => AccountOptions) => void;

/** @param draft with the accounts that exist */
export function useOptions(draft: Draft, accounts: readonly Platform[], change: Change): OptionsState {
  const client = useClient();
  const queries = useQueryClient();
  const { results, error } = useQueries({
    queries: draft.accounts.map((id) => postFormQuery(client, id)),
    combine,
  });
  const forms = new Map(draft.accounts.flatMap((id, at) => (results[at] ? [[id, results[at]] as const] : [])));
  const asking = draft.accounts.filter((id) => forms.get(id)?.fields.some(({ ask }) => ask));
  useQueries({ queries: asking.map((id) => currentAccountQuery(client, queries, id)), combine: nothing });
  const setValues = useCallback(
    (id: string, values: OptionValues) => change(id, (before) => ({ ...before, values })),
    [change],
  );
  const setValue = useCallback(
    (id: string, name: string, value: OptionValue | undefined) =>
      change(id, (before) => {
        const { [name]: _, ...others } = before.values;
        return { ...before, values: value === undefined ? others : { ...others, [name]: value } };
      }),
    [change],
  );
  const setCaption = useCallback(
    (id: string, caption: string | null) => change(id, (before) => ({ ...before, caption })),
    [change],
  );
  const reset = useCallback((id: string) => change(id, () => ({ caption: null, values: {} })), [change]);
  const retry = () => void queries.refetchQueries({ queryKey: accountKeys.all, predicate: isFailedForm });
  return {
    chosen: chosenAccounts(draft, accounts, forms),
    forms,
    error,
    retry,
    setValue,
    setValues,
    setCaption,
    reset,
  };
}

function combine(results: UseQueryResult<PostForm, Error>[]) {
  return {
    results: results.map(({ data }) => data),
    error: results.find(({ data, error }) => error && !data)?.error ?? null,
  };
}

const nothing = () => null;

const isFailedForm = ({ queryKey, state }: { queryKey: readonly unknown[]; state: { status: string } }) =>
  queryKey[2] === accountKeys.form('')[2] && state.status === 'error';
