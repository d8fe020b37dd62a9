/** Fields of the requests of sign-in. */
import { z } from 'zod';
import { issue } from '../../messages/fields.ts';

/** Text that the database can store, of at most `max` UTF-16 code units. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((given) => given.isWellFormed() && !given.includes('\0'), issue('not_text'));

export const email = text(254).pipe(z.email());
/** Twice the maximum password length, because a character may take two UTF-16 code units. */
export const password = text(256).min(1);
export const nothing = z.strictObject({});
