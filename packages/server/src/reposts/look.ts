/** What must be read before content is reposted: the destinations may show it already. Pure. */
import type { ShownOn, Sought } from '../watching/shown-on-destination.ts';
import type { Destination, FiringRow } from './firing-store.ts';

export interface Look {
  kind: 'look';
  accounts: ShownOn[];
  sought: Sought;
}

/** @param content.at when it was published, in ms since the epoch @param content.caption the text of the repost */
export function lookAt(
  row: Pick<FiringRow, 'user_id' | 'is_catalog'>,
  open: readonly Destination[],
  { text, at, caption }: { text: string; at: number; caption: string },
): Look {
  const accounts = open
    .filter(({ status }) => status === 'CONNECTED')
    .map((each) => ({ ...each, userId: row.user_id }));
  return { kind: 'look', accounts, sought: { texts: [text, caption], at: row.is_catalog ? null : at } };
}
