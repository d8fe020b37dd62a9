/** The user's drafts on the service. */
import type { ReelayClient } from '@reelay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { draftKeys } from './keys.ts';

export const draftsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: draftKeys.all, queryFn: () => client.drafts.list() });
