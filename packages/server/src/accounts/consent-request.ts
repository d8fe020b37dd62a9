/** The page before a consent: what it says, and who may go on from there. */
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

/** What a person must know before they let an account be connected. */
export interface ConsentRequest {
  /** The platform's name. */
  name: string;
  sandbox: boolean;
  /** The user whom the account will belong to, by an e-mail address that is not shown in full. */
  user: string;
  askedAt: Date;
  minutesAgo: number;
  /** What was given when connecting began: the account's server, and its name there. */
  service: string | null;
  identifier: string | null;
}

/** A browser that brings a ticket. */
export interface ConsentVisit {
  platform: string;
  ticket: string;
  /** The user who is signed in in the browser, if anybody. */
  signedIn: string | null;
}

/** Describes what a ticket is for, and does not use it. */
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

/** Enough of an address to know it by, not enough to write to it: `al…@example.org`. Pure. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const local = [...email.slice(0, at)];
  return `${local.slice(0, Math.min(2, Math.max(1, local.length - 1))).join('')}…${email.slice(at)}`;
}

/** Uses a ticket up without connecting anything. */
export async function cancelConsent(needs: Deps, visit: ConsentVisit): Promise<ConsentStep> {
  const consent = await beginConsent(needs.db, visit.platform, visit.ticket);
  return refuse(needs, { ...visit, consent, step: 'begun' }, consent ? CANCELED : USED_TICKET);
}

/** Why this browser may not go on; null: it may. Pure. */
export function obstacleFor(
  { signedIn }: ConsentVisit,
  { user_id, input }: Pick<ConsentRow, 'user_id' | 'input'>,
): Refusal | null {
  if (signedIn !== null) return signedIn === user_id ? null : OTHER_USER;
  return input.actor === 'session' ? SIGN_IN_FIRST : null;
}
