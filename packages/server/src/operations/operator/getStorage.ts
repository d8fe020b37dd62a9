import { z } from 'zod';
import { readDatabaseBytes, readStored } from '../../operator/storage-store.ts';
import { operation } from '../operation.ts';

const bytes = z.number().int();

const storageStatus = z
  .object({
    stored: z.array(
      z.object({
        kind: z.enum(['videos', 'renditions', 'uploads', 'sandbox', 'database']),
        files: z.number().int().nullable(),
        bytes,
        maxBytes: bytes
          .nullable()
          .meta({ description: 'Above it, nothing further is accepted; null without a limit.' }),
      }),
    ),
    freeBytes: bytes.nullable().meta({ description: 'Free space of the storage; null without a practical limit.' }),
    minFreeBytes: bytes.meta({ description: 'With less free space, no video is accepted.' }),
    retentionDays: z.number().int().meta({ description: 'Days after which videos of finished posts are deleted.' }),
  })
  .meta({ id: 'StorageStatus' });

export const getStorage = operation({
  id: 'getStorage',
  method: 'GET',
  path: '/operator/storage',
  tag: 'Operator',
  summary: 'Storage',
  description: 'What is stored, how much space is free, and the limits. Requires a session of the operator.',
  auth: 'operator-session',
  writes: false,
  response: z.object({ data: storageStatus }),
  errors: ['storage_unavailable'],
  async handle({ db, storage, sandbox, config }) {
    const [stored, database, simulated, free] = await Promise.all([
      readStored(db),
      readDatabaseBytes(db),
      sandbox?.control.usedBytes(),
      storage.free(),
    ]);
    const unlimited = { maxBytes: null };
    return {
      data: {
        stored: [
          ...stored.map((row) => ({ ...row, ...unlimited })),
          ...(sandbox && simulated !== undefined
            ? [{ kind: 'sandbox' as const, files: null, bytes: simulated, maxBytes: sandbox.control.maxBytes }]
            : []),
          { kind: 'database' as const, files: null, bytes: database, ...unlimited },
        ],
        freeBytes: free,
        minFreeBytes: config.leastFreeBytes,
        retentionDays: config.mediaRetentionDays,
      },
    };
  },
});
