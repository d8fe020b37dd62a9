/** The signed-in user: settings, plan usage and sessions. All methods require a session. */
import type { components } from './generated/schema.ts';
import { jsonOf, type Transport } from './transport.ts';

export type CurrentUser = components['schemas']['CurrentUser'];
export type UserSettings = components['schemas']['EditUser'];
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
}

export function createUser(transport: Transport): User {
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
  };
}
