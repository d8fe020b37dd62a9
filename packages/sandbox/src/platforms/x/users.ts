/** Serves the authenticated user. */
import type { CallerHandler } from './caller.ts';
import { presentUser, USER_FIELDS } from './fields.ts';
import { listOf } from './query.ts';

/** `GET /2/users/me`: id, name, username and the requested fields. */
export const showMe: CallerHandler = async (options, request, { account }) => ({
  status: 200,
  body: { data: presentUser(options, account, listOf(request.query, 'user.fields', USER_FIELDS)) },
});
