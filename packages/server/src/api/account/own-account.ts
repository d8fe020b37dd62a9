import { z } from 'zod';
import { ownChoices } from '../../accounts/settings/account-settings.ts';
import type { Context } from '../../context.ts';
import { apiError } from '../../errors.ts';
import { timestamp } from '../../http/operation.ts';
import { isUuid } from '../../ids.ts';
import { platform, shownPlatform } from '../platform/platforms.ts';
import { countLost, findOwnAccount } from '../platform/store.ts';
import { readWarnings } from '../platform/warnings.ts';

const text = z.string();

/** An account as its owner sees it. */
export const ownAccount = platform
  .extend({
    choices: z
      .array(
        z.object({
          name: text.meta({ examples: ['board'] }),
          label: text.meta({ description: 'The name of the setting for people.' }),
          required: z.boolean().meta({ description: 'Whether it must be set before posting.' }),
          value: text.nullable().meta({ description: 'null if not set.' }),
          values: z.array(z.object({ value: text, label: text })).meta({
            description: 'The values that this account allows. Read when it is connected, and daily.',
          }),
        }),
      )
      .meta({ description: 'Settings that the owner chooses.' }),
    postsLeft: z
      .object({
        limit: z.number().int().meta({ description: 'Posts per day. The operator’s users may share it.' }),
        left: z.number().int(),
        freeAt: timestamp.nullable().meta({ description: 'When posts are possible again; null while some are left.' }),
      })
      .nullable()
      .meta({ description: 'Posts that the platform still accepts today; null without such a limit.' }),
    disconnecting: z
      .object({
        posts: z.number().int().meta({ description: 'Scheduled posts that would fail on this account.' }),
        rules: z.number().int().meta({ description: 'Rules that would be deleted.' }),
        changedRules: z.number().int().meta({ description: 'Rules that would lose one of their destinations.' }),
      })
      .meta({ description: 'What would be lost if the account was disconnected now.' }),
  })
  .meta({ id: 'Account' });

/** @throws ReelayError `unknown_platform`, also for another user's account */
export async function showAccount(
  context: Pick<Context, 'db' | 'config' | 'connectors' | 'sealer' | 'renderMessage' | 'postsLeft'>,
  userId: string,
  id: string,
): Promise<z.input<typeof ownAccount>> {
  const row = isUuid(id) ? await findOwnAccount(context.db, userId, id) : null;
  if (!row) throw apiError('account_not_found', { id: id.slice(0, 100) });
  const connector = context.connectors[row.platform];
  const holder = { accountId: row.id, identityId: row.identityId, service: row.service };
  const [left, disconnecting] = await Promise.all([
    connector ? context.postsLeft(connector, holder) : null,
    countLost(context.db, row.id),
  ]);
  const choices = ownChoices(connector?.choices ?? [], row);
  return {
    ...shownPlatform(context, row, await readWarnings(context, userId, id)),
    choices: choices.map(({ values, ...choice }) => ({ ...choice, values: [...values] })),
    postsLeft: left && { ...left, freeAt: left.freeAt?.toISOString() ?? null },
    disconnecting,
  };
}
