import { z } from 'zod';
import { id } from '../../http/operation.ts';
import { fieldProblem, issueOf } from '../../messages/fields.ts';
import { pickAccounts } from '../../posts/accounts.ts';
import { countCaptions as countAll } from '../../posts/caption-count.ts';
import { refuseLongDescription } from '../../posts/description.ts';
import type { SentOptions } from '../../posts/options.ts';
import { findAccounts } from '../../posts/post-store.ts';
import { operation } from '../operation.ts';

/** Accounts of one post. */
const MAX_ACCOUNTS = 50;

/** Maximum length of the accounts' own captions together, in UTF-16 units. */
const MAX_OWN_CAPTIONS = 200_000;

function captionsIn(options: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string[] {
  return Object.values(options).flatMap(({ caption }) => (typeof caption === 'string' ? [caption] : []));
}

export const countCaptions = operation({
  id: 'countCaptions',
  method: 'POST',
  path: '/dashboard/captions',
  tag: 'Dashboard',
  summary: 'Length of a caption on each account',
  description:
    'Counts a description, or the caption of an account’s own, as each platform counts it. Needs no video. Stores nothing. Requires a session.',
  auth: 'session',
  writes: true,
  body: z
    .strictObject({
      platforms: z.array(id).max(MAX_ACCOUNTS),
      description: z.string(),
      options: z
        .record(z.string(), z.record(z.string(), z.unknown()))
        .superRefine((options, context) => {
          const problem = fieldProblem('too_long', { limit: MAX_OWN_CAPTIONS });
          if (captionsIn(options).reduce((sum, { length }) => sum + length, 0) > MAX_OWN_CAPTIONS)
            context.addIssue({ code: 'custom', message: issueOf(problem) });
        })
        .optional()
        .meta({ description: 'As in POST /post.' }),
    })
    .meta({ id: 'CountCaptions' }),
  response: z.object({
    data: z.array(
      z
        .object({
          id,
          length: z.number().int(),
          limit: z.number().int(),
          unit: z.enum(['characters', 'bytes']),
          problem: z.string().nullable().meta({ description: 'Why the platform rejects the caption.' }),
        })
        .meta({ id: 'CaptionCount' }),
    ),
  }),
  errors: ['unknown_platform'],
  async handle({ db, connectors, renderMessage }, { caller, body: { platforms, description, options } }) {
    for (const text of [description, ...captionsIn(options ?? {})]) refuseLongDescription(text);
    const wanted = { ids: [...new Set(platforms)], description, options: options as SentOptions | undefined };
    const accounts = pickAccounts(await findAccounts(db, caller.userId, wanted.ids), wanted);
    const counts = countAll(accounts, wanted, connectors);
    return { data: counts.map((each) => ({ ...each, problem: each.problem && renderMessage(each.problem) })) };
  },
});
