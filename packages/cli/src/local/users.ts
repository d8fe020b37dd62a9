import type { Environment } from '@reelay/server/config/env.ts';
import type { PlanName } from '@reelay/server/config/plan-names.ts';
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
    line(`${email} is a user on plan ${plan}${operator ? ', and the operator' : ''}.`);
    if (generatedPassword !== null) line(`Password, shown only now: ${generatedPassword}`);
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
    for (const row of table(['E-MAIL', 'PLAN', 'NOTES', 'SINCE'], rows)) line(row);
  });
}

export async function changePlan(env: Environment, options: { user: string; plan: PlanName }): Promise<void> {
  await withLocal(env, async ({ db }) => setPlan(db, options.user, options.plan));
  line(`${options.user} is on plan ${options.plan} now.`);
}

export async function changeLate(env: Environment, options: { user: string; late: LatePolicy }): Promise<void> {
  await withLocal(env, async ({ db }) => setLate(db, options.user, options.late));
  const what = options.late === 'skip' ? 'skipped' : 'posted';
  line(`Posts of ${options.user} that come late are ${what} from now on.`);
}

export async function changePassword(
  env: Environment,
  { user, revokeKey, ...options }: PasswordOptions & { user: string; revokeKey?: boolean },
): Promise<void> {
  const password = await passwordIn(options);
  const { generatedPassword, apiKey } = await withLocal(env, async ({ db }) =>
    setPassword(db, user, { password, revokeKey }),
  );
  line(`The password of ${user} is set; their sessions have ended.`);
  if (apiKey === 'active') line('Their API key stays active. Revoke it with --revoke-key.');
  if (apiKey === 'revoked') line('Their API key is revoked.');
  if (generatedPassword !== null) line(`Password, shown only now: ${generatedPassword}`);
}

export async function suspend(env: Environment, user: string): Promise<void> {
  await withLocal(env, async ({ db }) => suspendUser(db, user));
  line(`${user} is suspended.`);
}

export async function resume(env: Environment, user: string): Promise<void> {
  await withLocal(env, async ({ db }) => resumeUser(db, user));
  line(`${user} is no longer suspended.`);
}

export async function remove(env: Environment, user: string): Promise<void> {
  await withLocal(env, async ({ db }) => deleteUser(db, user));
  line(`${user} is removed, with everything of theirs here.`);
}

async function passwordIn({ password, passwordStdin }: PasswordOptions): Promise<string | undefined> {
  if (!passwordStdin) return password;
  if (password !== undefined) throw new Error('Give --password or --password-stdin, not both.');
  return secretFromInput('password');
}
