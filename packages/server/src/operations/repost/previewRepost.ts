import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { ruleOptions } from '../../reposts/options/rule-options.ts';
import { previewNew } from '../../reposts/preview.ts';
import { operation } from '../operation.ts';
import { preview, previewText } from './schemas.ts';
import { showPreview } from './show-preview.ts';

export const previewRepost = operation({
  id: 'previewRepost',
  method: 'POST',
  path: '/repost/preview',
  tag: 'Reposts',
  summary: 'Preview a new rule',
  description:
    'What a rule would do, without adding it: warnings, the caption on each destination, and a dry run over the latest known items of the source. Changes nothing.',
  auth: 'caller',
  writes: false,
  body: z
    .strictObject({
      from: idText.meta({ description: 'Source account.' }),
      to: z.array(idText).min(1).max(50).meta({ description: 'Destination accounts. Duplicates are ignored.' }),
      options: ruleOptions.optional(),
      ...previewText,
    })
    .meta({ id: 'PreviewRepost' }),
  response: z.object({ data: preview }),
  errors: ['unknown_platform'],
  handle: async (context, { caller, body }) => ({
    data: showPreview(await previewNew(context, caller.userId, body), context),
  }),
});
