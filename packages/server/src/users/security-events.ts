/** What happens to users through sign-in: recorded in the audit trail, and partly mailed. */
import { writeAudit } from '../audit.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { AuthRequest } from './auth-request.ts';
import type { Guard } from './auth-routes.ts';
import { findUser } from './store.ts';
import type { UserMails } from './user-mails.ts';

export interface Account {
  email: string;
  /** Whether the request has a session of the account. */
  bySession: boolean;
}

/** Audit actions for a success and for a failure. */
type Recorded = readonly [success: string | null, failure: string | null];
const RECORDED: Readonly<Record<Guard, Recorded>> = {
  signIn: ['session.begin', 'session.refuse'],
  signUp: ['user.create', null],
  changePassword: ['password.change', 'password.refuse'],
  confirmPassword: [null, 'password.refuse'],
  deleteUser: [null, 'password.refuse'],
  // Of a sign-in. In a session: see below.
  secondFactor: ['session.begin', 'session.refuse'],
  requestReset: [null, null],
  resetPassword: [null, null],
  passkeyChallenge: [null, null],
  passkey: ['session.begin', 'session.refuse'],
  addPasskey: ['passkey.add', null],
};
/** Of routes that need a session. */
const RECORDED_IN_SESSION: Readonly<Record<string, Recorded>> = {
  '/two-factor/verify-totp': ['second-factor.enable', null],
  '/two-factor/verify-backup-code': [null, null],
  '/two-factor/disable': ['second-factor.disable', 'password.refuse'],
  '/two-factor/generate-backup-codes': ['second-factor.codes', 'password.refuse'],
  '/passkey/delete-passkey': ['passkey.remove', 'password.refuse'],
};

/** Events that are mailed, by route. */
const NOTIFIED: Readonly<Record<string, 'passkey_added' | 'second_factor_disabled'>> = {
  '/passkey/verify-registration': 'passkey_added',
  '/two-factor/disable': 'second_factor_disabled',
};

interface Deps {
  db: Database;
  log: Log;
  mails: UserMails;
  /** Identifies an unknown account without its email address. */
  hash(email: string): string;
}

export function createSecurityEvents({ db, log, mails, hash }: Deps) {
  return {
    /**
     * Records the outcome of a password attempt in the audit trail, and mails it if something else can sign in now. A
     * failed write is logged but does not fail the request.
     */
    async record({ route, address }: AuthRequest, { email, bySession }: Account, response: Response): Promise<void> {
      const recorded = (bySession && RECORDED_IN_SESSION[route.path]) || RECORDED[route.guards ?? 'signIn'];
      const action = recorded[response.status < 400 ? 0 : 1];
      // 404 and 409: the password was right, but the change was not possible.
      if (action === null || response.status === 404 || response.status === 409) return;
      const actor = bySession ? 'session' : 'visitor';
      try {
        const userId = (await findUser(db, email))?.id ?? null;
        const name = response.status < 400 ? NOTIFIED[route.path] : undefined;
        if (name && userId) mails.notify(userId, (to) => ({ name, params: to }));
        await writeAudit(db, { userId, actor, address, subject: userId ?? hash(email), action });
      } catch (err) {
        log.error({ err, action }, 'an audit row could not be written');
      }
    },
  };
}
