/**
 * One-time codes of authenticator apps (TOTP, RFC 6238), each of which works once. better-auth verifies a code but
 * remembers none, so it gets only a code whose period was reserved first. Of concurrent requests one can reserve it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { writeAudit } from '../audit/write-audit.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Database, Queryable } from '../db/database.ts';
import { signInMessage } from '../messages/sign-in.ts';
import type { AuthRequest } from './auth-request.ts';
import { libraryKey } from './session-secrets.ts';
import type { UserMails } from './user-mails.ts';

export const CODE_PATH = '/two-factor/verify-totp';

const PERIOD_MS = 30_000;
/** better-auth also accepts the period before and after the current one. */
const TOLERANCE = 1;

export interface OneTimeCodesDeps {
  db: Database;
  mails: Pick<UserMails, 'notify'>;
  secrets: Pick<Secrets, 'session' | 'previousSessions'>;
  /** Calls better-auth. */
  ask(request: AuthRequest): Promise<Response>;
}

export function createOneTimeCodes({ db, secrets, ask, mails }: OneTimeCodesDeps) {
  /** Who knows the password has seen the code too, so its user must learn of it (ASVS 2.8.5). */
  const refuseReused = async ({ address }: AuthRequest, userId: string): Promise<Response> => {
    await db.transaction(async (tx) => {
      await writeAudit(tx, { userId, actor: 'visitor', address, action: 'second-factor.reuse', subject: userId });
      await mails.notify(tx, userId, { name: 'code_reused', params: {} });
    });
    return Response.json({ code: 'CODE_USED', message: signInMessage('CODE_USED').text }, { status: 401 });
  };
  return {
    /** Handles {@link CODE_PATH} for the user with this address; null: the request belongs to no user. */
    async verify(request: AuthRequest, email: string | null): Promise<Response> {
      const factor = email === null ? undefined : await findFactor(db, email);
      const secret = factor && (await decrypt(secrets, factor.secret));
      const step = secret ? findStep(secret, String(request.body.code)) : null;
      // better-auth answers as to any wrong code and counts it, but accepts none: the clock may have moved meanwhile.
      if (!factor || step === null) return ask({ ...request, body: { ...request.body, code: '' } });
      const last = factor.last_step === null ? null : Number(factor.last_step);
      if ((last !== null && step <= last) || !(await moveStep(db, factor.id, { from: last, to: step })))
        return refuseReused(request, factor.user_id);
      const response = await ask(request);
      // It was refused for another reason, such as an expired sign-in, so it is not used. After an error it may be.
      if (response.status >= 400 && response.status < 500) await moveStep(db, factor.id, { from: step, to: last });
      return response;
    },
  };
}

interface FactorRow {
  id: string;
  user_id: string;
  /** Encrypted. */
  secret: string;
  last_step: string | null;
}

/** Indexes: `user_email_key`, `two_factor_user_id_key`. */
async function findFactor(db: Queryable, email: string): Promise<FactorRow | undefined> {
  const [row] = await db.query<FactorRow>(
    `select f.id, f.user_id, f.secret, f.last_step from auth.two_factor f join auth."user" u on u.id = f.user_id
     where u.email = $1`,
    [email],
  );
  return row;
}

/** Returns false if another request moved it. Index: primary key. */
async function moveStep(
  db: Queryable,
  id: string,
  { from, to }: { from: number | null; to: number | null },
): Promise<boolean> {
  const moved = await db.execute(
    'update auth.two_factor set last_step = $3 where id = $1 and last_step is not distinct from $2',
    [id, from, to],
  );
  return moved > 0;
}

/** Returns null if no known secret decrypts it. */
async function decrypt(secrets: OneTimeCodesDeps['secrets'], data: string): Promise<string | null> {
  const { symmetricDecrypt } = await import('better-auth/crypto');
  return symmetricDecrypt({ key: libraryKey(secrets), data }).catch(() => null);
}

/** Returns the latest period that the code belongs to; null: none that is accepted now. */
function findStep(secret: string, code: string): number | null {
  const now = Math.floor(Date.now() / PERIOD_MS);
  const given = Buffer.from(code);
  for (let step = now + TOLERANCE; step >= now - TOLERANCE; step--) {
    const expected = Buffer.from(codeAt(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) return step;
  }
  return null;
}

/** HOTP (RFC 4226) with SHA-1 and six digits. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
