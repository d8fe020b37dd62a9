/** Which account a request to sign-in is about. */
import type { Database } from '../../db/database.ts';
import type { AuthRequest, SessionUser } from '../auth-request.ts';
import type { Guard } from '../auth-route.ts';
import { findPasskeyOwner } from '../passkey-store.ts';
import { credentialOf } from '../passkeys.ts';
import { findOwnUser } from '../user-store.ts';
import type { AuthLoader } from './auth-loader.ts';

export interface Account {
  email: string;
  /** Whether the request has a session of the account. */
  bySession: boolean;
}

export type FindAccount = (request: AuthRequest) => Promise<Account | null>;

export interface AccountDeps {
  db: Database;
  loader: Pick<AuthLoader, 'auth' | 'explain'>;
  session(cookie: string): Promise<SessionUser | null>;
}

/**
 * What names the account. 'email': the body. 'credential': the passkey. 'session': the cookie. 'challenge': the cookie
 * of a session, or of a sign-in that waits for its second factor. 'none': nothing, or only better-auth can know.
 */
const NAMED_BY: Readonly<Record<Guard, 'email' | 'credential' | 'session' | 'challenge' | 'none'>> = {
  signIn: 'email',
  signUp: 'email',
  requestReset: 'email',
  changePassword: 'session',
  confirmPassword: 'session',
  changePasskeys: 'session',
  addPasskey: 'session',
  deleteUser: 'session',
  oneTimeCode: 'challenge',
  backupCode: 'challenge',
  passkey: 'credential',
  passkeyChallenge: 'none',
  resetPassword: 'none',
};

export function createFindAccount({ db, loader, session }: AccountDeps): FindAccount {
  const bySession = async (cookie: string): Promise<Account | null> => {
    const user = await session(cookie);
    return user && { email: user.email, bySession: true };
  };
  const byVisitor = (email: string | null): Account | null => (email === null ? null : { email, bySession: false });
  /** The email address of the sign-in that waits for its second factor. */
  const challengedEmail = async (cookie: string): Promise<string | null> => {
    const [, identifier] = /(?:^|[\s;])(?:__Host-)?reelay\.two_factor=(2fa-[\w-]{1,64})\./.exec(cookie) ?? [];
    if (!identifier) return null;
    const { internalAdapter } = await (await loader.auth()).$context;
    const row = await internalAdapter.findVerificationValue(identifier).catch(loader.explain);
    return row ? ((await findOwnUser(db, row.value))?.email ?? null) : null;
  };
  return async ({ route, body, header }) => {
    const cookie = header('cookie') ?? '';
    switch (route.guards === null ? 'none' : NAMED_BY[route.guards]) {
      case 'email':
        return byVisitor(String(body.email).toLowerCase());
      case 'credential':
        return byVisitor(await findPasskeyOwner(db, credentialOf(body) ?? ''));
      case 'session':
        return bySession(cookie);
      case 'challenge':
        return (await bySession(cookie)) ?? byVisitor(await challengedEmail(cookie));
      case 'none':
        return null;
    }
  };
}
