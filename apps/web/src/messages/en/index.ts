/** English texts of the first load, by page. ICU message syntax. */
import { compose } from './compose.ts';
import { composeTime } from './compose-time.ts';
import { composeVideo } from './compose-video.ts';
import { dateTime } from './date-time.ts';
import { drafts } from './drafts.ts';
import { postOptions } from './post-options.ts';
import { preflight } from './preflight.ts';
import { shell } from './shell.ts';
import { snippets } from './snippets.ts';
import { states } from './states.ts';
import { status } from './status.ts';

export const en = {
  states,
  shell,
  status,
  compose,
  drafts,
  snippets,
  postOptions,
  preflight,
  composeVideo,
  composeTime,
  dateTime,
};
