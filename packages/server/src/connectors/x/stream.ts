/**
 * The stream of the X Activity API (docs.x.com), which announces posts within a second. It needs the application's own
 * token. Accounts are selected by subscriptions, and X charges for each event. X repeats nothing after a lost connection.
 */
import { SECOND } from '../../lib/time.ts';
import { parseJson } from '../../outbound/json.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { Json, SharedStream, StreamContext } from '../contract.ts';
import { at, listAt, textAt } from '../kit/json.ts';
import { readPages } from '../kit/pages.ts';
import { ask, type Caller, isId, isSuccess } from './api.ts';
import { failureOf } from './classify.ts';

const EVENT = 'post.create';
/** Marks our subscriptions. Others of the application are left alone. */
const TAG = 'reelay';
/** The simulator's. */
const SANDBOX_TOKEN = 'sandbox-bearer-token';
const PATH = '/2/activity/subscriptions';
/** With up to 1,000 subscriptions each. */
const MAX_PAGES = 10;
/** Refusals that are about the application, not about one account. */
const GENERAL_STATUSES = [401, 402, 429];
/** After this number of refused accounts, the application is probably refused. */
const MAX_REFUSED = 5;

export const stream = {
  kind: 'shared',
  // Of a self-serve application.
  maxAccounts: 1_500,
  // X documents no delay of timelines. Posts were seen to appear after some seconds.
  lagMs: 10 * SECOND,
  open(context) {
    const token = tokenOf(context);
    const headers = { authorization: `Bearer ${token}` };
    return token ? { url: `${context.endpoints.api}/2/activity/stream`, headers, format: 'lines' } : null;
  },
  async subscribe(context, remoteIds) {
    const caller: Caller = { ...context, secret: { accessToken: tokenOf(context) } };
    const known = await readSubscriptions(caller);
    const selected = new Set<string>();
    const failures: Failure[] = [];
    for (const { id, userId, isOurs } of known) {
      if (isOurs && (selected.has(userId) || !remoteIds.includes(userId)))
        failures.push(...(await change(caller, 'DELETE', `${PATH}/${id}`)));
      else selected.add(userId);
    }
    let refused = 0;
    for (const userId of remoteIds.filter((id) => !selected.has(id))) {
      const json = { event_type: EVENT, filter: { user_id: userId }, tag: TAG };
      const [failure] = await change(caller, 'POST', PATH, json);
      if (!failure) selected.add(userId);
      else {
        failures.push(failure);
        const { status = 0 } = failure;
        if (GENERAL_STATUSES.includes(status) || status >= 500 || ++refused >= MAX_REFUSED) break;
      }
    }
    const [failure] = failures;
    if (failure && !remoteIds.some((id) => selected.has(id))) throw new PlatformError(failure);
    return failure?.detail ?? null;
  },
  refusal: (response, now) => failureOf(response, now, 'other'),
  announces({ data }) {
    const event = eventIn(data);
    const userId = textAt(event, 'filter', 'user_id');
    return textAt(event, 'event_type') === EVENT && isId(userId) ? userId : null;
  },
  // Also events of other subscriptions of the application, and repeated ones.
  chargedReads: ({ data }) => (textAt(eventIn(data), 'event_type') === '' ? 0 : 1),
} satisfies SharedStream;

/** The application's own token ("app-only"); "" if the operator wants no announcements. */
function tokenOf({ settings, sandbox }: StreamContext): string {
  return sandbox ? SANDBOX_TOKEN : (settings.bearerToken ?? '');
}

interface Subscription {
  id: string;
  userId: string;
  isOurs: boolean;
}

/** Lists the subscriptions to new posts, those of others first. @throws PlatformError */
async function readSubscriptions(caller: Caller): Promise<Subscription[]> {
  const { items } = await readPages(MAX_PAGES, async (cursor) => {
    const response = await ask(
      caller,
      'GET',
      cursor ? `${PATH}?${new URLSearchParams({ pagination_token: cursor })}` : PATH,
    );
    const body = response.tryJson();
    if (!isSuccess(response) || (at(body, 'data') === undefined && at(body, 'meta') === undefined))
      throw new PlatformError(failureOf(response, caller.now(), 'other'));
    return { items: listAt(body, 'data').flatMap(readSubscription), next: textAt(body, 'meta', 'next_token') };
  });
  return items.sort((a, b) => Number(a.isOurs) - Number(b.isOurs));
}

function readSubscription(item: unknown): Subscription[] {
  const [id, userId] = [textAt(item, 'subscription_id'), textAt(item, 'filter', 'user_id')];
  if (textAt(item, 'event_type') !== EVENT || !isId(id) || !isId(userId)) return [];
  return [{ id, userId, isOurs: textAt(item, 'tag') === TAG }];
}

/** Creates or deletes a subscription. It may exist already, or no longer. @returns why it failed; empty if it did not */
async function change(caller: Caller, method: 'POST' | 'DELETE', path: string, json?: Json): Promise<Failure[]> {
  const response = await ask(caller, method, path, json === undefined ? {} : { json });
  const isDone = isSuccess(response) && at(response.tryJson(), 'data') !== undefined;
  if (isDone || (method === 'DELETE' && response.status === 404)) return [];
  const isDuplicate = response.status === 409 || /duplicate|already (?:exists|subscribed)/i.test(response.text);
  return method === 'POST' && isDuplicate ? [] : [failureOf(response, caller.now(), 'other')];
}

function eventIn(data: string): Json {
  try {
    return (at(parseJson(data), 'data') ?? null) as Json;
  } catch {
    return null;
  }
}
