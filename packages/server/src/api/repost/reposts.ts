import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { mediaAddress } from '../../http/addresses.ts';
import { id, operation, timestamp } from '../../http/operation.ts';
import { listRules, type RuleAccount } from '../../reposts/store.ts';

const account = z
  .object({
    id,
    platform: z.string(),
    usernameImage: z.string(),
    username: z.string(),
    status: z.string().meta({ description: 'As in the list of accounts.' }),
    displayName: z.string(),
  })
  .meta({ id: 'RepostAccount' });

const rule = z
  .object({
    id,
    from: account,
    to: z.array(account),
    date: timestamp.meta({ description: 'When the rule was added.' }),
    isPaused: z.boolean(),
  })
  .meta({ id: 'Repost' });

export const reposts = operation({
  id: 'reposts',
  method: 'GET',
  path: '/reposts',
  tag: 'Reposts',
  summary: 'List repost rules',
  description: 'Lists your rules, newest first.',
  auth: 'caller',
  writes: false,
  answer: z.object({ data: z.array(rule) }),
  errors: [],
  handle: async ({ db, config }, { caller }) => {
    const rows = await listRules(db, caller.userId);
    const data = rows.map((row) => ({
      id: row.id,
      from: describe(config, row.source),
      to: row.destinations.map((each) => describe(config, each)),
      date: row.created_at.toISOString(),
      isPaused: row.is_paused,
    }));
    return { data };
  },
});

function describe(config: Config, row: RuleAccount): z.input<typeof account> {
  return {
    id: row.id,
    platform: row.platform,
    usernameImage: mediaAddress(config, row.avatar),
    username: row.username,
    status: row.status,
    displayName: row.display_name,
  };
}
