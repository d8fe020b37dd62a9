export const states = {
  loading: 'Loading',
  failed: 'That did not work',
  offline: 'No connection',
  offlineHint: 'Reelay does not respond. Check your connection; nothing that you typed is lost.',
  retry: 'Try again',
  notFound: 'This page does not exist',
  keep: 'Keep',
  close: 'Close',
  home: 'To the start page',
};
