import type { Environment } from '@reelay/server/config/env.ts';
import type { PlanName } from '@reelay/server/config/plan-names.ts';
import { removeSecondFactor } from '@reelay/server/users/second-factor.ts';
import {
  createUser,
  deleteUser,
  type LatePolicy,
  listAllUsers,
  resumeUser,
  setLate,
  setPassword,
  setPlan,
  suspendUser,
} from '@reelay/server/users/service.ts';
import { ERROR, TEXT } from '../messages.ts';
import { json, line, table } from '../output.ts';
import { secretFromInput } from './input.ts';
import { withLocal } from './open.ts';

interface PasswordOptions {
  password?: string;
  passwordStdin?: boolean;
}

export async function create(
  env: Environment,
  options: PasswordOptions & { email: string; plan?: PlanName; json?: boolean },
): Promise<void> {
  const given = await passwordIn(options);
  await withLocal(env, async ({ db, config }) => {
    const plan = options.plan ?? (config.defaultPlan as PlanName);
    const { id, operator, generatedPassword } = await createUser(db, { email: options.email, plan, password: given });
    const email = options.email.trim().toLowerCase();
    const shown = generatedPassword === null ? {} : { password: generatedPassword };
    if (options.json) return json({ id, email, plan, operator, ...shown });
    line(TEXT.userCreated(email, plan, operator));
    if (generatedPassword !== null) line(TEXT.generatedPassword(generatedPassword));
  });
}

export async function list(env: Environment, options: { json?: boolean }): Promise<void> {
  await withLocal(env, async ({ db }) => {
    const users = await listAllUsers(db);
    if (options.json) return json(users);
    const rows = users.map((user) => [
      user.email,
      user.plan,
      [user.operator && 'operator', user.suspended && 'suspended', user.late === 'skip' && 'late: skip']
        .filter(Boolean)
        .join(', '),
      user.createdAt.slice(0, 10),
    ]);
    for (const row of table(['EMAIL', 'PLAN', 'NOTES', 'SINCE'], rows)) line(row);
  });
}

export async function changePlan(env: Environment, options: { user: string; plan: PlanName }): Promise<void> {
  await withLocal(env, async ({ db }) => setPlan(db, options.user, options.plan));
  line(TEXT.planChanged(options.user, options.plan));
}

export async function changeSettings(
  env: Environment,
  { user, late, secondFactor }: { user: string; late?: LatePolicy; secondFactor?: 'off' },
): Promise<void> {
  if (late === undefined && secondFactor === undefined) throw new Error(ERROR.nothingToSet);
  await withLocal(env, async ({ db }) => {
    if (late !== undefined) {
      await setLate(db, user, late);
      line(TEXT.latePosts(user, late === 'skip'));
    }
    if (secondFactor !== undefined) line(TEXT.secondFactorRemoved(user, await removeSecondFactor(db, user)));
  });
}

export async function changePassword(
  env: Environment,
  {
    user,
    revokeKey,
    keepPasskeys,
    ...options
  }: PasswordOptions & { user: string; revokeKey?: boolean; keepPasskeys?: boolean },
): Promise<void> {
  const password = await passwordIn(options);
  const { generatedPassword, apiKey, passkeys, revokedPasskeys } = await withLocal(env, async ({ db }) =>
    setPassword(db, user, { password, revokeKey, revokePasskeys: !keepPasskeys }),
  );
  line(TEXT.passwordChanged(user));
  if (apiKey === 'active') line(TEXT.keyStaysActive);
  if (apiKey === 'revoked') line(TEXT.keyRevoked);
  if (revokedPasskeys > 0) line(TEXT.passkeysRemoved(revokedPasskeys));
  if (passkeys > 0) line(TEXT.passkeysStay(passkeys));
  if (generatedPassword !== null) line(TEXT.generatedPassword(generatedPassword));
}

export async function suspend(env: Environment, user: string): Promise<void> {
  await withLocal(env, async ({ db }) => suspendUser(db, user));
  line(TEXT.userSuspended(user));
}

export async function resume(env: Environment, user: string): Promise<void> {
  await withLocal(env, async ({ db }) => resumeUser(db, user));
  line(TEXT.userResumed(user));
}

export async function remove(env: Environment, user: string): Promise<void> {
  await withLocal(env, async ({ db }) => deleteUser(db, user));
  line(TEXT.userDeleted(user));
}

async function passwordIn({ password, passwordStdin }: PasswordOptions): Promise<string | undefined> {
  if (!passwordStdin) return password;
  if (password !== undefined) throw new Error(ERROR.passwordTwice);
  return secretFromInput('password');
}
