import { z } from 'zod';
import { findOwnAccount } from '../../accounts/platform-list-store.ts';
import { apiError } from '../../errors/reelay-error.ts';
import { formText } from '../../http/form-text.ts';
import { idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { formFor } from '../../posts/form.ts';
import { operation } from '../operation.ts';

const condition = z.record(z.string(), z.union([z.string(), z.boolean()])).meta({
  id: 'FormCondition',
  description: 'Values of other fields that must all match. An empty field is false, or "" if it is not a switch.',
});

const field = z
  .object({
    name: z.string().meta({ description: 'The name of the option.', examples: ['privacy'] }),
    type: z.enum(['flag', 'text', 'texts', 'choice', 'choices']),
    label: formText,
    hint: formText.optional(),
    ask: z.boolean().meta({ description: 'Must be answered for every post. Nothing may be preselected.' }),
    inRow: z
      .boolean()
      .optional()
      .meta({ description: 'All values are shown beside each other, so that one click answers.' }),
    inverted: z.boolean().meta({ description: 'If the field is on, the option is false.' }),
    always: z.boolean().meta({ description: 'The option is sent even if the field is off.' }),
    pageOnly: z.boolean().meta({ description: 'The field only controls others. It is not an option.' }),
    values: z.array(z.object({ value: z.string(), label: formText })).optional(),
    preset: z
      .string()
      .optional()
      .meta({ description: 'The account’s setting, which applies if the field stays empty.' }),
    maxLength: z.number().int().optional(),
    maxItems: z.number().int().optional(),
    pattern: z.string().optional(),
    unavailable: formText.optional().meta({ description: 'Why this account cannot use the field.' }),
    when: condition.optional().meta({ description: 'The field is shown and sent only then.' }),
    blocked: z
      .array(z.object({ value: z.union([z.string(), z.boolean()]), when: condition, reason: formText }))
      .readonly()
      .optional()
      .meta({ description: 'Values that cannot be selected then.' }),
    notes: z
      .array(z.object({ when: condition, text: formText }))
      .readonly()
      .optional()
      .meta({ description: 'Texts to show below the field then.' }),
    oneOf: z
      .object({ fields: z.array(z.string()).readonly(), reason: formText })
      .optional()
      .meta({ description: 'If the field is on, at least one of these must be on.' }),
  })
  .meta({ id: 'PostFormField' });

const postForm = z
  .object({
    fields: z.array(field),
    declarations: z
      .array(z.object({ text: formText, when: condition.optional() }))
      .readonly()
      .optional()
      .meta({ description: 'What the user declares by posting. Show the last one that applies.' }),
    notice: formText.optional(),
  })
  .meta({ id: 'PostForm' });

export const getPostForm = operation({
  id: 'getPostForm',
  method: 'GET',
  path: '/post-forms/{id}',
  tag: 'Platforms',
  summary: 'The form for an account’s post options',
  description:
    'Describes how to ask a person for the options of a post on this account: labels, allowed values, questions that the platform requires for every post, and declarations.',
  auth: 'caller',
  writes: false,
  params: z.object({ id: idText }),
  response: z.object({ data: postForm }),
  errors: ['unknown_platform'],
  async handle({ db, connectors }, { caller, params: { id } }) {
    const account = isUuid(id) ? await findOwnAccount(db, caller.userId, id) : null;
    if (!account) throw apiError('account_not_found', { id: id.slice(0, 100) });
    return { data: formFor(connectors[account.platform], account) };
  },
});
