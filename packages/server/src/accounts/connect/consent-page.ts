/** The page before a consent: its content, who may continue from it, and our own refusals. */
import type { Database, Queryable } from '../../db/database.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { CONSENT_REFUSALS, type ConsentRefusal, wholeRefusal } from '../../messages/pages.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import type { OfferedAccount } from './account-selection.ts';
import type { ConnectedAccount } from './account-writer.ts';
import { type AttemptStep, beginConsent, type ConsentRow, noteFailure, readTicket } from './attempt-store.ts';

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

/** Outcome of a step of the consent flow, for the page that shows it. */
export type ConsentStep =
  | { then: 'confirm'; request: ConsentRequest }
  /** @param browser token that the browser keeps in a cookie and sends to the callback */
  | { then: 'redirect'; url: string; browser: string }
  | { then: 'connected'; platform: string; accounts: ConnectedAccount[] }
  /**
   * The consent covers several accounts, or one that lacks a required choice. The user submits the selected accounts
   * and choices with this token.
   */
  | { then: 'choose'; platform: string; name: string; token: string; accounts: readonly OfferedAccount[] }
  /** @param attempt the attempt's id, if it is known */
  | { then: 'refused'; status: number; title: Message; reason: Message; attempt: string | null };

/** A browser that presents a ticket. */
export interface ConsentVisit {
  platform: string;
  ticket: string;
  /** The user signed in in this browser, or null. */
  signedIn: string | null;
}

/** Describes what a ticket is for, without using it. */
export async function describeConsent(deps: Deps, visit: ConsentVisit): Promise<ConsentStep> {
  const found = await readTicket(deps.db, visit.platform, visit.ticket);
  if (!found) return refuse(deps, { ...visit, consent: null, step: 'begun' }, CONSENT_REFUSALS.ticket_used);
  const obstacle = obstacleFor(visit, found);
  if (obstacle) return refuse(deps, { ...visit, consent: found, step: 'begun' }, obstacle);
  const { sandbox, email, input, asked_at: askedAt, now } = found;
  const minutesAgo = Math.floor((now.getTime() - askedAt.getTime()) / MINUTE);
  const { service = null, identifier = null } = input;
  const { name } = deps.platforms.connector(visit.platform);
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
export async function cancelConsent(deps: Deps, visit: ConsentVisit): Promise<ConsentStep> {
  const consent = await beginConsent(deps.db, visit.platform, visit.ticket);
  return refuse(
    deps,
    { ...visit, consent, step: 'begun' },
    consent ? CONSENT_REFUSALS.canceled : CONSENT_REFUSALS.ticket_used,
  );
}

/** Returns why this browser may not continue; null if it may. Pure. */
export function obstacleFor(
  { signedIn }: ConsentVisit,
  { user_id, input }: Pick<ConsentRow, 'user_id' | 'input'>,
): ConsentRefusal | null {
  if (signedIn !== null) return signedIn === user_id ? null : CONSENT_REFUSALS.other_user;
  return input.actor === 'session' ? CONSENT_REFUSALS.sign_in_first : null;
}

/** Refuses the step and reports it to the user, the attempt record and the log. */
export async function refuse(
  { events, db }: { events: AccountEvents; db: Queryable },
  {
    platform,
    consent,
    step,
  }: { platform: string; consent: Pick<ConsentRow, 'id' | 'user_id'> | null; step: AttemptStep },
  refusal: ConsentRefusal,
): Promise<ConsentStep> {
  const why = { reason: wholeRefusal(refusal), status: refusal.status };
  const attempt = consent?.id ?? null;
  events.connectFailed(
    { userId: consent?.user_id ?? null, platform: platform.slice(0, 50), where: step, attempt },
    why,
  );
  if (attempt) await noteFailure(db, attempt, step, why);
  return { then: 'refused', ...refusal, attempt };
}
