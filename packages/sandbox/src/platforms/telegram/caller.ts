/** Resolves the bot and the method of a call; both are in the path. */
import type { Route, SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { Refused } from '../../refused.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { type Bot, mostBytes, switchesOf } from './records.ts';
import { NOT_FOUND, refusal, UNAUTHORIZED } from './responses.ts';

export interface Call {
  bot: Bot;
  token: string;
  given: Parameters;
}

export type Method = (options: SimulatorOptions, call: Call) => Promise<SimulatorResponse>;

/** Returns the bot of a path segment `bot…`. @throws Refused */
export async function botOf(options: SimulatorOptions, part: string): Promise<{ bot: Bot; token: string }> {
  const token = /^bot(.+)$/.exec(part)?.[1];
  if (token === undefined) throw new Refused(NOT_FOUND);
  if (!/^\d+:[\w-]+$/.test(token)) throw new Refused(refusal(401, 'Unauthorized: invalid token specified'));
  const bot = await options.store.get<Bot>('bot', token);
  if (!bot?.live) throw new Refused(UNAUTHORIZED);
  return { bot, token };
}

/** Creates the routes of all methods, for GET and POST, with case-insensitive names. */
export function methodRoutes(options: SimulatorOptions, methods: Readonly<Record<string, Method>>): Route[] {
  const byName = new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
  const handle: Route['handle'] = async (request) => {
    const { bot, token } = await botOf(options, request.params.bot ?? '');
    const method = byName.get((request.params.method ?? '').toLowerCase());
    if (!method) throw new Refused(refusal(404, 'Not Found: method not found'));
    const given = await readParameters(request, options.blobs, mostBytes(await switchesOf(options)));
    return method(options, { bot, token, given });
  };
  return (['GET', 'POST'] as const).map((verb) => ({ method: verb, path: '/:bot/:method', handle }));
}
