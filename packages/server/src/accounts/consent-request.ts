/** The confirmation page before a consent: its contents and its access checks. */
import type { Database } from '../db/database.ts';
import { CANCELED, OTHER_USER, type Refusal, refuse, SIGN_IN_FIRST, USED_TICKET } from './consent-refusals.ts';
import { beginConsent, type ConsentRow, readTicket } from './consent-store.ts';
import type { ConsentStep } from './consents.ts';
import type { AccountEvents } from './events.ts';
import type { Platforms } from './platforms.ts';

interface Deps {
  db: Database;
  platforms: Platforms;
  events: AccountEvents;
}

/** What the confirmation page shows. */
export interface ConsentRequest {
  /** The platform's display name. */
  name: string;
  sandbox: boolean;
  /** Masked email address of the user who will own the account. */
  user: string;
  askedAt: Date;
  minutesAgo: number;
  /** Given when connecting started: the account's server, and its name there. */
  service: string | null;
  identifier: string | null;
}

/** A browser that presents a ticket. */
export interface ConsentVisit {
  platform: string;
  ticket: string;
  /** The user signed in in this browser, or null. */
  signedIn: string | null;
}

/** Describes what a ticket is for, without using it. */
export async function describeConsent(needs: Deps, visit: ConsentVisit): Promise<ConsentStep> {
  const found = await readTicket(needs.db, visit.platform, visit.ticket);
  if (!found) return refuse(needs, { ...visit, consent: null, step: 'begun' }, USED_TICKET);
  const obstacle = obstacleFor(visit, found);
  if (obstacle) return refuse(needs, { ...visit, consent: found, step: 'begun' }, obstacle);
  const { sandbox, email, input, asked_at: askedAt, now } = found;
  const minutesAgo = Math.floor((now.getTime() - askedAt.getTime()) / 60_000);
  const { service = null, identifier = null } = input;
  const { name } = needs.platforms.connector(visit.platform);
  return {
    then: 'confirm',
    request: { name, sandbox, user: maskEmail(email), askedAt, minutesAgo, service, identifier },
  };
}

/** Masks an email address so that its owner recognizes it but nobody can write to it: `al…@example.org`. Pure. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const local = [...email.slice(0, at)];
  return `${local.slice(0, Math.min(2, Math.max(1, local.length - 1))).join('')}…${email.slice(at)}`;
}

/** Uses up a ticket without connecting anything. */
export async function cancelConsent(needs: Deps, visit: ConsentVisit): Promise<ConsentStep> {
  const consent = await beginConsent(needs.db, visit.platform, visit.ticket);
  return refuse(needs, { ...visit, consent, step: 'begun' }, consent ? CANCELED : USED_TICKET);
}

/** Returns why this browser may not continue; null if it may. Pure. */
export function obstacleFor(
  { signedIn }: ConsentVisit,
  { user_id, input }: Pick<ConsentRow, 'user_id' | 'input'>,
): Refusal | null {
  if (signedIn !== null) return signedIn === user_id ? null : OTHER_USER;
  return input.actor === 'session' ? SIGN_IN_FIRST : null;
}
