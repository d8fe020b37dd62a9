/** What a browser returns for a challenge (WebAuthn, `PublicKeyCredential.toJSON`). better-auth checks the content. */
import { z } from 'zod';

const base64url = z
  .string()
  .max(8_192)
  .regex(/^[\w-]*$/);
const credential = <Shape extends z.ZodRawShape>(response: Shape) =>
  z.object({
    id: base64url.min(1).max(1_400),
    rawId: base64url.max(1_400),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: base64url, ...response }),
    clientExtensionResults: z.object({}).optional().default({}),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  });

export const registered = credential({
  attestationObject: base64url,
  transports: z.array(z.string().max(20)).max(10).optional(),
});

export const asserted = credential({
  authenticatorData: base64url,
  signature: base64url,
  userHandle: base64url.nullish(),
});
