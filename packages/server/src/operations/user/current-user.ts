/** The signed-in user as responses show it. */
import { z } from 'zod';
import type { PlanName } from '../../config/plan-names.ts';
import type { Context } from '../../context.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { id, timestamp } from '../../http/operation.ts';
import { findKey } from '../../keys/key-store.ts';
import { countStoredVideos } from '../../media/media-store.ts';
import { LIMIT_UNITS } from '../../messages/error-parts.ts';
import { LANGUAGES } from '../../messages/languages.ts';
import { limitUses } from '../../plans/service.ts';
import { findOwnUser } from '../../users/user-store.ts';

export const currentUser = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    plan: z.string().meta({ examples: ['PRO'] }),
    operator: z.boolean().meta({ description: 'Whether you operate this service.' }),
    operatorContact: z.string().nullable().meta({
      description: 'Where you reach the operator: an email address or an https URL; null if it is not given.',
    }),
    zone: z.string().meta({ description: 'IANA time zone in which times are shown.', examples: ['Europe/Berlin'] }),
    late: z.enum(['post', 'skip']).meta({
      description: 'What happens to posts that were due while the service was not running.',
    }),
    language: z.enum(LANGUAGES).nullable().meta({
      description: 'Language of mails, and of the dashboard; null if you have not chosen one: mails are in English.',
    }),
    secondFactor: z.boolean().meta({ description: 'Whether sign-in requires a code of an authenticator app.' }),
    hasApiKey: z.boolean().meta({
      description: 'Whether you have ever created an API key, so that `GET /user/api-key` describes it.',
    }),
    createdAt: timestamp,
    limits: z
      .array(
        z.object({
          name: z.enum(Object.keys(LIMIT_UNITS)),
          value: z.number().int().meta({ description: 'What the plan allows.' }),
          used: z.number().int().meta({ description: 'May exceed `value` after a change to a smaller plan.' }),
          resetsAt: timestamp.nullable().meta({ description: 'When `used` becomes 0; null if it does not.' }),
        }),
      )
      .meta({ description: 'The limits of the plan.' }),
    stored: z
      .object({ videos: z.number().int(), bytes: z.number().int() })
      .meta({ description: 'Videos of yours that the service stores now, without their pictures.' }),
  })
  .meta({ id: 'CurrentUser' });

/** @throws ReelayError `unauthorized` if the user was deleted while the request ran */
export async function showCurrentUser(
  { db, config }: Pick<Context, 'db' | 'config'>,
  userId: string,
): Promise<z.input<typeof currentUser>> {
  const row = await findOwnUser(db, userId);
  if (!row) throw new ReelayError('unauthorized');
  const { email, name, plan, operator, zone, late, language } = row;
  const [limits, stored, key] = await Promise.all([
    limitUses(db, config.plans[plan as PlanName], userId),
    countStoredVideos(db, userId),
    findKey(db, userId),
  ]);
  return {
    id: row.id,
    email,
    name,
    plan,
    operator,
    operatorContact: config.operatorContact,
    zone,
    late,
    language,
    secondFactor: row.two_factor_enabled,
    hasApiKey: key !== undefined,
    createdAt: row.created_at.toISOString(),
    limits: limits.map(({ resetsAt, ...limit }) => ({ ...limit, resetsAt: resetsAt?.toISOString() ?? null })),
    stored,
  };
}
