/** The browser's session: signing in and out, and who is signed in. The cookie is the browser's, not the client's. */
import type { components } from './generated/schema.ts';
import { jsonOf, type Transport } from './transport.ts';

export type SignInOptions = components['schemas']['SignInOptions'];

export interface SignedIn {
  id: string;
  email: string;
  name: string;
}

export interface Session {
  /** What a visitor can do before signing in. */
  options(): Promise<SignInOptions>;
  /** The signed-in user; null if nobody is. */
  current(): Promise<SignedIn | null>;
  /** @throws ReelayApiError; `second_factor_required`: continue with `enterCode` or `enterBackupCode` */
  signIn(credentials: { email: string; password: string }): Promise<SignedIn>;
  /**
   * Creates a user and signs in. The first user becomes the operator.
   * @param request.token printed by the service; the first sign-up from another machine needs it
   * @throws ReelayApiError
   */
  signUp(request: { email: string; password: string; name?: string; token?: string }): Promise<SignedIn>;
  /** Completes a sign-in with a code of the authenticator app. */
  enterCode(code: string): Promise<SignedIn>;
  /** Completes a sign-in with a backup code, which works once. */
  enterBackupCode(code: string): Promise<SignedIn>;
  /**
   * Begins a sign-in with a passkey.
   * @returns the options of `navigator.credentials.get`, as JSON (`PublicKeyCredentialRequestOptionsJSON`)
   */
  passkeyChallenge(): Promise<Record<string, unknown>>;
  /**
   * Signs in with the browser's response to `passkeyChallenge`. It needs no second factor.
   * @param response as JSON (`AuthenticationResponseJSON`)
   * @throws ReelayApiError; `passkey_refused`: unknown, removed, or the challenge has expired
   */
  signInWithPasskey(response: object): Promise<SignedIn>;
  signOut(): Promise<void>;
  /** Requests a mail with a link that replaces the password. Succeeds for unknown addresses too. */
  requestPasswordReset(email: string): Promise<void>;
  /**
   * Also removes the user's passkeys, unless `keepPasskeys` is true.
   * @param request.token from the link
   * @returns what can still act for the user: the API key, and the number of passkeys
   * @throws ReelayApiError; `invalid_token`: used or expired
   */
  resetPassword(request: {
    token: string;
    newPassword: string;
    revokeApiKey?: boolean;
    keepPasskeys?: boolean;
  }): Promise<RemainingAccess>;
}

export interface RemainingAccess {
  apiKey: 'none' | 'active' | 'revoked';
  passkeys: number;
  revokedPasskeys: number;
}

/** Relative to the base URL of the API. */
const AUTH = '/../auth';

export function createSession(transport: Transport): Session {
  const read = async <Body>(path: string, json?: unknown, headers?: Record<string, string>): Promise<Body> => {
    const method = json === undefined ? 'GET' : 'POST';
    const response = await transport({ method, path: AUTH + path, json, headers });
    return (await response.json()) as Body;
  };
  const userOf = ({ user: { id, email, name } }: { user: SignedIn }): SignedIn => ({ id, email, name });
  return {
    options: async () =>
      (await jsonOf<{ data: SignInOptions }>(transport, { method: 'GET', path: '/sign-in/options' })).data,
    async current() {
      const found = await read<{ user: SignedIn } | null>('/get-session');
      return found && userOf(found);
    },
    signIn: async (credentials) => userOf(await read('/sign-in/email', credentials)),
    async signUp({ token, name = '', ...credentials }) {
      const headers: Record<string, string> = token === undefined ? {} : { 'x-reelay-sign-up-token': token };
      return userOf(await read('/sign-up/email', { ...credentials, name }, headers));
    },
    enterCode: async (code) => userOf(await read('/two-factor/verify-totp', { code })),
    enterBackupCode: async (code) => userOf(await read('/two-factor/verify-backup-code', { code })),
    passkeyChallenge: () => read('/passkey/generate-authenticate-options', {}),
    signInWithPasskey: async (response) => userOf(await read('/passkey/verify-authentication', { response })),
    async requestPasswordReset(email) {
      await read('/request-password-reset', { email });
    },
    async resetPassword(request) {
      const { apiKey, passkeys, revokedPasskeys } = await read<RemainingAccess>('/reset-password', request);
      return { apiKey, passkeys, revokedPasskeys };
    },
    async signOut() {
      await read('/sign-out', {});
    },
  };
}
