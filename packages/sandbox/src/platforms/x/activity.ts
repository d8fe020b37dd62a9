/**
 * The X Activity API: subscriptions to the posts of users, and the stream that delivers them (docs.x.com, "X Activity
 * API" and "Handling disconnections"; OpenAPI document 2.168).
 */
import { z } from 'zod';
import type { Route, SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { Handler } from '../../http/routes.ts';
import type { JsonObject } from '../../json.ts';
import { Refused, responseOf } from '../../refused.ts';
import { ownedBy } from '../../store/records.ts';
import { type ActivityStreams, createActivityStreams } from './activity-streams.ts';
import { presenter } from './fields.ts';
import { blank, invalid, problem } from './problems.ts';
import { numberOf, readBody, rejectUnknown } from './query.ts';
import { type Account, newId, type Post, switchesOf, type Token, type XSwitches } from './records.ts';

/** The application's own token ("app-only"), as the developer console shows it. */
export const APP_TOKEN = 'sandbox-bearer-token';

/** Kind `subscription`, keyed by id, owned by {@link OWNER}. */
export interface Subscription {
  id: string;
  eventType: string;
  userId: string;
  tag?: string;
  createdAt: number;
}

export interface Activity {
  routes(options: SimulatorOptions): Route[];
  /** Announces a new post or version to the open streams. Posts of protected accounts are not announced. */
  announce(options: SimulatorOptions, post: Post): Promise<void>;
}

const KIND = 'subscription';
const OWNER = 'application';
/** Of a self-serve application. */
const MAX_SUBSCRIPTIONS = 1_500;
const MAX_STREAMS = 2;
/** Public events, for which the application's own token suffices. Others need the user's. */
const EVENTS = ['post.create', 'post.delete', 'profile.update.bio', 'spaces.start'];

const CREATE = z.strictObject({
  event_type: z.enum(EVENTS),
  filter: z.strictObject({ user_id: z.string().regex(/^[0-9]{1,19}$/) }),
  tag: z.string().min(1).max(200).optional(),
  webhook_id: z
    .string()
    .regex(/^[0-9]{1,19}$/)
    .optional(),
});

export function createActivity(): Activity {
  const streams = createActivityStreams();
  return {
    routes: (options) => {
      const route = (method: Route['method'], path: string, handler: AppHandler): Route => ({
        method,
        path,
        handle: (request) => asApplication(handler)(options, request),
      });
      return [
        route('GET', '/2/activity/subscriptions', list),
        route('POST', '/2/activity/subscriptions', create),
        route('DELETE', '/2/activity/subscriptions/:id', remove),
        route('GET', '/2/activity/stream', (_options, request, switches) => open(streams, request, switches)),
      ];
    },
    announce: (options, post) => announce(streams, options, post),
  };
}

type AppHandler = (
  options: SimulatorOptions,
  request: SimulatorRequest,
  switches: XSwitches,
) => Promise<SimulatorResponse>;

/** Wraps a handler that requires the application's own token. */
function asApplication(handler: AppHandler): Handler {
  return async (options, request) => {
    const token = bearerToken(request);
    if (token !== APP_TOKEN) {
      const isUser = (await options.store.get<Token>('access', token)) !== undefined;
      return isUser ? USER_REFUSED : blank(401);
    }
    const switches = await switchesOf(options);
    if (switches.activity === 'no-access') return NO_ACCESS;
    if (switches.activity === 'rate-limited') return blank(429);
    return handler(options, request, switches).catch(responseOf);
  };
}

const USER_REFUSED = problem(
  403,
  'unsupported-authentication',
  'Unsupported Authentication',
  'Authenticating with OAuth 2.0 User Context is forbidden for this endpoint. Supported authentication types are [OAuth 2.0 Application-Only].',
);
const NO_ACCESS = problem(
  403,
  'client-forbidden',
  'Client Forbidden',
  'When authenticating requests to the X API v2 endpoints, you must use keys and tokens from an App with the appropriate level of access.',
  { reason: 'client-not-enrolled', required_enrollment: 'Appropriate Level of API Access' },
);

const all = (options: SimulatorOptions) => ownedBy<Subscription>(options, KIND, OWNER);

const present = ({ id, eventType, userId, tag, createdAt }: Subscription): JsonObject => ({
  subscription_id: id,
  event_type: eventType,
  filter: { user_id: userId },
  ...(tag === undefined ? {} : { tag }),
  created_at: new Date(createdAt).toISOString(),
  updated_at: new Date(createdAt).toISOString(),
});

const list: AppHandler = async (options, { query }) => {
  rejectUnknown(query, ['max_results', 'pagination_token']);
  const max = numberOf(query, 'max_results', [1, 1_000], 1_000);
  const before = query.get('pagination_token');
  const known = (await all(options)).sort((a, b) => (BigInt(a.id) > BigInt(b.id) ? -1 : 1));
  const rest = known.filter(({ id }) => before === null || BigInt(id) < BigInt(before));
  const shown = rest.slice(0, max);
  const next: JsonObject = rest.length > max ? { next_token: shown.at(-1)?.id ?? '' } : {};
  return { status: 200, body: { data: shown.map(present), meta: { result_count: shown.length, ...next } } };
};

const create: AppHandler = async (options, request, { maxSubscriptions = MAX_SUBSCRIPTIONS }) => {
  const { event_type: eventType, filter, tag } = await readBody(request, CREATE);
  const known = await all(options);
  if (known.some((each) => each.eventType === eventType && each.userId === filter.user_id)) throw DUPLICATE;
  if (known.length >= maxSubscriptions) throw LIMIT;
  if (!(await options.store.get<Account>('account', filter.user_id)))
    throw new Refused(invalid('The user of the filter does not exist.', { 'filter.user_id': [filter.user_id] }));
  const createdAt = options.now();
  const subscription: Subscription = {
    id: newId(options, createdAt),
    eventType,
    userId: filter.user_id,
    createdAt,
    ...(tag === undefined ? {} : { tag }),
  };
  await options.store.put<Subscription>(KIND, subscription.id, subscription, OWNER);
  return {
    status: 200,
    body: { data: { subscription: present(subscription) }, meta: { total_subscriptions: known.length + 1 } },
  };
};

/** The bodies of these two are not documented. */
const DUPLICATE = new Refused(invalid('DuplicateSubscriptionFailed: Subscription already exists'));
const LIMIT = new Refused(
  problem(403, 'client-forbidden', 'Client Forbidden', 'The maximum number of subscriptions is reached.'),
);

const remove: AppHandler = async (options, { params }) => {
  const id = params.id ?? '';
  if (!(await options.store.get<Subscription>(KIND, id)))
    return problem(404, 'resource-not-found', 'Not Found Error', `Could not find subscription with id: [${id}].`);
  await options.store.remove(KIND, id);
  return { status: 200, body: { data: { deleted: true }, meta: { total_subscriptions: (await all(options)).length } } };
};

async function open(
  streams: ActivityStreams,
  { query }: SimulatorRequest,
  { maxStreams = MAX_STREAMS }: XSwitches,
): Promise<SimulatorResponse> {
  // Only some enterprise applications may ask for what they missed.
  rejectUnknown(query, []);
  if (streams.count() >= maxStreams)
    return {
      status: 429,
      body: {
        title: 'ConnectionException',
        detail: 'This stream is currently at the maximum allowed connection limit.',
        connection_issue: 'TooManyConnections',
        type: 'https://api.x.com/2/problems/streaming-connection',
      },
    };
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: streams.open() };
}

