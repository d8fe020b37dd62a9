import { z } from 'zod';
import { id, timestamp } from '../../http/operation.ts';
import {
  ALIVE_WITHIN_SECONDS,
  LATE_AFTER_SECONDS,
  MAX_RETRYING,
  readQueues,
  readRate,
  readRetrying,
  readWorkers,
} from '../../operator/queue-store.ts';
import { operation } from '../operation.ts';

const count = z.number().int();

const queueStatus = z
  .object({
    queues: z.array(
      z.object({
        name: z.enum(['posts', 'rules', 'conversions', 'watches', 'files', 'removals']).meta({
          description:
            '`posts`: accounts of posts. `rules`: reposts. `watches`: checks for new posts. `files`: videos fetched from sources. `removals`: files to delete.',
        }),
        due: count,
        late: count.meta({ description: `Due for more than ${LATE_AFTER_SECONDS} seconds.` }),
        oldestSeconds: count.nullable().meta({ description: 'How long the oldest has been due; null if nothing is.' }),
      }),
    ),
    retrying: z.array(z.object({ platform: z.string(), posts: count })).meta({
      description: `Posts to accounts that failed and will be tried again, by platform, most first. At most ${MAX_RETRYING} are counted.`,
    }),
    lastHour: z.object({
      posted: count,
      failed: count,
      intervals: z
        .array(z.object({ at: timestamp, posted: count, failed: count }))
        .meta({ description: 'Five minutes each, oldest first.' }),
    }),
    workers: z
      .array(
        z.object({
          id,
          pid: count,
          startedAt: timestamp,
          heartbeatAt: timestamp,
          heartbeatSeconds: count.meta({ description: 'Seconds since the last heartbeat.' }),
          state: z.enum(['alive', 'silent', 'stopped']).meta({
            description: `\`silent\`: no heartbeat for more than ${ALIVE_WITHIN_SECONDS} seconds.`,
          }),
          accounts: count.meta({ description: 'Accounts that it is posting to.' }),
        }),
      )
      .meta({ description: 'Workers of the last day, at most 100.' }),
    parts: z
      .array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() }))
      .meta({ description: 'Background parts of the process that responds.' }),
  })
  .meta({ id: 'QueueStatus' });

export const getQueues = operation({
  id: 'getQueues',
  method: 'GET',
  path: '/operator/queues',
  tag: 'Operator',
  summary: 'Queues and workers',
  description:
    'What is due, what finished in the last hour, and which workers run. Requires a session of the operator.',
  auth: 'operator-session',
  writes: false,
  response: z.object({ data: queueStatus }),
  errors: [],
  async handle({ db, statuses }) {
    const [queues, retrying, rate, workers] = await Promise.all([
      readQueues(db),
      readRetrying(db),
      readRate(db),
      readWorkers(db),
    ]);
    const sum = (of: 'posted' | 'failed') => rate.reduce((total, row) => total + row[of], 0);
    return {
      data: {
        queues: queues.map(({ oldest, ...queue }) => ({ ...queue, oldestSeconds: oldest })),
        retrying,
        lastHour: {
          posted: sum('posted'),
          failed: sum('failed'),
          intervals: rate.map((row) => ({ ...row, at: row.at.toISOString() })),
        },
        workers: workers.map(({ id, pid, lanes, age, stopped, ...row }) => ({
          id,
          pid,
          startedAt: row.started_at.toISOString(),
          heartbeatAt: row.heartbeat_at.toISOString(),
          heartbeatSeconds: age,
          state: stopped ? ('stopped' as const) : age > ALIVE_WITHIN_SECONDS ? ('silent' as const) : ('alive' as const),
          accounts: lanes,
        })),
        parts: Object.entries(statuses()).map(([name, status]) => ({ name, ...status })),
      },
    };
  },
});
