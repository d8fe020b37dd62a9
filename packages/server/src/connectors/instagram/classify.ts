/**
 * Maps Instagram's own error codes to failures (Instagram Platform, "Error codes"). The kit handles the general ones.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { HOUR } from '../../time.ts';
import { type ErrorRow, findFailure } from '../kit/classify.ts';
import { rateLimited, rejected, transient } from '../kit/failures.ts';
import { type GraphError, graphError, graphFailure } from '../kit/graph.ts';

const NOT_READY_MS = 30_000;

/** Converts an error response to a {@link Failure}. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  return graphFailure(response, 'Instagram', ownMeaning);
}

/**
 * Returns the code that {@link CommitPlan.answers} matches for `media_publish`. If all subcodes of a code prove the
 * same, it is the code alone. "" if the error is not the Graph API's. Never throws.
 */
export function codeOf(response: HttpResponse): string {
  const error = graphError(response);
  if (!error) return '';
  if (ownSubcode(error.subcode) !== null) return error.name;
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
export const DAY_IS_FULL: Failure = rateLimited(
  'account',
  'daily',
  HOUR,
  'Instagram allows no more posts on this account today.',
);

/** Rows by subcode. A missing or unknown subcode is replaced by the one that its code alone stands for. */
const SUBCODES: readonly ErrorRow[] = [
  {
    code: ['2207003', '2207052', '2207077'],
    failure: transient('Instagram could not fetch the video from us.'),
  },
  {
    code: ['2207001', '2207020', '2207032', '2207053', '2207076', '2207082'],
    failure: transient('Instagram had a passing trouble with the video.'),
  },
  {
    code: ['2207006', '2207008'],
    failure: transient('Instagram does not know what was prepared (yet).', NOT_READY_MS),
  },
  { code: '2207027', failure: transient('Instagram has not finished with the video.', NOT_READY_MS) },
  {
    code: ['2207004', '2207005', '2207009', '2207026'],
    failure: rejected('video', 'Instagram cannot take a video of this format.'),
  },
  { code: '2207010', failure: rejected('caption', 'Instagram says that the text is too long.') },
  { code: '2207040', failure: rejected('caption', 'Instagram takes at most 20 tags of people in a text.') },
  { code: '2207042', failure: DAY_IS_FULL },
  {
    code: '2207050',
    failure: rejected(
      'permission',
      'Instagram has restricted the account. Its owner has to sign in there and see to it.',
    ),
  },
  { code: '2207051', failure: rejected('policy', 'Instagram blocked this as spam.') },
  { code: '2207081', failure: rejected('other', 'Instagram does not let this account post trial reels.') },
  { code: ['2207023', '2207057'], failure: rejected('other', 'Instagram did not accept what was asked.') },
];

const SUBCODE_OF: Readonly<Record<number, number>> = {
  9: 2207042,
  24: 2207008,
  25: 2207050,
  352: 2207026,
  9004: 2207052,
  9007: 2207027,
  36004: 2207010,
};

function ownMeaning({ code, subcode }: GraphError): Failure | null {
  return ownSubcode(subcode) ?? ownSubcode(SUBCODE_OF[code] ?? null);
}

function ownSubcode(subcode: number | null): Failure | null {
  return subcode === null ? null : findFailure(SUBCODES, { code: String(subcode), message: '' });
}
