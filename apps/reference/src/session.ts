import { createClient } from '@reelay/sdk';

/** Returns the email address of the signed-in user; null if nobody is. */
export async function readUser(): Promise<string | null> {
  const { session } = createClient({ baseUrl: window.location.origin });
  return (await session.current())?.email ?? null;
}
