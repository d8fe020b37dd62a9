/** Which accounts the picture shows, the one whose rules are shown, and the paths that are highlighted. */
import type { Platform } from '@reelay/sdk';
import { useMemo, useState } from 'react';
import { type Arrow, pathsThrough } from './graph.ts';

export function useSelection(all: readonly Platform[], arrows: readonly Arrow[]) {
  const [isFiltered, setIsFiltered] = useState(false);
  const [selected, select] = useState<string | null>(null);
  const [hovered, hover] = useState<string | null>(null);
  const accounts = useMemo(() => {
    const used = new Set(arrows.flatMap(({ from, to }) => [from, to]));
    return isFiltered ? all.filter(({ id }) => used.has(id)) : all;
  }, [all, arrows, isFiltered]);
  // The filter may hide it.
  const account = accounts.find(({ id }) => id === selected) ?? null;
  const paths = useMemo(() => pathsOf(arrows, hovered, account?.id ?? null), [arrows, hovered, account]);
  return {
    accounts,
    isFiltered,
    filter: setIsFiltered,
    /** null: none. */
    account,
    select,
    /** @param id the account under the pointer; null: none */
    hover,
    /** Whether an account leads neither to the highlighted one nor from it. */
    isAccountBeside: (id: string) => paths?.accounts.has(id) === false,
    /** The same of an arrow. */
    isArrowBeside: (id: string) => paths?.arrows.has(id) === false,
  };
}

/** The paths of the account under the pointer, if it has any, else those of the selected one; null: nothing is highlighted. */
function pathsOf(arrows: readonly Arrow[], hovered: string | null, selected: string | null) {
  const under = hovered === null ? null : pathsThrough(arrows, hovered);
  if (under && under.arrows.size > 0) return under;
  return selected === null ? null : pathsThrough(arrows, selected);
}
