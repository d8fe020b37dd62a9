export const post = {
  scheduled: 'Scheduled',
  posting: 'Posting …{retrying, plural, =0 {} one { # account is being retried} other { # accounts are being retried}}',
  deleted: 'This post was deleted',
  outcome: { all: 'Posted', some: 'Posted to {posted} of {total}', none: 'Not posted', unknown: 'Outcome unknown' },
  counts:
    '{posted} of {total} posted{failed, plural, =0 {} other {, # failed}}{unknown, plural, =0 {} other {, # with an unknown outcome}}{retrying, plural, =0 {} other {, # being retried}}',
  repostOf: 'Repost. Open the original',
  all: 'All posts',
  open: 'Open post',
  ownCaption: 'Caption: {caption}',

  edit: 'Edit',
  more: 'Show all',
  less: 'Show less',
  continueEdit: 'Continue editing',
  editTitle: 'Edit post',
  notEditable: 'This post can no longer be changed',
  notEditableHint: 'A post can be changed until it begins.',
  begun: 'It has begun meanwhile. What you changed here cannot be saved.',
  ofRule: 'This is a repost. It keeps the video and the accounts of its rule.',
  coverAt: 'Cover (second of the video)',
  coverHint: 'The picture that people see before the video plays. It is made when you save.',
  replaceVideo: 'Choose another video',
  keepVideo: 'Keep the present video',
  discard: 'Discard changes',
  save: 'Save',
  saveAndPost: 'Save and post now',

  playVideo: 'Play video',
  video: 'Video',
  closeVideo: 'Close',
  videoMissing: 'The video cannot be shown. It is no longer stored, or this browser cannot play it.',

  watch: 'Watch in the sandbox',
  copy: 'Post again as a copy',
  copyName: 'Video of an earlier post',
  replace: 'End upload and copy',
  replaceTitle: 'End the upload?',
  replaceText: 'The video of your draft is still uploading. The copy ends the upload. The rest of the draft is kept.',

  twice: 'Make a copy',
  twiceTitle: 'This post is still in progress',
  twiceText:
    '{count, plural, one {# account is} other {# accounts are}} still being tried. When that succeeds, a copy on the same accounts appears there a second time.',

  cancel: 'Cancel post',
  cancelTitle: 'Cancel this post?',
  cancelText: 'Move it to your drafts to change it or to post it later, or delete it with its video.',
  deletePost: 'Delete',
  moveToDrafts: 'Move to drafts',
  remove: 'Delete',
  removeTitle: 'Delete this post from Reelay?',
  removeText:
    'Its timeline, its picture and the stored video are deleted. This cannot be undone.{posted, plural, =0 {} one { The published post stays online; to remove it, delete it on the platform.} other { The # published posts stay online; to remove them, delete them on the platforms.}}',

  troubles: 'Accounts that are retried',
  tryNow: '{count, plural, one {Try now} other {Try these # accounts now}}',
  stop: '{count, plural, one {Stop trying} other {Stop trying these # accounts}}',
  stopTitle: 'Stop trying?',
  stopText:
    '{count, plural, one {This account gets no further attempt} other {These # accounts get no further attempt}}. If something was sent already, Reelay verifies it once more and then says what it knows.',
  tryNowDone: 'Trying now. Each account can be asked again after 30 seconds.',
  trouble: {
    outcome_unknown: {
      title: 'Reelay is verifying whether this was posted',
      help: 'The connection broke while the post was being sent. Nothing is sent again until the platform shows that it is not there. Posting it again as a copy could make it appear twice.',
    },
    platform_limit_reached: {
      title: 'The platform asks to wait',
      help: 'Its limit is reached. Reelay continues when the platform allows it.',
    },
    platform_unavailable: {
      title: 'The platform cannot be used at the moment',
      help: 'Nothing is lost: Reelay tries again by itself, for a day. The reason is given below.',
    },
    internal_error: {
      title: 'Something went wrong in Reelay',
      help: 'It tries again by itself. If this lasts, ask the operator.',
    },
  },

  failures: 'Failed accounts',
  retry: '{count, plural, one {Retry} other {Retry these # accounts}}',
  retryAll: 'Retry all {count} failed accounts',
  toAccounts: 'Go to accounts',
  reconnect: 'Reconnect {platform}',
  reconnectAs: 'Reconnect {platform} ({account})',
  lookFor: '{platform}: look for this video on {account}, posted around {at}',
  lookResult: 'If it is there, you are done. If not, post it again.',
  postAgain: 'Post again',
  postAgainOn: 'Post again on {platform} as {account}',
  postAgainTitle: 'Post again on {platform} as {account}?',
  postAgainText:
    'Reelay first asks the platform once more. If the platform still cannot tell, the video is posted again. If the first attempt did work, it then appears twice.',
  cause: {
    outcome_unknown: {
      title: 'Reelay does not know whether this was posted',
      help: 'The connection broke while the post was being sent, and the platform could not confirm it. Reelay does not resend it automatically, because it could appear twice. Check the platform first:',
    },
    reconnect_required: {
      title: 'The account must be reconnected',
      help: 'The platform no longer accepts Reelay’s access. Reconnect the account, then retry.',
    },
    permission_missing: {
      title: 'A permission is missing',
      help: 'Reconnect the account and grant every permission, then retry.',
    },
    setup_needed: {
      title: 'A setting is missing',
      help: 'Choose the missing setting of the account, or ask the operator to set up the platform. Then retry.',
    },
    video_rejected: {
      title: 'The video was rejected',
      help: 'The platform does not accept this video. Another attempt helps only if the reason below has changed.',
    },
    caption_rejected: {
      title: 'The caption was rejected',
      help: 'Post again as a copy with another caption.',
    },
    policy_rejected: {
      title: 'The platform’s rules do not allow this post',
      help: 'See the reason below, or look for a message of the platform.',
    },
    duplicate_rejected: {
      title: 'The platform already has this post',
      help: 'It considers the post a repeat of an earlier one. Another text or video may help.',
    },
    platform_limit_reached: {
      title: 'The platform’s limit is reached',
      help: 'The account cannot post more for now. Retry later.',
    },
    platform_unavailable: {
      title: 'The platform did not recover in time',
      help: 'It was unavailable for too long. Retry.',
    },
    platform_error: {
      title: 'The platform reported an error',
      help: 'See the reason below, then retry.',
    },
    plan_limit_reached: {
      title: 'Your plan’s limit is reached',
      help: 'Retry when your plan allows more posts.',
    },
    late_skipped: {
      title: 'Skipped because it was late',
      help: 'Reelay was not running at the scheduled time, and your settings skip late posts. Retry to post it now.',
    },
    stopped: {
      title: 'Stopped, as you asked',
      help: 'Nothing was published on these accounts. You can retry them.',
    },
    internal_error: {
      title: 'Internal error',
      help: 'Something went wrong in Reelay. Retry; if it fails again, ask the operator.',
    },
  },

  stage: {
    scheduled: 'Scheduled',
    queued: 'Queued',
    converting: 'Converting the video',
    uploading: 'Uploading',
    processing: 'The platform is processing the video',
    publishing: 'Publishing',
    finishing: 'Accepted. The platform is finishing the post',
    verifying: 'Verifying whether it was posted',
    waiting: 'Waiting for the next attempt',
    working: 'In progress',
  },
  stageWithPercent: '{stage}: {percent} %',
  nextAttempt: 'Next attempt: {at}',
  postsAt: 'Posts on {at}',
  nextTry: 'Next try: {at} ({distance})',
  tryingNow: 'Trying again now',
  tries: '{count, plural, one {Failed once since {since}} other {Failed # times since {since}}}',
  showTimeline: 'What happened',
  hideTimeline: 'Hide',
  details: '{count, plural, one {Details} other {# steps}}',
  platformCode: 'Code of the platform:',
};
