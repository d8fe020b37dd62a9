/** Accounts, their handles, and their DID documents. */
import { createECDH, createHash, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import type { Route } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { defineSettings } from '../../store/records.ts';
import { base32, base58btc } from './ids.ts';
import type { World } from './world.ts';
import { ok, parameter, refuse, route, xrpc } from './xrpc.ts';

export interface Account {
  did: string;
  handle: string;
  email: string;
  emailConfirmed: boolean;
  password: string;
  appPassword: string;
  status: 'active' | 'deactivated' | 'takendown';
  /** Private signing key on secp256k1. */
  key: JsonWebKey;
}

/** Returns the handle of a user name. A handle is a domain name, so a name without a dot gets the server's domain. */
function handleOf(username: string): string {
  const [name = 'nobody', ...domain] = username
    .trim()
    .replace(/^@/, '')
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .split('.')
    .filter(Boolean);
  return [name, ...(domain.length > 0 ? domain : ['test'])].join('.');
}

/** Creates an account, or finds the one with this handle. Ignores a leading "@" and letter case. */
export async function enrol(world: World, username: string): Promise<Account> {
  const handle = handleOf(username);
  const digest = createHash('sha256').update(`${world.options.app.clientId} ${handle}`).digest();
  const did = `did:plc:${base32(digest).slice(0, 24)}`;
  const account: Account = {
    did,
    handle,
    email: `${handle}@example.org`,
    emailConfirmed: true,
    password: randomBytes(12).toString('base64url'),
    appPassword: [...base32(randomBytes(10))].join('').replace(/(.{4})(?=.)/g, '$1-'),
    status: 'active',
    key: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey.export({ format: 'jwk' }),
  };
  await world.options.store.insert('account', did, account);
  await world.options.store.insert('handle', handle, did);
  return (await world.options.store.get<Account>('account', did)) ?? account;
}

/** Finds an account by DID or handle. */
export async function findAccount(world: World, identifier: string): Promise<Account | undefined> {
  const { store } = world.options;
  const did = identifier.startsWith('did:') ? identifier : await store.get<string>('handle', identifier.toLowerCase());
  return did === undefined ? undefined : store.get<Account>('account', did);
}

/** Returns the account of a repository. @throws Refused */
export async function repoOf(world: World, did: string): Promise<Account> {
  return (await findAccount(world, did)) ?? refuse(400, 'RepoNotFound', `Could not find repo for DID: ${did}`);
}

/** Returns the account of a repository that is active. @throws Refused */
export async function activeRepoOf(world: World, did: string): Promise<Account> {
  const account = await repoOf(world, did);
  if (account.status === 'takendown') refuse(400, 'RepoTakendown', `Repo has been takendown: ${did}`);
  if (account.status === 'deactivated') refuse(400, 'RepoDeactivated', `Repo has been deactivated: ${did}`);
  return account;
}

/** Returns the DID document of an account. */
export function didDocument(world: World, account: Account): JsonObject {
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: account.did,
    alsoKnownAs: [`at://${account.handle}`],
    verificationMethod: [
      {
        id: `${account.did}#atproto`,
        type: 'Multikey',
        controller: account.did,
        publicKeyMultibase: multikey(account.key),
      },
    ],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: world.options.baseUrl }],
  };
}

function multikey(key: JsonWebKey): string {
  const ecdh = createECDH('secp256k1');
  ecdh.setPrivateKey(Buffer.from(key.d ?? '', 'base64url'));
  return base58btc(Buffer.concat([Uint8Array.of(0xe7, 0x01), ecdh.getPublicKey(null, 'compressed')]));
}

/** Routes for handles, the DID directory (at `/plc`), and the server description. */
export function identityRoutes(world: World): Route[] {
  return [
    ...xrpc('GET', 'com.atproto.identity.resolveHandle', async (call) => {
      const account = await findAccount(world, parameter(call.request, 'handle'));
      if (!account) refuse(400, 'HandleNotFound', 'Unable to resolve handle');
      return ok({ did: account.did });
    }),
    ...xrpc('GET', 'com.atproto.server.describeServer', async () =>
      ok({
        did: world.pdsDid,
        availableUserDomains: ['.test'],
        inviteCodeRequired: false,
        ...((await settings.read(world.options)).limitUntold ? {} : { blobUploadLimit: await blobLimit(world) }),
        links: {},
        contact: {},
      }),
    ),
    route('GET', '/plc/:did', async ({ request }) => {
      const did = request.params.did ?? '';
      const account = did.startsWith('did:plc:') ? await findAccount(world, did) : undefined;
      if (!account) return { status: 404, body: { message: `DID not registered: ${did}` } };
      return ok(didDocument(world, account));
    }),
  ];
}

/** Stored under {@link SETTINGS}. Absent properties mean one of Bluesky's own hosts. */
export interface ServerSettings {
  /** Maximum size in bytes for `uploadBlob`. The software's default is 5 MiB. */
  blobLimit?: number;
  /** `describeServer` does not tell the limit, as before PDS 0.5. */
  limitUntold?: boolean;
}

/** Kind and key of the settings. */
export const SETTINGS = ['settings', 'server'] as const;
const settings = defineSettings<ServerSettings>(SETTINGS, {});

/** Maximum size in bytes for `uploadBlob`; Bluesky's hosts accept about 50 MiB. */
export const BLOB_UPLOAD_LIMIT = 50 * 1024 * 1024;

export async function blobLimit({ options }: World): Promise<number> {
  return (await settings.read(options)).blobLimit ?? BLOB_UPLOAD_LIMIT;
}
