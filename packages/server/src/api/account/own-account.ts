import { z } from 'zod';
import { ownChoices } from '../../accounts/settings/account-settings.ts';
import type { Context } from '../../context.ts';
import { apiError } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import { platform, shownPlatform } from '../platform/platforms.ts';
import { findOwnAccount } from '../platform/store.ts';
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
  })
  .meta({ id: 'Account' });

/** @throws ReelayError `unknown_platform`, also for another user's account */
export async function showAccount(
  context: Pick<Context, 'db' | 'config' | 'connectors' | 'sealer' | 'renderMessage'>,
  userId: string,
  id: string,
): Promise<z.input<typeof ownAccount>> {
  const row = isUuid(id) ? await findOwnAccount(context.db, userId, id) : null;
  if (!row) throw apiError('account_not_found', { id: id.slice(0, 100) });
  const choices = ownChoices(context.connectors[row.platform]?.choices ?? [], row);
  return {
    ...shownPlatform(context, row, await readWarnings(context, userId, id)),
    choices: choices.map(({ values, ...choice }) => ({ ...choice, values: [...values] })),
  };
}
