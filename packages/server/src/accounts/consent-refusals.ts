/** Our own refusals while an account is connected by consent. */
import type { Queryable } from '../db/database.ts';
import { type AttemptStep, noteFailure } from './attempts.ts';
import type { ConsentRow } from './consent-store.ts';
import type { ConsentStep } from './consents.ts';
import type { AccountEvents } from './events.ts';

export type Refusal = readonly [status: number, title: string, reason: string];
export const USED_TICKET: Refusal = [410, 'This link has been used or has run out', 'Begin again where you got it.'];
export const OTHER_USER: Refusal = [
  403,
  'This link is another user’s',
  'It would let another user post to your account. If somebody sent it to you, close this page.',
];
export const SIGN_IN_FIRST: Refusal = [
  403,
  'You are not signed in',
  'This link works only in the browser in which its user is signed in to Reelay. If you did not ask for it yourself, close this page.',
];
export const CANCELED: Refusal = [200, 'Nothing was connected', 'You canceled it. The link no longer works.'];
export const UNKNOWN_ANSWER: Refusal = [
  400,
  'This answer belongs to nothing',
  'It was used already, or nobody waits for it. Begin again.',
];
export const OTHER_BROWSER: Refusal = [
  400,
  'This was begun in another browser',
  'Finish it there, or begin again here. Cookies must be allowed.',
];
export const USED_ANSWER: Refusal = [400, 'This answer was used already', 'Look at your accounts, or begin again.'];
export const TOO_LATE: Refusal = [
  410,
  'That took too long',
  'Ten minutes are allowed between beginning and allowing. Begin again.',
];

export const NOTHING_CHOSEN: Refusal = [400, 'Nothing was chosen', 'Go back and choose at least one account.'];

/** Refuses the step and reports it to the user, the attempt record and the log. */
export async function refuse(
  { events, db }: { events: AccountEvents; db: Queryable },
  {
    platform,
    consent,
    step,
  }: { platform: string; consent: Pick<ConsentRow, 'id' | 'user_id'> | null; step: AttemptStep },
  [status, title, reason]: Refusal,
): Promise<ConsentStep> {
  const why = { reason: `${title}. ${reason}`, status };
  const attempt = consent?.id ?? null;
  events.connectFailed(
    { userId: consent?.user_id ?? null, platform: platform.slice(0, 50), where: step, attempt },
    why,
  );
  if (attempt) await noteFailure(db, attempt, step, why);
  return { then: 'refused', status, title, reason, attempt };
}
