/**
 * Identity resolution: handle → DID → DID document → account's server (atproto.com/specs/{handle,did}), and the facts
 * about an account.
 */
import { withoutFinalSlashes } from '../../lib/text.ts';
import { SECOND } from '../../lib/time.ts';
import { type HttpResponse, NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Endpoints, Json, Tokens } from '../contract.ts';
import { reconnect, setup, transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { withNetworkFailures } from '../kit/network-failures.ts';
import { capabilitiesOf } from './limits.ts';
import { say } from './messages.ts';
import { type Pds, pdsOf, serviceToken, xrpcUrl } from './pds.ts';

type Context = Pick<ConnectContext, 'http' | 'endpoints'>;

export interface Identity {
  did: string;
  /** URL of the account's server. */
  pds: string;
  /** Handle that the DID document claims, or "". */
  handle: string;
}

/**
 * Finds an account's server by handle or DID.
 * @param service a server that knows the handle; asked first if given
 * @throws PlatformError with what could not be found
 */
export async function resolveIdentity(context: Context, identifier: string, service?: string): Promise<Identity> {
  const did = identifier.startsWith('did:') ? identifier : await resolveHandle(context, identifier, service);
  const identity = await resolveDid(context, did);
  // A DID document can claim any handle, and a handle can point to any DID. Both must agree.
  if (!identifier.startsWith('did:') && identity.handle !== identifier)
    throw new PlatformError(setup(say('handle_mismatch', { handle: identifier })));
  return identity;
}

/** @throws PlatformError */
export async function resolveHandle(context: Context, handle: string, service?: string): Promise<string> {
  for (const resolver of [service, context.endpoints.resolver]) {
    if (!resolver) continue;
    const response = await tryGet(context, xrpcUrl(resolver, 'com.atproto.identity.resolveHandle', { handle }));
    const did = textAt(response?.tryJson(), 'did');
    if (response?.status === 200 && did.startsWith('did:')) return did;
  }
  const response = handle.includes('.') ? await tryGet(context, `https://${handle}/.well-known/atproto-did`) : null;
  const did = response?.text.trim() ?? '';
  if (response?.status === 200 && /^did:[a-z]+:\S+$/.test(did)) return did;
  throw new PlatformError(setup(say('handle_unknown', { handle })));
}

/** @throws PlatformError */
export async function resolveDid(context: Context, did: string): Promise<Identity> {
  const response = await reach(context, documentUrl(context.endpoints, did));
  const document = response.status === 200 ? response.tryJson() : null;
  if (response.status !== 200 && response.status !== 404 && response.status !== 410)
    throw new PlatformError(transient(say('directory_unavailable', { status: response.status })));
  if (textAt(document, 'id') !== did) throw new PlatformError(setup(say('did_unknown', { did })));
  const pds = serverIn(document);
  if (!pds) throw new PlatformError(setup(say('server_missing', { did })));
  return { did, pds, handle: handleIn(document) };
}

/** Returns the URL of the account's server from a DID document, or "". */
export function serverIn(document: Json): string {
  const services = at(document, 'service');
  const found = (Array.isArray(services) ? services : []).find(
    (one) => textAt(one, 'id').endsWith('#atproto_pds') && textAt(one, 'type') === 'AtprotoPersonalDataServer',
  );
  const address = textAt(found, 'serviceEndpoint');
  return address ? serviceFrom(address) : '';
}

function handleIn(document: Json): string {
  const names = at(document, 'alsoKnownAs');
  const first = (Array.isArray(names) ? names : []).find(
    (name) => typeof name === 'string' && name.startsWith('at://'),
  );
  return typeof first === 'string' ? first.slice('at://'.length).toLowerCase() : '';
}

function documentUrl(endpoints: Endpoints, did: string): string {
  if (did.startsWith('did:plc:')) return `${endpoints.plc}/${did}`;
  const host = /^did:web:([\w.-]+(?:%3A\d+)?)$/i.exec(did)?.[1];
  if (!host) throw new PlatformError(setup(say('did_unsupported', { did })));
  return `https://${decodeURIComponent(host)}/.well-known/did.json`;
}

/** Sends a GET request. @throws PlatformError `transient` if the server is unreachable */
export function reach({ http }: Pick<ConnectContext, 'http'>, url: string): Promise<HttpResponse> {
  return withNetworkFailures(http)({ method: 'GET', url, deadlineMs: 15 * SECOND });
}

async function tryGet(context: Context, url: string): Promise<HttpResponse | null> {
  try {
    return await context.http({ method: 'GET', url, deadlineMs: 10 * SECOND });
  } catch (error) {
    if (error instanceof NetworkError) return null;
    throw error;
  }
}

/**
 * Returns a server's URL without a trailing slash. Accepts `bsky.social`, `https://pds.example/`, and similar forms.
 * @throws PlatformError
 */
export function serviceFrom(text: string): string {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname)
    throw new PlatformError(setup(say('server_url_invalid')));
  return withoutFinalSlashes(`${url.origin}${url.pathname}`);
}

