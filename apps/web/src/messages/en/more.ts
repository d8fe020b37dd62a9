/** English texts of the pages that are loaded later. */
import { accounts } from './accounts.ts';
import { calendar } from './calendar.ts';
import { notifications } from './notifications.ts';
import { operator } from './operator.ts';
import { passkey } from './passkey.ts';
import { post } from './post.ts';
import { posts } from './posts.ts';
import { reposts } from './reposts.ts';
import { sandbox } from './sandbox.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { signIn } from './sign-in.ts';

export const more = {
  signIn,
  passkey,
  posts,
  post,
  calendar,
  accounts,
  notifications,
  reposts,
  settings,
  setup,
  operator,
  sandbox,
};
