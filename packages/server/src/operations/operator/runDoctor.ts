import { z } from 'zod';
import { runDoctor as run } from '../../operator/doctor/doctor.ts';
import { operation } from '../operation.ts';

const finding = z
  .object({
    name: z.string().meta({ description: 'The check, in the language of the response.', examples: ['database'] }),
    verdict: z.enum(['ok', 'note', 'fail']).meta({ description: '`note`: worth knowing, but nothing is broken.' }),
    text: z.string().meta({ description: 'What was found, and what to do.' }),
  })
  .meta({ id: 'DoctorFinding' });

export const runDoctor = operation({
  id: 'runDoctor',
  method: 'POST',
  path: '/operator/doctor',
  tag: 'Operator',
  summary: 'Check the installation',
  description:
    'Runs the checks of `reelay doctor` in this process. They write and delete a test file, and call the platforms that are set up. Takes several seconds. Requires a session of the operator.',
  auth: 'operator-session',
  writes: true,
  response: z.object({ data: z.array(finding) }),
  errors: [],
  async handle({ config, secrets, db, connectors, renderMessage }) {
    const database = config.databaseUrl === null ? ('running' as const) : ('server' as const);
    const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));
    const findings = await run({ config, secrets, db, database, connectors }, { describe });
    return {
      data: findings.map(({ name, verdict, message }) => ({
        name: renderMessage(name),
        verdict,
        text: renderMessage(message),
      })),
    };
  },
});
