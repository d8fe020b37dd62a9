/** Groups of accounts that the user selects together. */
import type { ReelayClient } from '@reelay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { accountGroupKeys } from './keys.ts';

/** Where earlier versions kept groups, followed by the id of their user. */
const IN_BROWSER = 'reelay-account-groups-';

export const accountGroupsQuery = (client: ReelayClient, userId: string) =>
  queryOptions({
    queryKey: accountGroupKeys.all,
    async queryFn() {
      const place = IN_BROWSER + userId;
      // What cannot be moved now stays in the browser until the next time.
      if (isStored(place))
        await import('./browser-groups.ts').then(({ moveGroups }) => moveGroups(client, place)).catch(() => {});
      return client.accountGroups.list();
    },
  });

function isStored(place: string): boolean {
  try {
    return localStorage.getItem(place) !== null;
  } catch {
    // The browser's storage is unavailable.
    return false;
  }
}
