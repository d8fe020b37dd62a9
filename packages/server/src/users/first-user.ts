import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Config, isPublic } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Queryable } from '../db/database.ts';
import type { Message, MessageRef } from '../messages/message.ts';
import { signUpMessage } from '../messages/sign-in.ts';
import { anyUser, installationId } from './user-store.ts';

/** Header of the first sign-up, unless it is made on this machine. */
export const FIRST_TOKEN_HEADER = 'x-reelay-sign-up-token';

/** A rejected sign-up, in better-auth's error format, with its message for other languages. */
export interface SignUpRefusal {
  code: 'SIGN_UP_CLOSED' | 'SIGN_UP_TOKEN_NEEDED';
  message: string;
  said: MessageRef;
}

const refusalOf = (code: SignUpRefusal['code'], said: Message): SignUpRefusal => ({ code, message: said.text, said });

export const SIGN_UP_CLOSED = refusalOf('SIGN_UP_CLOSED', signUpMessage('SIGN_UP_CLOSED'));

/**
 * The token that the first sign-up requires if others can reach the service before its owner does. It is the same on
 * every node and after a restart, and useless once a user exists.
 */
export async function firstUserToken(db: Queryable, secrets: Secrets): Promise<string> {
  const id = await installationId(db);
  return createHmac('sha256', secrets.links).update(`first sign-up ${id}`).digest('base64url').slice(0, 24);
}

/** Whether a visitor can sign up; `token`: only with the token of the first user. */
export type SignUpAccess = 'open' | 'token' | 'closed';

/**
 * Returns whether a user exists, and whether a visitor can sign up. The first user becomes the operator. So a first
 * sign-up from another machine always requires the token, regardless of the configuration.
 */
export async function signUpAccess(
  { db, config }: { db: Queryable; config: Pick<Config, 'signup'> },
  request: { local: boolean },
): Promise<{ userExists: boolean; access: SignUpAccess }> {
  const userExists = await anyUser(db);
  if (config.signup === 'closed') return { userExists, access: 'closed' };
  if (userExists) return { userExists, access: config.signup === 'open' ? 'open' : 'closed' };
  return { userExists, access: request.local ? 'open' : 'token' };
}

/** Returns why a sign-up is rejected; null if it is allowed. */
export async function refuseSignUp(
  { db, config, secrets }: { db: Queryable; config: Pick<Config, 'signup' | 'publicUrl' | 'listen'>; secrets: Secrets },
  request: { local: boolean; token: string },
): Promise<SignUpRefusal | null> {
  const { access } = await signUpAccess({ db, config }, request);
  if (access !== 'token') return access === 'open' ? null : SIGN_UP_CLOSED;
  const wanted = Buffer.from(await firstUserToken(db, secrets));
  const given = Buffer.from(request.token);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return null;
  const token = signUpMessage(isPublic(config) ? 'token_printed' : 'token_unavailable');
  return refusalOf('SIGN_UP_TOKEN_NEEDED', signUpMessage('SIGN_UP_TOKEN_NEEDED', { token }));
}

/** Instructions printed at startup while no user exists; otherwise empty. */
export async function firstSteps(db: Queryable, config: Config, secrets: Secrets): Promise<string[]> {
  if (await anyUser(db)) return [];
  const isOpen = config.signup !== 'closed';
  // After the #, so that it reaches no log.
  const token = isOpen && isPublic(config) ? `#${await firstUserToken(db, secrets)}` : '';
  const inBrowser = isOpen ? [`  ${config.publicUrl}/app/sign-in${token}`, 'Or on the command line:'] : [];
  return [
    'Create the first user, who becomes the operator:',
    ...inBrowser,
    '  npx reelay users create --email you@example.org',
  ];
}
