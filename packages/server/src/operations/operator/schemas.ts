/** Schemas shared by the operations of the operator. */
import { z } from 'zod';
import { wholeNumber } from '../../http/operation.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** Query parameters of a page. */
export const pageQuery = {
  cursor: z.string().optional().meta({ description: '`next` of the previous page, with the same other parameters.' }),
  limit: wholeNumber(1, MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({
      description: 'Entries per page.',
      documentedAs: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    }),
};

/** The cursor in a page. */
export const next = z
  .string()
  .nullable()
  .meta({ description: 'The cursor of the next page; null if this is the last.' });
