/** Targets as the database has them, and how they are named on platforms. */
import type * as Model from './reference/facts.ts';

export interface TargetState {
  id: string;
  post: string;
  rule: string | null;
  isRepost: boolean;
  account: string;
  sha: string;
  state: string;
  code: string | null;
  unproven: boolean;
  begunAt: Date | null;
  settledAt: Date | null;
  createdAt: Date;
  queuedAt: Date;
  remoteId: string | null;
  url: string | null;
}

/** Mastodon's simulator shortens mentions of its own accounts up to the port, which real servers do not have. */
export const withoutPorts = (text: string) => text.replace(/(@h\d+p\d+)(:\d+)/g, '$1@127.0.0.1$2');

/** Whether another post explains an appearance. */
export const isElsewhere = ({ by }: Model.Appearance) => by.kind === 'hand' || by.kind === 'share';

/** Whether a platform shows this name for a user: some add their host. */
export function isUser(shown: string, username: string): boolean {
  const name = username.replace(/^in\//, '');
  return [name, username].includes(shown) || [`${name}@`, `${name}.`].some((start) => shown.startsWith(start));
}

/** Of an id that is a URN, a URL or a path. */
const lastPart = (id: string) => id.split(/[/:]/).at(-1);

/** Whether two ids name one post: some platforms add a path or a prefix. */
export const isSameId = (a: string, b: string) => a === b || lastPart(a) === lastPart(b);

/** How a send ended. */
export function outcomeOf({ state, code, unproven, settledAt }: TargetState): Model.Outcome {
  const at = settledAt?.getTime() ?? 0;
  if (state === 'posted') return { kind: 'public', at };
  if (state !== 'failed') return { kind: 'pending' };
  return unproven || code === 'outcome_unknown' ? { kind: 'unknown', at } : { kind: 'rejected', at, code: code ?? '' };
}
