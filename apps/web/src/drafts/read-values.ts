/** Reads the options of a post as the input of forms. */
import type { Post, ReelayClient } from '@reelay/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { postFormQuery } from '../queries/accounts.ts';
import type { OptionValues } from './draft.ts';
import { valuesOf } from './option-values.ts';

/** @returns the input by account id; empty for an account whose form cannot be read */
export async function readValues(
  client: ReelayClient,
  queries: QueryClient,
  { targets }: Pick<Post, 'targets'>,
): Promise<Map<string, OptionValues>> {
  const read = async ({ platformId: id, options = {} }: Post['targets'][number]): Promise<[string, OptionValues]> => {
    const form = await queries.fetchQuery(postFormQuery(client, id)).catch(() => null);
    return [id, form ? valuesOf(form, options) : {}];
  };
  return new Map(await Promise.all(targets.filter(({ options }) => options).map(read)));
}
