/** The messages about repost rules: what happened to each item that a rule has seen, and the state of its watcher. */
import { messagesOf } from './message.ts';

export const RULE_MESSAGES = {
  // Reposted.
  would_repost: 'Would be reposted to {accounts}.',
  reposting: 'Being reposted to {accounts}.',
  reposted: 'Reposted to {accounts}.',
  reposted_partly: 'Reposted to {accounts}. Failed on {failed}.',
  repost_failed: 'The repost failed. {reason}',
  repost_removed: 'Reposted. The repost was later removed from the history.',
  more_accounts: 'More accounts follow. {reason}',
  source_deleted: 'The source post was deleted later. Its reposts remain.',
  caption_edited: 'The caption was edited later on the source. Its reposts remain unchanged.',

  // Waiting.
  undecided: 'Waiting to be processed.',
  delayed: 'Waiting until {untilAt}, as the rule says.',
  quiet_hours: 'Waiting until {untilAt}, when the quiet hours end.',
  rule_daily_limit: 'The rule reposts at most {limit} a day. Waiting until {untilAt}.',
  back_catalog_queued: 'From the back catalog. Waiting until {untilAt}.',
  back_catalog_behind: 'From the back catalog. Waiting for its turn.',
  rule_paused: 'The rule is paused. Waiting until it is resumed.',
  match_pending: 'Waiting, because an earlier post on this account has an unknown outcome and may be this one.',
  file_fetching: 'Downloading the video from the platform.',
  file_retry: '{reason} Trying to download the video again at {untilAt}.',

  // Skipped.
  filtered_missing_word: 'Skipped: the caption contains none of {words}.',
  filtered_word: 'Skipped: the caption contains “{word}”.',
  filtered_hashtag: 'Skipped: the caption has none of the hashtags {hashtags}.',
  filtered_too_short: 'Skipped: the video is {seconds} s long. The rule requires at least {limit} s.',
  filtered_too_long: 'Skipped: the video is {seconds} s long. The rule allows at most {limit} s.',
  caption_too_long: 'Skipped: the caption has {count} {count|character|characters}. The maximum is {limit}.',
  over_daily_limit: 'Skipped: it waited longer than 3 days for the limit of {limit} a day.',
  no_file: 'Skipped: the video cannot be downloaded. {reason}',
  file_rejected: 'Skipped: {reason}',
  echo: 'Skipped: the same video is already on {place}.',
  video_removed: 'Skipped: the stored video was deleted after its retention period.',
  already_there: 'Skipped: every destination has or had the video.',
  gone: 'Skipped: the post was deleted before it could be reposted.',
  source_private: 'Skipped: the post is not public.',
  posted_while_paused: 'Skipped: posted while the rule was paused.',

  // Why there is no file.
  platform_without_files: '{platform} does not let other applications download its videos.',
  downloader_failed: 'The external downloader failed. {reason}',
  download_failed: 'The download failed. {reason}',

  // The watcher.
  watch_own_only:
    '{platform} does not show posts made in its own app. This rule reposts only what you post with Reelay.',
  watch_announce_only:
    '{platform} does not give out the videos of posts made in its own app. This rule reposts only what you post with Reelay.',
  watch_failing: 'New posts of {account} could not be read since {sinceAt}. {reason}',
  watch_budget_used: 'The limit of {limit} {limit|read|reads} a day is reached. New posts are read again at {untilAt}.',
  watch_share_used:
    'Your share of what may be read of this platform today is used up. The rest is for other users. The next check is at {untilAt}.',
  watch_disconnected: 'New posts are not read, because the account is disconnected. Reconnect it.',
} as const;

export const say = messagesOf(RULE_MESSAGES);
