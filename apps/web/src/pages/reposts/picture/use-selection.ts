/** Which accounts the picture shows, and the one whose rules are shown. */
import type { Platform } from '@reelay/sdk';
import { useMemo, useState } from 'react';
import { type Arrow, pathsThrough } from './graph.ts';

export function useSelection(all: readonly Platform[], arrows: readonly Arrow[]) {
  const [isFiltered, setIsFiltered] = useState(false);
  const [selected, select] = useState<string | null>(null);
  const accounts = useMemo(() => {
    const used = new Set(arrows.flatMap(({ from, to }) => [from, to]));
    return isFiltered ? all.filter(({ id }) => used.has(id)) : all;
  }, [all, arrows, isFiltered]);
  // The filter may hide it.
  const account = accounts.find(({ id }) => id === selected) ?? null;
  const paths = useMemo(() => (account ? pathsThrough(arrows, account.id) : null), [arrows, account]);
  return {
    accounts,
    isFiltered,
    filter: setIsFiltered,
    /** null: none. */
    account,
    select,
    /** Whether an account leads neither to the selected one nor from it. */
    isAccountBeside: (id: string) => paths?.accounts.has(id) === false,
    /** The same of an arrow. */
    isArrowBeside: (id: string) => paths?.arrows.has(id) === false,
  };
}
