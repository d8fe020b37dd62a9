/**
 * Simulator of Bluesky. The base URL serves the account's server (PDS) and its authorization server, `/plc` the DID
 * directory, and `/video` the video service. Based on atproto.com, docs.bsky.app, and the messages of PDS 0.5.35. All
 * handles are hosted on this one server.
 */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { escapeHtml, page, textPage } from '../../http/pages.ts';
import { responseOf } from '../../refused.ts';
import { enrol, identityRoutes } from './accounts.ts';
import { blobRoutes } from './blobs.ts';
import { oauthRoutes } from './oauth.ts';
import { createPhone } from './phone.ts';
import { repoRoutes, type StoredRecord } from './repo.ts';
import { sessionRoutes } from './sessions.ts';
import { videoRoutes } from './video.ts';
import { createWorld, type FetchJson, fetchFrom, type World } from './world.ts';
import { RATE_LIMITED, route, xrpcError } from './xrpc.ts';

/** @param fetchJson fetches documents of OAuth clients. Defaults to fetching from the sandbox's own origin only. */
export function createBlueskySimulator(options: SimulatorOptions, fetchJson?: FetchJson): Simulator {
  const world = createWorld(options, fetchJson ?? fetchFrom(new URL(options.baseUrl).origin));
  const routes = [
    ...identityRoutes(world),
    ...sessionRoutes(world),
    ...repoRoutes(world),
    ...blobRoutes(world),
    ...oauthRoutes(world),
    ...videoRoutes(world),
    route('GET', '/profile/:did/post/:rkey', async ({ request }) => {
      const uri = `at://${request.params.did}/app.bsky.feed.post/${request.params.rkey}`;
      const record = await options.store.get<StoredRecord>('record', uri);
      if (!record) return page('Not found', '<p>There is no such post.</p>', 404);
      return textPage('Post', String(record.value.text ?? ''));
    }),
  ];
  return {
    platform: 'bluesky',
    routes: routes.map((one) => ({ ...one, handle: limited(world, one.handle) })),
    refusal: (kind) => REFUSALS[kind],
    phone: createPhone(world),
    upgrade: (request, socket, head) => world.jetstream.upgrade(request, socket, head),
    unknownRoute({ path }) {
      const nsid = /^(?:\/none)?\/xrpc\/([\w.-]+)$/.exec(path)?.[1];
      if (/^\/video(-whole)?\//.test(path)) return xrpcError(501, 'MethodNotImplemented', 'Method Not Implemented');
      if (nsid) return xrpcError(400, 'InvalidRequest', `No service configured for ${nsid}`);
      return page('Error', `<p>Cannot GET ${escapeHtml(path)}</p>`, 404);
    },
    async enrol(username) {
      const { did, handle, appPassword } = await enrol(world, username);
      return {
        remoteId: did,
        username: handle,
        tokenAnswer: null,
        credentials: { identifier: handle, secret: appPassword },
      };
    },
  };
}

const REFUSALS: Readonly<Record<PlatformRefusal, SimulatorResponse>> = {
  'rate-limited': RATE_LIMITED,
  'rate-limited-with-wait': { ...RATE_LIMITED, headers: { 'retry-after': '7' } },
  'server-error': xrpcError(500, 'InternalServerError', 'Internal Server Error'),
  'token-expired': xrpcError(400, 'ExpiredToken', 'Token has expired'),
  'token-revoked': xrpcError(400, 'ExpiredToken', 'Token has been revoked'),
};

/** Applies the limit per IP address. The simulator treats all clients as one address. */
function limited(world: World, handle: Simulator['routes'][number]['handle']): typeof handle {
  return async (request) => {
    if (!request.path.startsWith('/xrpc/')) return handle(request);
    const headers: Record<string, string> = {};
    try {
      world.limit({ request, headers }, 'all', 'everybody');
    } catch (error) {
      return { ...responseOf(error), headers };
    }
    const response = await handle(request);
    return { ...response, headers: { ...headers, ...response.headers } };
  };
}

const endpoints = (baseUrl: string) => ({
  entryway: baseUrl,
  resolver: baseUrl,
  plc: `${baseUrl}/plc`,
  video: `${baseUrl}/video`,
  web: baseUrl,
  jetstream: baseUrl.replace(/^http/, 'ws'),
});

export const simulator: SimulatorModule = {
  platform: 'bluesky',
  create: (options) => createBlueskySimulator(options),
  endpoints,
  variants: [
    {
      name: 'a video service without parts',
      endpoints: (baseUrl) => ({ ...endpoints(baseUrl), video: `${baseUrl}/video-whole` }),
    },
    { name: 'no video service', endpoints: (baseUrl) => ({ ...endpoints(baseUrl), video: `${baseUrl}/none` }) },
  ],
};