/**
 * Returns a handle (lowercase, without "@") or a DID from user input. Accepts profile URLs and removes invisible
 * characters. @throws PlatformError
 */
export function identifierFrom(text: string): string {
  const bare = text.replace(/[\p{Cf}\p{Z}\p{Cc}]/gu, '').replace(/^https:\/\/bsky\.app\/profile\//, '');
  if (/^did:(plc|web):[\w.:%-]+$/.test(bare)) return bare;
  const handle = bare.replace(/^(at:\/\/|@)/, '').toLowerCase();
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(handle)) return handle;
  throw new PlatformError(setup(say('handle_invalid')));
}

/** DID of the video service; audience of tokens for its upload limits. */
const VIDEO_SERVICE_DID = 'did:web:video.bsky.app';
const LIMITS = 'app.bsky.video.getUploadLimits';

/** Reads the account of the tokens, its server, and that server's limits. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const http = withNetworkFailures(context.http);
  const did = textAt(tokens.secret, 'did');
  const identity = await resolveDid(context, did);
  const pds = pdsOf({ http, service: identity.pds, secret: tokens.secret, now: context.now });
  const session = (await pds.ask({ method: 'GET', nsid: 'com.atproto.server.getSession' })).tryJson();
  if (textAt(session, 'did') !== did) throw new PlatformError(reconnect(say('other_account')));
  const server = (await pds.read('com.atproto.server.describeServer', {})).tryJson();
  const profile = await pds.read('com.atproto.repo.getRecord', {
    repo: did,
    collection: 'app.bsky.actor.profile',
    rkey: 'self',
  });
  const value = profile.status === 200 ? (at(profile.tryJson(), 'value') as Json) : null;
  const picture = textAt(value, 'avatar', 'ref', '$link');
  const serverDid = textAt(server, 'did') || `did:web:${new URL(identity.pds).hostname}`;
  const blobUploadLimit = numberAt(server, 'blobUploadLimit');
  const videoService = await hasVideoService(context, pds, identity);
  const emailConfirmed = at(session, 'emailConfirmed');
  return {
    remoteId: did,
    globalId: true,
    username: await verifiedHandle(context, identity),
    displayName: textAt(value, 'displayName'),
    avatarUrl: picture ? xrpcUrl(identity.pds, 'com.atproto.sync.getBlob', { did, cid: picture }) : '',
    capabilities: capabilitiesOf({ videoService, blobUploadLimit }),
    extra: {
      serverDid,
      videoService,
      ...(blobUploadLimit === null ? {} : { blobUploadLimit }),
      ...(typeof emailConfirmed === 'boolean' ? { emailConfirmed } : {}),
    },
    service: identity.pds,
  };
}

/** Returns the handle if it resolves back to the account, else the DID. */
async function verifiedHandle(context: ConnectContext, { did, handle, pds }: Identity): Promise<string> {
  if (!handle) return did;
  try {
    return (await resolveHandle(context, handle, pds)) === did ? handle : did;
  } catch (error) {
    if (error instanceof PlatformError) return did;
    throw error;
  }
}

/**
 * Whether the video service accepts this account, tested by reading its upload limits. The service rejects accounts
 * whose identity or server it cannot resolve. While it is unreachable, Bluesky's own hosts are assumed to be supported.
 */
async function hasVideoService(context: ConnectContext, pds: Pds, { pds: server }: Identity): Promise<boolean> {
  const video = context.endpoints.video;
  if (!video) return false;
  const ownHost = /(^|\.)(bsky\.network|bsky\.social)$/.test(new URL(server).hostname);
  try {
    const { token } = await serviceToken(pds, { aud: VIDEO_SERVICE_DID, lxm: LIMITS }, context.now());
    const headers = { authorization: `Bearer ${token}` };
    const response = await context.http({
      method: 'GET',
      url: xrpcUrl(video, LIMITS),
      headers,
      deadlineMs: 10 * SECOND,
    });
    return (
      response.status === 200 ||
      response.status === 429 ||
      (response.status >= 500 && response.status !== 501 && ownHost)
    );
  } catch (error) {
    if (error instanceof NetworkError || error instanceof PlatformError) return ownHost;
    throw error;
  }
}
