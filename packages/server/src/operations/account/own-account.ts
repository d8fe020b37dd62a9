import { z } from 'zod';
import { countLost, findOwnAccount, type OwnAccountRow } from '../../accounts/platform-list-store.ts';
import { type OwnChoice, ownChoices } from '../../accounts/settings/account-settings.ts';
import { accessOf } from '../../accounts/tokens/token-lifetime.ts';
import type { Connector, SettingText } from '../../connectors/contract.ts';
import type { Context } from '../../context.ts';
import { apiError } from '../../errors/reelay-error.ts';
import { formText } from '../../http/form-text.ts';
import { timestamp } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { platform, shownPlatform } from '../platform/platforms.ts';
import { readWarnings } from '../platform/warnings.ts';

const text = z.string();

/** An account as its owner sees it. */
export const ownAccount = platform
  .extend({
    choices: z
      .array(
        z.object({
          name: text.meta({ examples: ['board'] }),
          label: text.meta({ description: 'What the setting decides, as part of a sentence.' }),
          title: formText.nullable().meta({ description: 'The label of its field; null: use `label`.' }),
          required: z.boolean().meta({ description: 'Whether it must be set before posting.' }),
          value: text.nullable().meta({ description: 'null if not set.' }),
          values: z
            .array(
              z.object({
                value: text,
                label: text,
                title: formText.nullable().meta({ description: 'By language; null: use `label`.' }),
              }),
            )
            .meta({ description: 'The values that this account allows. Read when it is connected, and daily.' }),
        }),
      )
      .meta({ description: 'Settings that the owner chooses.' }),
    access: z
      .object({
        endsAt: timestamp.nullable().meta({ description: 'null: it does not end, or this is unknown.' }),
        renewed: z.boolean().meta({
          description: 'Whether Reelay renews it before. If not, the owner must reconnect the account before then.',
        }),
      })
      .nullable()
      .meta({ description: 'The access to the platform; null if it has ended.' }),
    checkedAt: timestamp.nullable().meta({
      description: 'When the account was last read from its platform, which happens daily.',
    }),
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
    choices: choices.map((choice) => withTitles(choice, connector?.form?.settings?.[choice.name])),
    access: accessText(connector, row),
    checkedAt: row.checkedAt?.toISOString() ?? null,
    postsLeft: left && { ...left, freeAt: left.freeAt?.toISOString() ?? null },
    disconnecting,
  };
}

function withTitles({ values, ...choice }: OwnChoice, texts: SettingText | undefined) {
  const titleOf = (value: string) => texts?.values?.[value] ?? null;
  return {
    ...choice,
    title: texts?.label ?? null,
    values: values.map((each) => ({ ...each, title: titleOf(each.value) })),
  };
}

function accessText(connector: Connector | undefined, { status, kind, ...ends }: OwnAccountRow) {
  if (status !== 'CONNECTED' || !kind) return null;
  const { endsAt, renewed } = accessOf(connector, { kind, ...ends });
  return { endsAt: endsAt?.toISOString() ?? null, renewed };
}
