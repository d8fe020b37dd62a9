export const preflight = {
  title: 'Before you post',
  fits: '{count, plural, one {Ready for # account.} other {Ready for all # accounts.}}',
  notVertical: 'The video is not vertical',
  notVerticalHint: 'Platforms show short videos at 9:16. Crop the edges or add bars.',
  crop: 'Crop to 9:16',
  pad: 'Add bars',
  cropped: 'The video will be cropped to 9:16.',
  padded: 'Bars will be added to make the video 9:16.',
  undo: 'Undo',
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
