/** Serves the authenticated user. */
import type { CallerHandler } from './caller.ts';
import { listOf } from './query.ts';

const FIELDS = [
  'created_at',
  'description',
  'id',
  'name',
  'profile_image_url',
  'protected',
  'public_metrics',
  'subscription_type',
  'url',
  'username',
  'verified',
  'verified_type',
] as const;

/** `GET /2/users/me`: id, name, username and the requested fields. */
export const showMe: CallerHandler = async (options, request, { account }) => {
  const asked = listOf(request.query, 'user.fields', FIELDS);
  const all: Record<string, string | boolean> = {
    profile_image_url: `${options.baseUrl}/profile_images/${account.id}`,
    protected: false,
    subscription_type: account.subscription,
    verified: account.subscription !== 'None',
    verified_type: account.subscription === 'None' ? 'none' : 'blue',
  };
  const chosen = Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name)));
  return { status: 200, body: { data: { id: account.id, name: account.name, username: account.username, ...chosen } } };
};
