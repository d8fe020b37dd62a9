import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { streamResponse } from '../../http/operation.ts';
import { listRuleIds } from '../../reposts/rule-store.ts';
import { operation } from '../operation.ts';
import { rule } from './schemas.ts';
import { showRules } from './show.ts';

/** Rules per statement. */
const BATCH = 5;

export const reposts = operation({
  id: 'reposts',
  method: 'GET',
  path: '/reposts',
  tag: 'Reposts',
  summary: 'List repost rules',
  description: 'Lists your rules, newest first.',
  auth: 'caller',
  writes: false,
  response: z.object({ data: z.array(rule) }),
  errors: [],
  async handle(context, { caller }) {
    const ids = await listRuleIds(context.db, caller.userId);
    const first = await showRules(context, caller.userId, ids.slice(0, BATCH));
    if (ids.length <= BATCH) return { data: first };
    const rest = Readable.from(listText(context, caller.userId, { first, others: ids.slice(BATCH) }));
    return streamResponse({ stream: rest, type: 'application/json; charset=utf-8' });
  },
});

/** Writes rules as they are read: together, many with all their options and accounts are megabytes. */
async function* listText(
  context: Context,
  userId: string,
  { first, others }: { first: readonly unknown[]; others: readonly string[] },
): AsyncGenerator<string> {
  let separator = '{"success":true,"data":[';
  const write = (each: unknown) => {
    const piece = separator + JSON.stringify(each);
    separator = ',';
    return piece;
  };
  for (const each of first) yield write(each);
  for (let at = 0; at < others.length; at += BATCH)
    for (const each of await showRules(context, userId, others.slice(at, at + BATCH))) yield write(each);
  yield separator === ',' ? ']}' : `${separator}]}`;
}
