export const preflight = {
  title: 'Before you post',
  fits: '{count, plural, one {Ready for # account.} other {Ready for all # accounts.}}',
  notVertical: 'The video is not vertical',
  notVerticalHint: 'Platforms show short videos at 9:16. Crop the edges or add bars.',
  fitTo: { pad: 'Add bars', blur: 'Blurred bars', crop: 'Crop to 9:16' },
  fitted: {
    pad: 'Bars will be added to make the video 9:16.',
    blur: 'Blurred bars will be added to make the video 9:16.',
    crop: 'The video will be cropped to 9:16.',
  },
  trimmed: 'Only the chosen part of the video will be posted.',
  undo: 'Undo',
  conversions: 'Reelay converts the video for {platforms}. Nothing to do.',
  details: 'Details',
  outcome: {
    fits: 'fits',
    converted: 'the video will be converted',
    waits: 'the post will wait',
    fails: 'the post would fail',
    refused: 'not possible',
  },
  repair: {
    shorten: 'Shorten for this account',
    options: 'Open options',
    reconnect: 'Reconnect',
    deselect: 'Deselect this account',
  },
};
