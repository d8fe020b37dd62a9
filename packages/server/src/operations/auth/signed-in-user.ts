import { z } from 'zod';

/** The user in responses of sign-in. */
export const signedInUser = z
  .object({ id: z.uuid(), email: z.string(), name: z.string() })
  .meta({ id: 'SignedInUser' });
