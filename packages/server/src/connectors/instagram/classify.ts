/**
 * Maps Instagram's own error codes to failures (Instagram Platform, "Error codes"). The kit handles the general ones.
 */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { type GraphError, graphError, graphFailure } from '../kit/graph.ts';

const HOUR_MS = 3_600_000;
const NOT_READY_MS = 30_000;

/** Converts an error response to a {@link Failure}. Never throws. */
export function failureOf(answer: HttpAnswer): Failure {
  return graphFailure(answer, 'Instagram', ownMeaning);
}

/**
 * Returns the code that {@link CommitPlan.answers} matches for `media_publish`. If all subcodes of a code prove the
 * same, it is the code alone. "" if the error is not the Graph API's. Never throws.
 */
export function codeOf(answer: HttpAnswer): string {
  const error = graphError(answer);
  if (!error) return '';
  if (error.subcode !== null && ownSubcode(error.subcode) !== null) return error.name;
  if (error.code >= 200 && error.code <= 299) return '200';
  return [4, 10, 17, 32, 102, 190, 341, 368, 613, 80002].includes(error.code) ? String(error.code) : error.name;
}

/** Why a container failed, from the code in its `status` text; null if unknown. */
export function containerFailure(status: string): Failure | null {
  const subcode = /\b(2207\d{3})\b/.exec(status)?.[1];
  const meaning = subcode === undefined ? null : ownSubcode(Number(subcode));
  return meaning && subcode !== undefined ? { ...meaning, platformCode: subcode } : null;
}

/** Whether the platform could not fetch the video from us. */
export function isUnfetched(failure: Failure): boolean {
  return /(^|\/)(2207052|2207003|2207077)$/.test(failure.platformCode ?? '');
}

/** The daily posts are used up. The window is moving, so the wait is an hour. */
export const DAY_IS_FULL: Failure = {
  kind: 'rateLimited',
  waitMs: HOUR_MS,
  scope: 'account',
  window: 'daily',
  detail: 'Instagram allows no more posts on this account today.',
};

function ownMeaning(error: GraphError): Failure | null {
  return (error.subcode === null ? null : ownSubcode(error.subcode)) ?? ownCode(error.code);
}

function ownSubcode(subcode: number): Failure | null {
  switch (subcode) {
    case 2207003:
    case 2207052:
    case 2207077:
      return { kind: 'transient', detail: 'Instagram could not fetch the video from us.' };
    case 2207001:
    case 2207020:
    case 2207032:
    case 2207053:
    case 2207076:
    case 2207082:
      return { kind: 'transient', detail: 'Instagram had a passing trouble with the video.' };
    case 2207006:
    case 2207008:
      return { kind: 'transient', waitMs: NOT_READY_MS, detail: 'Instagram does not know what was prepared (yet).' };
    case 2207027:
      return { kind: 'transient', waitMs: NOT_READY_MS, detail: 'Instagram has not finished with the video.' };
    case 2207004:
    case 2207005:
    case 2207009:
    case 2207026:
      return { kind: 'rejected', what: 'video', detail: 'Instagram cannot take a video of this format.' };
    case 2207010:
      return { kind: 'rejected', what: 'caption', detail: 'Instagram says that the text is too long.' };
    case 2207040:
      return { kind: 'rejected', what: 'caption', detail: 'Instagram takes at most 20 tags of people in a text.' };
    case 2207042:
      return DAY_IS_FULL;
    case 2207050:
      return {
        kind: 'rejected',
        what: 'permission',
        detail: 'Instagram has restricted the account. Its owner has to sign in there and see to it.',
      };
    case 2207051:
      return { kind: 'rejected', what: 'policy', detail: 'Instagram blocked this as spam.' };
    case 2207081:
      return { kind: 'rejected', what: 'other', detail: 'Instagram does not let this account post trial reels.' };
    case 2207023:
    case 2207057:
      return { kind: 'rejected', what: 'other', detail: 'Instagram did not accept what was asked.' };
    default:
      return null;
  }
}

/** Fallback by code alone, for a missing or unknown subcode. */
function ownCode(code: number): Failure | null {
  switch (code) {
    case 9:
      return DAY_IS_FULL;
    case 24:
      return ownSubcode(2207008);
    case 25:
      return ownSubcode(2207050);
    case 352:
      return ownSubcode(2207026);
    case 9004:
      return ownSubcode(2207052);
    case 9007:
      return ownSubcode(2207027);
    case 36004:
      return ownSubcode(2207010);
    default:
      return null;
  }
}
