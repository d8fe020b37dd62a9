/** Reads the account of the tokens, its server, and that server's limits. */
import { NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, Tokens } from '../contract.ts';
import { reconnect } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { type Identity, resolveDid, resolveHandle, unreachable } from './identity.ts';
import { capabilitiesOf } from './limits.ts';
import { type Pds, pdsOf, xrpcUrl } from './pds.ts';
import { serviceToken } from './service-token.ts';

/** DID of the video service; audience of tokens for its upload limits. */
const VIDEO_SERVICE_DID = 'did:web:video.bsky.app';
const LIMITS = 'app.bsky.video.getUploadLimits';

/** @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  try {
    return await read(context, tokens);
  } catch (error) {
    throw error instanceof NetworkError ? unreachable(tokens.service, error) : error;
  }
}

async function read(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const { http } = context;
  const did = textAt(tokens.secret, 'did');
  const identity = await resolveDid(context, did);
  const pds = pdsOf({ http, service: identity.pds, secret: tokens.secret, now: context.now });
  const session = (await pds.ask({ method: 'GET', nsid: 'com.atproto.server.getSession' })).tryJson();
  if (textAt(session, 'did') !== did)
    throw new PlatformError(reconnect('The server took the tokens for those of another account.'));
  const server = (await pds.look('com.atproto.server.describeServer', {})).tryJson();
  const profile = await pds.look('com.atproto.repo.getRecord', {
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
    const response = await context.http({ method: 'GET', url: xrpcUrl(video, LIMITS), headers, deadlineMs: 10_000 });
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
