import { createClient } from '@reelay/sdk';

/** Returns the email address of the signed-in user; null if nobody is, or the service does not say. */
export async function readUser(): Promise<string | null> {
  const { session } = createClient({ baseUrl: window.location.origin });
  const current = await session.current().catch(() => null);
  return current?.email ?? null;
}
