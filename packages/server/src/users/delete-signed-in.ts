/** Deletes the user of a session, whose password was verified. */
import type { Database } from '../db/database.ts';
import { signInMessage } from '../messages/sign-in.ts';
import { deleteUser } from './service.ts';
import { anyOtherUser, findUser } from './user-store.ts';

const OPERATOR_NEEDED = { code: 'OPERATOR_NEEDED', message: signInMessage('OPERATOR_NEEDED').text };

/** Returns the response. The operator can be deleted only as the last user, because nobody else becomes operator. */
export async function deleteSignedIn(db: Database, email: string): Promise<Response> {
  const user = await findUser(db, email);
  if (user?.operator && (await anyOtherUser(db, user.id))) return Response.json(OPERATOR_NEEDED, { status: 409 });
  // Another request may have deleted the user meanwhile.
  if (user) await deleteUser(db, email, 'session');
  return Response.json({ status: true });
}
