/** The selection of older posts that a rule reposts, with its order and pace. Pure. */
import type { CatalogItem, RuleOptions } from '@reelay/sdk';
import type { ShownOptions } from './options-form.ts';

export interface CatalogSelection {
  /** In the order in which they were selected. */
  items: readonly string[];
  order: 'oldest' | 'newest';
  perDay: number | '';
}

export function selectionOf({ backCatalog }: Pick<ShownOptions, 'backCatalog'>): CatalogSelection {
  return { items: backCatalog?.items ?? [], order: backCatalog?.order ?? 'oldest', perDay: backCatalog?.perDay ?? 1 };
}

/** Selects an item, or removes it from the selection. */
export function toggleItem(selection: CatalogSelection, id: string, isSelected: boolean): CatalogSelection {
  const others = selection.items.filter((each) => each !== id);
  return { ...selection, items: isSelected ? [...others, id] : others };
}

/** Selects all listed posts that can be reposted. */
export function selectAll(selection: CatalogSelection, listed: readonly CatalogItem[]): CatalogSelection {
  const open = listed.filter(isSelectable).map(({ id }) => id);
  return { ...selection, items: [...new Set([...selection.items, ...open])] };
}

export const isSelectable = ({ status }: Pick<CatalogItem, 'status'>) =>
  status === 'available' || status === 'selected';

/** The request body. An empty selection removes the waiting items. */
export function catalogChange({ items, order, perDay }: CatalogSelection): RuleOptions {
  return {
    backCatalog: items.length === 0 ? null : { items: [...items], order, perDay: perDay === '' ? null : perDay },
  };
}

export function isChanged(stored: CatalogSelection, selection: CatalogSelection): boolean {
  const ids = (each: CatalogSelection) => JSON.stringify([...each.items].sort());
  return stored.order !== selection.order || stored.perDay !== selection.perDay || ids(stored) !== ids(selection);
}
