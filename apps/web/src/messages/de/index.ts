/** German texts, by page. */
import { accounts } from './accounts.ts';
import { calendar } from './calendar.ts';
import { compose } from './compose.ts';
import { composeTime } from './compose-time.ts';
import { composeVideo } from './compose-video.ts';
import { dateTime } from './date-time.ts';
import { notifications } from './notifications.ts';
import { operator } from './operator.ts';
import { passkey } from './passkey.ts';
import { post } from './post.ts';
import { postOptions } from './post-options.ts';
import { posts } from './posts.ts';
import { preflight } from './preflight.ts';
import { reposts } from './reposts.ts';
import { sandbox } from './sandbox.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { states } from './states.ts';
import { status } from './status.ts';

export const de = {
  states,
  shell,
  status,
  signIn,
  passkey,
  compose,
  postOptions,
  preflight,
  composeVideo,
  composeTime,
  posts,
  post,
  calendar,
  dateTime,
  accounts,
  reposts,
  settings,
  setup,
  notifications,
  operator,
  sandbox,
};
