/** Identity resolution: handle → DID → DID document → account's server (atproto.com/specs/{handle,did}). */
import { type HttpResponse, NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, Endpoints, Json } from '../contract.ts';
import { setup, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { serviceFrom } from './address.ts';
import { xrpcUrl } from './pds.ts';

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
    throw broken(`The account behind ${identifier} does not use this handle.`);
  return identity;
}

/** @throws PlatformError */
export async function resolveHandle(context: Context, handle: string, service?: string): Promise<string> {
  for (const resolver of [service, context.endpoints.resolver]) {
    if (!resolver) continue;
    const response = await quiet(context, xrpcUrl(resolver, 'com.atproto.identity.resolveHandle', { handle }));
    const did = textAt(response?.tryJson(), 'did');
    if (response?.status === 200 && did.startsWith('did:')) return did;
  }
  const response = handle.includes('.') ? await quiet(context, `https://${handle}/.well-known/atproto-did`) : null;
  const did = response?.text.trim() ?? '';
  if (response?.status === 200 && /^did:[a-z]+:\S+$/.test(did)) return did;
  throw broken(`There is no account with the handle ${handle}.`);
}

/** @throws PlatformError */
export async function resolveDid(context: Context, did: string): Promise<Identity> {
  const response = await reach(context, documentUrl(context.endpoints, did));
  const document = response.status === 200 ? response.tryJson() : null;
  if (response.status !== 200 && response.status !== 404 && response.status !== 410)
    throw new PlatformError(transient(`The directory of identities answered ${response.status}.`));
  if (textAt(document, 'id') !== did) throw broken(`There is no account with the identifier ${did}.`);
  const pds = serverIn(document);
  if (!pds) throw broken(`The account ${did} names no server.`);
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
  if (!host) throw broken(`${did} is an identifier of an unknown kind.`);
  return `https://${decodeURIComponent(host)}/.well-known/did.json`;
}

/** Sends a GET request. @throws PlatformError `transient` if the server is unreachable */
export async function reach(context: Pick<ConnectContext, 'http'>, url: string): Promise<HttpResponse> {
  try {
    return await context.http({ method: 'GET', url, deadlineMs: 15_000 });
  } catch (error) {
    throw error instanceof NetworkError ? unreachable(url, error) : error;
  }
}

/** @param url requested URL */
export function unreachable(url: string, error: NetworkError): PlatformError {
  const detail = `The server ${URL.parse(url)?.host ?? ''} could not be reached (${error.reason}).`;
  return new PlatformError(transient(detail), { cause: error });
}

async function quiet(context: Context, url: string): Promise<HttpResponse | null> {
  try {
    return await context.http({ method: 'GET', url, deadlineMs: 10_000 });
  } catch (error) {
    if (error instanceof NetworkError) return null;
    throw error;
  }
}

function broken(detail: string): PlatformError {
  return new PlatformError(setup(detail));
}
