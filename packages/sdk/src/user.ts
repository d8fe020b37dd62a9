/** The signed-in user: settings, plan usage and sessions. All methods require a session. */
import type { components } from './generated/schema.ts';
import { jsonOf, type Transport } from './transport.ts';

export type CurrentUser = components['schemas']['CurrentUser'];
export type UserSettings = components['schemas']['EditUser'];
export type Passkey = components['schemas']['Passkey'];
export type SecondFactor = components['schemas']['SecondFactor'];
export type UserSession = components['schemas']['UserSession'];

export interface User {
  /** Settings, plan and its usage. */
  current(): Promise<CurrentUser>;
  /** Settings that are not given stay unchanged. */
  edit(settings: UserSettings): Promise<CurrentUser>;
  /** Where the user is signed in, last used first. */
  sessions(): Promise<UserSession[]>;
  endSession(id: string): Promise<void>;
  /** Ends all sessions but the current one. Returns how many. */
  endOtherSessions(): Promise<number>;
  /**
   * Begins to set up an authenticator app. It takes effect when `confirmSecondFactor` was called with a code.
   * @returns the URI for the app, and codes that each replace one of its codes
   */
  beginSecondFactor(password: string): Promise<{ uri: string; backupCodes: string[] }>;
  /** @param code shown by the app */
  confirmSecondFactor(code: string): Promise<void>;
  disableSecondFactor(password: string): Promise<void>;
  /** Whether there is a second factor, and how many backup codes are left. */
  secondFactor(): Promise<SecondFactor>;
  /** Replaces the backup codes. */
  renewBackupCodes(password: string): Promise<string[]>;
  /** Passkeys that sign the user in, oldest first. */
  passkeys(): Promise<Passkey[]>;
  /**
   * Begins to add a passkey.
   * @returns the options of `navigator.credentials.create`, as JSON (`PublicKeyCredentialCreationOptionsJSON`)
   */
  beginPasskey(password: string): Promise<Record<string, unknown>>;
  /** Adds the passkey. @param response of the browser, as JSON (`RegistrationResponseJSON`) */
  addPasskey(response: object): Promise<{ id: string; name: string }>;
  renamePasskey(id: string, name: string): Promise<Passkey>;
  removePasskey(id: string, password: string): Promise<void>;
  /** Deletes the user with all data. Published posts stay at the platforms. */
  delete(password: string): Promise<void>;
}

/** Relative to the base URL of the API. */
const AUTH = '/../auth';

export function createUser(transport: Transport): User {
  const auth = async <Body>(path: string, json: unknown): Promise<Body> => {
    const response = await transport({ method: 'POST', path: AUTH + path, json });
    return (await response.json()) as Body;
  };
  return {
    current: async () => (await jsonOf<{ data: CurrentUser }>(transport, { method: 'GET', path: '/user' })).data,
    edit: async (json) =>
      (await jsonOf<{ data: CurrentUser }>(transport, { method: 'PATCH', path: '/user', json })).data,
    sessions: async () =>
      (await jsonOf<{ data: UserSession[] }>(transport, { method: 'GET', path: '/user/sessions' })).data,
    async endSession(id) {
      await transport({ method: 'DELETE', path: `/user/sessions/${encodeURIComponent(id)}` });
    },
    endOtherSessions: async () =>
      (await jsonOf<{ revoked: number }>(transport, { method: 'POST', path: '/user/sessions/revoke-others' })).revoked,
    async beginSecondFactor(password) {
      const begun = await auth<{ totpURI: string; backupCodes: string[] }>('/two-factor/enable', { password });
      return { uri: begun.totpURI, backupCodes: begun.backupCodes };
    },
    async confirmSecondFactor(code) {
      await auth('/two-factor/verify-totp', { code });
    },
    async disableSecondFactor(password) {
      await auth('/two-factor/disable', { password });
    },
    secondFactor: async () =>
      (await jsonOf<{ data: SecondFactor }>(transport, { method: 'GET', path: '/user/second-factor' })).data,
    renewBackupCodes: async (password) =>
      (await auth<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', { password })).backupCodes,
    passkeys: async () =>
      (await jsonOf<{ data: Passkey[] }>(transport, { method: 'GET', path: '/user/passkeys' })).data,
    beginPasskey: (password) => auth('/passkey/generate-register-options', { password }),
    addPasskey: (response) => auth('/passkey/verify-registration', { response }),
    async renamePasskey(id, name) {
      const path = `/user/passkeys/${encodeURIComponent(id)}`;
      return (await jsonOf<{ data: Passkey }>(transport, { method: 'PATCH', path, json: { name } })).data;
    },
    async removePasskey(id, password) {
      await auth('/passkey/delete-passkey', { id, password });
    },
    async delete(password) {
      await auth('/delete-user', { password });
    },
  };
}