const PAYLOAD = new URLSearchParams({
  'tweet.fields': 'attachments,author_id,conversation_id,created_at,entities,lang,public_metrics,reply_settings',
  expansions: 'attachments.media_keys,author_id',
});

async function announce(streams: ActivityStreams, options: SimulatorOptions, post: Post): Promise<void> {
  const switches = await switchesOf(options);
  const account = await options.store.get<Account>('account', post.accountId);
  if (streams.count() === 0 || account?.protected) return;
  const { data, includes } = await presenter(options, PAYLOAD, switches)([post]);
  for (const { eventType, userId, tag } of await all(options)) {
    if (eventType !== 'post.create' || userId !== post.accountId) continue;
    const event = {
      data: {
        event_uuid: newId(options),
        filter: { user_id: userId },
        event_type: eventType,
        ...(tag === undefined ? {} : { tag }),
        payload: { ...data[0] },
        includes: { ...includes },
      },
    };
    // Events may be delivered twice.
    for (let copies = switches.eventCopies ?? 1; copies > 0; copies--) streams.send(event);
  }
  if (switches.disconnects)
    streams.disconnect({
      errors: [
        {
          title: 'operational-disconnect',
          disconnect_type: 'UpstreamOperationalDisconnect',
          detail: 'This stream has been disconnected upstream for operational reasons.',
          type: 'https://api.x.com/2/problems/operational-disconnect',
        },
      ],
    });
}
