/** Schemas shared by the operations of the dashboard. */
import { z } from 'zod';
import { timestamp, wholeNumber } from '../../http/operation.ts';
import { issue } from '../../messages/fields.ts';
import { entry } from '../post/schemas.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** A post in the dashboard's lists. */
const post = entry
  .extend({ createdAt: timestamp.meta({ description: 'When the post was received, or made by a rule.' }) })
  .meta({ id: 'DashboardPost' });

/** Query parameters of a page. */
export const pageQuery = {
  cursor: z.string().optional().meta({ description: '`next` of the previous page, with the same other parameters.' }),
  limit: wholeNumber(1, MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({
      description: 'Maximum number of posts per page. A page of posts with long texts and many accounts has fewer.',
      documentedAs: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    }),
};

/** Properties of a page of posts. */
export const page = {
  data: z.array(post),
  next: z.string().nullable().meta({ description: 'The cursor of the next page; null if this is the last.' }),
};

/** The latest time that a Date can hold, in ms (ECMA-262, 21.4.1.1). */
const FARTHEST = 8_640_000_000_000_000;
const ISO = z.iso.datetime({ offset: true });

/** A moment in a query, in ms since the epoch. */
export const moment = z
  .string()
  .transform((text) =>
    /^-?\d+$/.test(text) ? Number(text) : ISO.safeParse(text).success ? Date.parse(text) : Number.NaN,
  )
  .refine((ms) => Math.abs(ms) <= FARTHEST, issue('not_moment'))
  .meta({
    documentedAs: {
      anyOf: [
        { type: 'integer', minimum: -FARTHEST, maximum: FARTHEST },
        { type: 'string', format: 'date-time' },
      ],
    },
  });
