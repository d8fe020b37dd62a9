import { z } from 'zod';
import { timestamp } from '../../../http/operation.ts';
import { operation } from '../../operation.ts';
import { next, pageQuery } from '../schemas.ts';
import { controlOf } from './schemas.ts';

const sandboxPost = z
  .object({
    key: z.string().meta({ description: 'Unique in the list. A platform can show one id twice.' }),
    platform: z.string(),
    id: z.string().meta({ description: "The platform's id of the post." }),
    username: z.string(),
    text: z.string(),
    url: z.string(),
    video: z.string().meta({ description: 'Path of the video that the platform received. Supports ranges.' }),
    publishedAt: timestamp,
    bytes: z.number().int(),
    sha256: z.string().meta({ description: 'Hexadecimal.' }),
  })
  .meta({ id: 'SandboxPost' });

export const listSandboxPosts = operation({
  id: 'listSandboxPosts',
  method: 'GET',
  path: '/operator/sandbox/posts',
  tag: 'Sandbox',
  summary: 'Posts on the simulated platforms',
  description: 'What the simulated platforms show, newest first. Requires a session of the operator.',
  auth: 'operator-session',
  writes: false,
  query: z.object({
    ...pageQuery,
    platform: z.string().optional(),
    username: z.string().optional().meta({ description: 'An account of `platform`; ignored without one.' }),
  }),
  response: z.object({ data: z.array(sandboxPost), next }),
  errors: ['not_found'],
  handle: async (context, { query }) => controlOf(context).posts(query),
});
