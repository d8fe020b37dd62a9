/** Sign-in for the rest of the service: resolves session cookies and handles `/api/auth`. */
import type { AuthRequest, SessionUser } from '../auth-request.ts';
import { createKnownBrowsers } from '../known-browser.ts';
import { createOneTimeCodes } from '../one-time-codes.ts';
import { passkeyHost } from '../passkey-host.ts';
import { createPasskeys } from '../passkeys.ts';
import { createPasswordReset } from '../password-reset.ts';
import type { UserMails } from '../user-mails.ts';
import { createFindAccount } from './account-of-request.ts';
import { createAudit } from './audit.ts';
import { type AuthLoader, type AuthLoaderDeps, createAuthLoader } from './auth-loader.ts';
import { createHandler } from './handle.ts';
import { createPasswordSteps } from './password-steps.ts';
import { createSessionFinder } from './sessions.ts';

/** A password attempt: the account, and the browser it is made from. */
export interface Attempt {
  /** Identifies the account without its email address. */
  account: string;
  /** The id of a browser that has signed in to this account before. */
  browser: string | null;
}

export interface SignIn {
  /** Returns the user of the session in a Cookie header, or null. */
  session(cookie: string): Promise<SessionUser | null>;
  /** Returns the password attempt that a request makes; null if it makes none. */
  attempt(request: AuthRequest): Promise<Attempt | null>;
  /** @throws ReelayError `invalid_request` for a new password that is not allowed, `busy`, `database_unavailable` */
  handle(request: AuthRequest): Promise<Response>;
  /** Returns how many backup codes a user has left; null without a second factor. */
  backupCodesLeft(userId: string): Promise<number | null>;
  /** As in {@link UserMails}. */
  notify: UserMails['notify'];
  close(): Promise<void>;
}

export interface SignInOptions extends Omit<AuthLoaderDeps, 'resets' | 'host'> {
  mails: UserMails;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { config, secrets, db, log, mails } = options;
  const host = passkeyHost(config.publicUrl);
  const resets = createPasswordReset({ config, db, mails, auth: () => loader.auth() });
  const loader = createAuthLoader({ ...options, host, resets: resets.enabled ? resets : null });
  const session = createSessionFinder({ db, loader });
  const accountOf = createFindAccount({ db, loader, session });
  const browsers = createKnownBrowsers({ key: secrets.links, secure: config.httpsOnly });
  const { callPasskeys, confirmPassword } = loader;
  const handle = createHandler({
    ...{ config, secrets, db, loader, accountOf, browsers },
    audit: createAudit({ db, log, mails, hash: browsers.account }),
    codes: createOneTimeCodes({ db, secrets, mails, ask: loader.call }),
    passkeys: createPasskeys({ db, host, mails, session, confirm: confirmPassword, ask: callPasskeys }),
    passwords: createPasswordSteps({ db, loader, resets, mails }),
  });
  return {
    session,
    async attempt(request) {
      const account = await accountOf(request);
      if (account === null) return null;
      const cookie = request.header('cookie') ?? '';
      return { account: browsers.account(account.email), browser: browsers.find(cookie, account.email) };
    },
    handle,
    backupCodesLeft: (userId) => backupCodesLeft(options, loader, userId),
    notify: mails.notify,
    async close() {
      await mails.close();
      await loader.close();
    },
  };
}

async function backupCodesLeft(
  { db }: Pick<SignInOptions, 'db'>,
  loader: Pick<AuthLoader, 'auth'>,
  userId: string,
): Promise<number | null> {
  const { api } = await loader.auth();
  // Fails without a second factor, with a lost secret, and without the database.
  const found = await api.viewBackupCodes({ body: { userId } }).catch(() => null);
  if (!found) await db.query('select 1');
  return found?.backupCodes.length ?? null;
}
