/** English texts, by page. ICU message syntax. */
import { accounts } from './accounts.ts';
import { calendar } from './calendar.ts';
import { compose } from './compose.ts';
import { dateTime } from './date-time.ts';
import { operator } from './operator.ts';
import { post } from './post.ts';
import { posts } from './posts.ts';
import { reposts } from './reposts.ts';
import { sandbox } from './sandbox.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { states } from './states.ts';
import { status } from './status.ts';

export const en = {
  states,
  shell,
  status,
  signIn,
  compose,
  posts,
  post,
  calendar,
  dateTime,
  accounts,
  reposts,
  settings,
  operator,
  sandbox,
};
