/** OpenID Connect: identity tokens, and the documents that verify them. */
import type { SimulatorOptions } from '../../contract.ts';
import type { Handler } from '../../http/routes.ts';
import { keySet, signedToken } from '../../oauth/identity-token.ts';
import { type Person, SCOPES } from './records.ts';

const LIFE_SECONDS = 3_600;

const issuerOf = ({ baseUrl }: Pick<SimulatorOptions, 'baseUrl'>) => `${baseUrl}/oauth`;

/** The token for a consent with the scope `openid`. */
export function identityToken(options: SimulatorOptions, { id, username }: Person, nonce: string | null): string {
  const now = Math.floor(options.now() / 1000);
  return signedToken({
    iss: issuerOf(options),
    aud: options.app.clientId,
    iat: now,
    exp: now + LIFE_SECONDS,
    sub: id,
    name: username,
    given_name: username,
    family_name: '',
    picture: `${options.baseUrl}/media/${id}.png`,
    locale: 'en_US',
    ...(nonce === null ? {} : { nonce }),
  });
}

/** `GET /oauth/.well-known/openid-configuration`. */
export const discovery: Handler = async (options) => ({
  status: 200,
  body: {
    issuer: issuerOf(options),
    authorization_endpoint: `${options.baseUrl}/oauth/v2/authorization`,
    token_endpoint: `${options.baseUrl}/oauth/v2/accessToken`,
    userinfo_endpoint: `${options.baseUrl}/v2/userinfo`,
    jwks_uri: `${issuerOf(options)}/openid/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: [...SCOPES.identity],
    claims_supported: ['iss', 'aud', 'iat', 'exp', 'sub', 'name', 'given_name', 'family_name', 'picture', 'email'],
  },
});

/** `GET /oauth/openid/jwks`. */
export const keys: Handler = async () => ({ status: 200, body: keySet() });
