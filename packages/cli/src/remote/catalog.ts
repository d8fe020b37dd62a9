/** The back catalog of a rule: lists older posts of its source and selects those to repost. */
import type { CatalogItem, Rule } from '@reelay/sdk';
import type { NodeClient } from '@reelay/sdk/node';
import { ERROR, TEXT } from '../messages.ts';
import { json, line, note, table } from '../output.ts';
import { minutes, short } from './columns.ts';

export interface CatalogOptions {
  /** Ids of the posts to select. */
  items: readonly string[];
  all?: boolean;
  interactive?: boolean;
  order?: Order;
  perDay?: number;
  cursor?: string;
  json?: boolean;
}

type Selection = NonNullable<Rule['options']['backCatalog']>;
type Order = Selection['order'];

/** The service accepts no more selected posts. */
const MAX_SELECTED = 1_000;

/** Lists a page of the back catalog, or changes the selection or its pace if an option requests it. */
export async function catalog(client: NodeClient, ruleId: string, options: CatalogOptions): Promise<void> {
  const { items, all = false, interactive = false, order, perDay } = options;
  if ([items.length > 0, all, interactive].filter(Boolean).length > 1) throw new Error(ERROR.oneSelection);
  if (items.length === 0 && !all && !interactive && order === undefined && perDay === undefined)
    return listPage(client, ruleId, options);
  const rule = (await client.rules.list()).find((each) => each.id === ruleId);
  if (!rule) throw new Error(ERROR.ruleNotFound(ruleId));
  const before = rule.options.backCatalog;
  const selected = interactive
    ? await selectInteractively(client, rule, options.cursor)
    : all
      ? await selectAll(client, ruleId)
      : items.length > 0
        ? items
        : before?.items;
  if (!selected) throw new Error(ERROR.nothingSelected);
  const backCatalog = {
    items: [...selected],
    order: order ?? before?.order ?? 'oldest',
    perDay: perDay ?? before?.perDay ?? 1,
  };
  const edited = await client.rules.edit(ruleId, { backCatalog });
  if (options.json) return json(edited);
  line(TEXT.catalogSelected(backCatalog.items.length, backCatalog.perDay, backCatalog.order));
}

async function listPage(client: NodeClient, ruleId: string, { cursor, json: isJson }: CatalogOptions): Promise<void> {
  const { data, next } = await client.rules.catalog(ruleId, cursor === undefined ? {} : { cursor });
  if (isJson) return json({ data, next });
  const rows = data.map((item) => [
    item.id,
    minutes(item.publishedAt),
    item.status,
    short(item.caption),
    item.text ?? '',
  ]);
  for (const row of table(['ITEM', 'PUBLISHED (UTC)', 'STATUS', 'CAPTION', 'WHY'], rows)) line(row);
  if (next) note(TEXT.nextPage(next));
}

const isSelectable = ({ status }: CatalogItem) => status === 'available' || status === 'selected';

/** Reads every page. Posts that wait for their turn stay selected. */
async function selectAll(client: NodeClient, ruleId: string): Promise<string[]> {
  const selected = new Set<string>();
  const seen = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<NodeClient['rules']['catalog']>> = await client.rules.catalog(
      ruleId,
      cursor === '' ? {} : { cursor },
    );
    // A platform may return the same page forever.
    const isRepeated = page.data.length > 0 && page.data.every(({ id }) => seen.has(id));
    for (const item of page.data) {
      seen.add(item.id);
      if (isSelectable(item)) selected.add(item.id);
    }
    cursor = isRepeated || selected.size > MAX_SELECTED ? null : page.next;
  }
  if (selected.size === 0) throw new Error(ERROR.catalogEmpty);
  if (selected.size > MAX_SELECTED) note(TEXT.catalogCut(MAX_SELECTED));
  return [...selected].slice(0, MAX_SELECTED);
}

/** Selects posts of one page. The selection on other pages stays. */
async function selectInteractively(client: NodeClient, rule: Rule, cursor: string | undefined): Promise<string[]> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Error(ERROR.noTerminal);
  const { data, next } = await client.rules.catalog(rule.id, cursor === undefined ? {} : { cursor });
  if (!data.some(isSelectable)) throw new Error(ERROR.catalogEmpty);
  const { choose } = await import('./choose.ts');
  const chosen = await choose(data.map(choiceOf));
  if (next) note(TEXT.nextPage(next));
  const onPage = new Set(data.map(({ id }) => id));
  const elsewhere = (rule.options.backCatalog?.items ?? []).filter((id) => !onPage.has(id));
  return [...elsewhere, ...chosen];
}

function choiceOf(item: CatalogItem) {
  const { id, publishedAt, caption, status, text } = item;
  return {
    value: id,
    name: `${minutes(publishedAt)}  ${short(caption)}`,
    checked: status === 'selected',
    disabled: !isSelectable(item) && (text ?? status),
  };
}
