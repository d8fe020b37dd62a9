import { createHmac } from 'node:crypto';
import { type Config, isLoopback } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Queryable } from '../db/database.ts';
import { anyUser, installationId } from './store.ts';

/**
 * What the first sign-up must carry where others can reach the service before its owner does. The same on every node
 * and after a restart; worth nothing once there is a user.
 */
export async function firstUserToken(db: Queryable, secrets: Secrets): Promise<string> {
  const id = await installationId(db);
  return createHmac('sha256', secrets.links).update(`first sign-up ${id}`).digest('base64url').slice(0, 24);
}

/** What to tell whoever starts a service that has no user yet; nothing when there is one. */
export async function firstSteps(db: Queryable, config: Config, secrets: Secrets): Promise<string[]> {
  if (await anyUser(db)) return [];
  const steps = ['Make the first user, the operator:', '  npx reelay users create --email you@example.org'];
  if (config.signup === 'closed' || isLoopback(new URL(config.publicUrl).hostname)) return steps;
  return [...steps, `or sign up with this token: ${await firstUserToken(db, secrets)}`];
}
