import { z } from 'zod';
import { binary } from '../../../http/operation.ts';
import { expectsContinue } from '../../../http/receive/expect.ts';
import { operation } from '../../operation.ts';
import { controlOf } from './schemas.ts';

export const postFromPhone = operation({
  id: 'postFromPhone',
  method: 'POST',
  path: '/operator/sandbox/phone',
  tag: 'Sandbox',
  summary: 'Post from the phone',
  description:
    "Posts to a simulated account as its owner would with the platform's own app, without Reelay. The account is created if the platform does not have it. The file must be the last field. Requires a session of the operator.",
  auth: 'operator-session',
  writes: true,
  multipart: z
    .strictObject({
      platform: z.string(),
      username: z.string(),
      caption: z.string().optional(),
      audience: z.enum(['public', 'limited']).optional(),
      video: binary.meta({ description: 'MP4 or QuickTime.' }),
    })
    .meta({ id: 'PostFromPhone' }),
  response: z.object({
    data: z.object({
      platform: z.string(),
      username: z.string(),
      id: z.string().meta({ description: "The platform's id of the post." }),
      url: z.string().optional(),
    }),
  }),
  errors: ['not_found', 'storage_full'],
  async handle(context, { raw, response }) {
    const control = controlOf(context);
    if (expectsContinue(raw)) response.writeContinue();
    const { platform, username, id, url } = await control.phone(raw);
    return { data: { platform, username, id, ...(url === undefined ? {} : { url }) } };
  },
});
