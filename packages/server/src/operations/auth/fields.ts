/** Fields of the requests of sign-in. */
import { z } from 'zod';
import { text } from '../../http/operation.ts';

export const email = text(254).pipe(z.email());
/** Twice the maximum password length, because a character may take two UTF-16 code units. */
export const password = text(256).min(1);
export const nothing = z.strictObject({});
