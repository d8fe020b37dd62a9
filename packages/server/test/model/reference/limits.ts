/** The numbers that the documents promise. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const DAY_MS = 24 * HOUR;
export const MINUTE_MS = MINUTE;
export const HOUR_MS = HOUR;
/** "An account is checked every 1 to 15 minutes." */
export const CHECK_MS = 15 * MINUTE;
/** "They were published within 7 days of each other." */
export const SAME_VIDEO_WINDOW_MS = 7 * DAY_MS;
/** "Their lengths differ by at most half a second." */
export const SAME_LENGTH_MS = 500;
/** "A whole-second duration counts as unknown when it differs by less than 1.5 s." */
export const WHOLE_SECOND_MS = 1500;
/** "Become public within 48 hours of their publication." */
export const LATE_PUBLIC_MS = 48 * HOUR;
/** "Content that appears more than 89 days after it was posted is ignored." */
export const MAX_AGE_MS = 89 * DAY_MS;
/** "What still waits 3 days after it first had to is skipped." */
export const LIMIT_WAIT_MS = 3 * DAY_MS;
/** "If the file cannot be had (announce-only, refused, or 24 h)." */
export const FILE_WAIT_MS = 24 * HOUR;
/** `maxPerDay` of posts that were not made through Reelay, without the option. */
export const DEFAULT_FOREIGN_LIMIT = 25;
/** `MEDIA_RETENTION_DAYS`: a video is kept until 30 days after its last target settled. */
export const RETENTION_MS = 30 * DAY_MS;
/** "Lists every item that the rule saw, newest first, for 90 days." */
export const ACTIVITY_MS = 90 * DAY_MS;
export const MAX_CAPTION = 5000;
export const MIN_VIDEO_MS = 3000;
export const MAX_VIDEO_MS = 90_000;
/** "500 new posts a day" of one watched account. */
export const MAX_FOUND_PER_DAY = 500;

/** Two actions closer than this are a race: the documents allow both orders. */
export const RACE_MS = 1000;
/** Lengths within this distance of a bound can be measured on either side of it. */
export const LENGTH_TOLERANCE_MS = 50;
/** How many newer posts of a destination the model expects to be compared. The documents give no number. */
export const NEWEST_POSTS = 10;
