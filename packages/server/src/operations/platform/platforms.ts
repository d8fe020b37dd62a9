import { z } from 'zod';
import { listPlatforms, type PlatformRow } from '../../accounts/platform-list-store.ts';
import { accessEnd } from '../../accounts/tokens/token-lifetime.ts';
import { LOST_KEY, opensSecret } from '../../accounts/tokens/token-secret.ts';
import type { Context } from '../../context.ts';
import { mediaAddress } from '../../http/addresses.ts';
import { id, timestamp } from '../../http/operation.ts';
import type { Sealer } from '../../lib/encryption/seal.ts';
import { operation } from '../operation.ts';
import { type AccountWarnings, readWarnings, renewalWarnings } from './warnings.ts';

export const platform = z
  .object({
    id,
    _id: id.meta({ description: 'The same as `id`.' }),
    platform: z.string().meta({ description: 'The platform.', examples: ['tiktok'] }),
    displayName: z.string(),
    username: z.string(),
    usernameImage: z.string().meta({ description: 'URL of the stored copy of the profile picture, or "".' }),
    status: z.enum(['CONNECTED', 'EXPIRED', 'REVOKED']).meta({
      description: 'EXPIRED: reconnect the account. REVOKED: the access was revoked at the platform.',
    }),
    sandbox: z.boolean().meta({ description: 'A simulated account.' }),
    detail: z.string().optional().meta({
      description: 'Why a connected account cannot post, if this is known without a request to the platform.',
    }),
    warnings: z
      .array(
        z.object({
          code: z.string().meta({ description: 'Stable. New codes may be added.' }),
          text: z.string(),
          since: timestamp.optional(),
        }),
      )
      .meta({
        description:
          'What is wrong while posts to the account still work: rules do not see its new posts, or its access cannot be renewed (`access_not_renewed`).',
      }),
    accessEndsAt: timestamp.optional().meta({
      description:
        'When the access ends, if it cannot be refreshed indefinitely. Its owner must reconnect before then.',
    }),
  })
  .meta({ id: 'Platform' });

export const platforms = operation({
  id: 'platforms',
  method: 'GET',
  path: '/platform/platforms',
  tag: 'Platforms',
  summary: 'List connected platforms',
  description: 'Lists your connected accounts in the order in which they were connected.',
  auth: 'caller',
  writes: false,
  response: z.object({ data: z.array(platform) }),
  errors: [],
  async handle(context, { caller }) {
    const rows = await listPlatforms(context.db, caller.userId);
    const warnings = await readWarnings(context, caller.userId);
    return { data: rows.map((row) => shownPlatform(context, row, warnings)) };
  },
});

/** An account as the list shows it. */
export function shownPlatform(
  { config, connectors, sealer, renderMessage }: Pick<Context, 'config' | 'connectors' | 'sealer' | 'renderMessage'>,
  row: PlatformRow,
  warnings: AccountWarnings,
): z.input<typeof platform> {
  return {
    id: row.id,
    _id: row.id,
    platform: row.platform,
    displayName: row.display_name,
    username: row.username,
    usernameImage: mediaAddress(config, row.avatar),
    status: row.status,
    sandbox: row.sandbox,
    warnings: [...renewalWarnings(row, renderMessage), ...(warnings.get(row.id) ?? [])],
    ...(hasLostKey(sealer, row) ? { detail: renderMessage(LOST_KEY.detail) } : {}),
    ...endOf(connectors, row),
  };
}

function hasLostKey(sealer: Sealer, { grantId, sealed }: PlatformRow): boolean {
  return grantId !== null && sealed !== null && !opensSecret(sealer, { id: grantId, sealed });
}

function endOf(connectors: Context['connectors'], { platform, kind, ...ends }: PlatformRow): { accessEndsAt?: string } {
  const end = kind && accessEnd(connectors[platform], { kind, ...ends });
  return end ? { accessEndsAt: end.toISOString() } : {};
}
