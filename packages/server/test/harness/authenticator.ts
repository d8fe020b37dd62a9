/** A software authenticator: answers WebAuthn challenges like a browser with a security key. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface AuthenticatorOptions {
  rpId: string;
  origin: string;
  /** Whether it verifies its user, as with a fingerprint. Default: true. */
  verifiesUser?: boolean;
}

export interface Authenticator {
  id: string;
  /** Responds to the options of a registration. */
  register(options: { challenge: string }): Record<string, unknown>;
  /** Responds to the options of a sign-in. @param changes replace parts of the truth */
  assert(options: { challenge: string }, changes?: Partial<AuthenticatorOptions>): Record<string, unknown>;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const encode = (data: Buffer | string) => Buffer.from(data).toString('base64url');

export function createAuthenticator(own: AuthenticatorOptions): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = encode(credentialId);
  let uses = 0;
  const envelope = (response: Record<string, unknown>) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
    response,
  });
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const head = ({ rpId, verifiesUser = true }: AuthenticatorOptions, attested: boolean) =>
    Buffer.concat([
      sha256(rpId),
      // User present, user verified, credential data included.
      Buffer.from([0x01 | (verifiesUser ? 0x04 : 0) | (attested ? 0x40 : 0)]),
      uint(++uses, 4),
    ]);
  return {
    id,
    register({ challenge }) {
      const data = Buffer.concat([head(own, true), Buffer.alloc(16), uint(32, 2), credentialId, coseKey(publicKey)]);
      return envelope({
        clientDataJSON: encode(clientData('webauthn.create', challenge, own.origin)),
        attestationObject: encode(attestation(data)),
        transports: ['internal'],
      });
    },
    assert({ challenge }, changes = {}) {
      const as = { ...own, ...changes };
      const client = clientData('webauthn.get', challenge, as.origin);
      const data = head(as, false);
      return envelope({
        clientDataJSON: encode(client),
        authenticatorData: encode(data),
        signature: encode(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
      });
    },
  };
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/** CBOR: { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (value: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ]);
}

/** CBOR: { fmt: 'none', attStmt: {}, authData }. */
function attestation(data: Buffer): Buffer {
  const word = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    word('fmt'),
    word('none'),
    word('attStmt'),
    Buffer.from([0xa0]),
    word('authData'),
    Buffer.from([0x59]),
    uint(data.length, 2),
    data,
  ]);
}
