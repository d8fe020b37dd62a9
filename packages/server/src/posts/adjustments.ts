/** How requests name what is made of a video. Pure. */
import { apiError } from '../errors/reelay-error.ts';
import { type Adjustments, CENTER, type Fit } from '../media/types.ts';

/** The fields of a request, with times in seconds. */
export interface AdjustmentFields {
  fit?: Fit | null | undefined;
  cropPosition?: number | undefined;
  trimStart?: number | null | undefined;
  trimEnd?: number | null | undefined;
}

/** @throws ReelayError `invalid_request` if the part ends before it starts */
export function adjustmentsOf({ fit, cropPosition, trimStart, trimEnd }: AdjustmentFields): Adjustments {
  const startMs = Math.round((trimStart ?? 0) * 1_000);
  const endMs = trimEnd === undefined || trimEnd === null ? null : Math.round(trimEnd * 1_000);
  if (endMs !== null && endMs <= startMs) throw apiError('trim_reversed');
  const isWhole = startMs === 0 && endMs === null;
  return { fit: fit ?? null, cropPosition: cropPosition ?? CENTER, trim: isWhole ? null : { startMs, endMs } };
}
