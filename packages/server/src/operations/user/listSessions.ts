import { z } from 'zod';
import { id, timestamp } from '../../http/operation.ts';
import { createDeviceParser } from '../../users/device.ts';
import { listSessions as readSessions } from '../../users/session-store.ts';
import { operation } from '../operation.ts';

const userSession = z
  .object({
    id,
    current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
    device: z
      .object({
        browser: z
          .string()
          .nullable()
          .meta({ examples: ['Chrome'] }),
        system: z
          .string()
          .nullable()
          .meta({ examples: ['Windows'] }),
        type: z.enum(['desktop', 'mobile', 'tablet', 'other']),
      })
      .meta({ description: 'As the client named itself; null if unknown.' }),
    address: z.string().nullable().meta({ description: 'IP address of the sign-in.' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.meta({ description: 'Accurate to one hour.' }),
    expiresAt: timestamp.meta({ description: 'When it ends if it is not used.' }),
  })
  .meta({ id: 'UserSession' });

export const listSessions = operation({
  id: 'listSessions',
  method: 'GET',
  path: '/user/sessions',
  tag: 'User',
  summary: 'Your sessions',
  description: 'Where you are signed in, last used first. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: z.array(userSession) }),
  errors: [],
  async handle({ db }, { caller }) {
    const rows = await readSessions(db, caller.userId);
    const deviceOf = await createDeviceParser();
    const data = rows.map((row) => ({
      id: row.id,
      current: caller.by.kind === 'session' && caller.by.id === row.id,
      device: deviceOf(row.user_agent),
      address: row.ip_address || null,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.updated_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    }));
    return { data };
  },
});
