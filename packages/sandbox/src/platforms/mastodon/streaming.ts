/** The user stream of server-sent events (docs.joinmastodon.org, "Streaming API methods"; Mastodon source, streaming). */
import type { Route } from '../../contract.ts';
import { routesOf, withCaller } from './access.ts';
import { storedStatusJson } from './present.ts';
import type { Status, World } from './state.ts';

/** Sends a status to the streams of its account, as `update` (new) or `status.update` (edited). */
export async function streamStatus(world: World, event: 'update' | 'status.update', status: Status): Promise<void> {
  world.streams.send(status.accountId, event, JSON.stringify(await storedStatusJson(world, status)));
}

export function streamingRoutes(world: World): Route[] {
  return [
    routesOf(world)(
      'GET',
      '/api/v1/streaming/user',
      withCaller(['read:statuses'], [], async (_world, _request, { account }) => ({
        status: 200,
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'private, no-store' },
        body: world.streams.open(account.id),
      })),
    ),
  ];
}
