import { z } from 'zod';
import { auditPage } from '../../audit/audit-log.ts';
import { id, idText, timestamp } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { next, pageQuery } from './schemas.ts';

const auditEntry = z
  .object({
    id,
    at: timestamp,
    user: z
      .object({ id, email: z.string().nullable().meta({ description: 'null if the user was deleted.' }) })
      .nullable()
      .meta({ description: 'Whose request it was, or who is affected; null for unknown and deleted users.' }),
    actor: z.string().meta({
      description: 'How the request was made: `session`, `key`, `command line` or `visitor`.',
      examples: ['session'],
    }),
    action: z.string().meta({ examples: ['key.generate'] }),
    subject: z.string().meta({ description: 'What was changed: an id or a name, never a secret.' }),
    subjectEmail: z.string().nullable().meta({ description: 'Email address, if the subject is a user.' }),
    address: z.string().nullable().meta({ description: 'IP address of the client, if known.' }),
  })
  .meta({ id: 'AuditEntry' });

export const listAudit = operation({
  id: 'listAudit',
  method: 'GET',
  path: '/operator/audit',
  tag: 'Operator',
  summary: 'Audit log',
  description: 'Who changed what, newest first. Requires a session of the operator.',
  auth: 'operator-session',
  writes: false,
  query: z.object({ ...pageQuery, userId: idText.optional().meta({ description: 'Only entries of this user.' }) }),
  response: z.object({ data: z.array(auditEntry), next }),
  errors: [],
  handle: ({ db }, { query }) => auditPage(db, query),
});
