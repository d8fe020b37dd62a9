export const posts = {
  title: 'Posts',
  empty: 'Nothing has been posted yet.',
  first: 'Make the first post',
  count: '{count, plural, one {# post} other {# posts}}',
  noDescription: 'No description',
  repost: 'Repost',
  more: 'Show more',
};
