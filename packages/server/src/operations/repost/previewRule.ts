import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { ruleOptions } from '../../reposts/options/rule-options.ts';
import { previewExisting } from '../../reposts/preview.ts';
import { operation } from '../operation.ts';
import { preview, previewText } from './schemas.ts';
import { showPreview } from './show-preview.ts';

export const previewRule = operation({
  id: 'previewRule',
  method: 'POST',
  path: '/repost/{id}/preview',
  tag: 'Reposts',
  summary: 'Preview a rule',
  description:
    'A dry run of the rule over the last 20 known items of its source, as if they were posted now. `options` are merged with those of the rule, to try changes. Changes nothing.',
  auth: 'caller',
  writes: false,
  params: z.object({ id: idText }),
  body: z
    .strictObject({ options: ruleOptions.optional(), ...previewText })
    .meta({ id: 'PreviewRule' })
    .optional(),
  response: z.object({ data: preview }),
  errors: ['unknown_rule'],
  handle: async (context, { caller, params, body }) => ({
    data: showPreview(await previewExisting(context, caller.userId, params.id, body ?? {}), context),
  }),
});
