export const post = {
  scheduled: 'Scheduled',
  posting: 'Posting …',
  done: '{failed, plural, =0 {Posted} other {Posted to {posted} of {total}}}',
  counts: '{posted} of {total} posted{failed, plural, =0 {} other {, # failed}}',
  retry: '{count, plural, one {Retry failed account} other {Retry # failed accounts}}',
  cancel: 'Cancel post',
  all: 'All posts',
  open: 'Open post',
  converting: 'Converting the video',
  showTimeline: 'What happened',
  hideTimeline: 'Hide',
};
