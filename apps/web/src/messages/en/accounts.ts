export const accounts = {
  title: 'Accounts',
  empty: 'Connect the accounts that you post to.',
  count: '{count, plural, one {# connected account} other {# connected accounts}}',
  status: { CONNECTED: 'Connected', EXPIRED: 'Reconnect', REVOKED: 'Access removed' },
  simulated: 'Simulated',
  endsAt: 'Access ends on {at}',
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect {name}?',
  disconnectHint:
    'Posts that have not begun will fail on this account, and its repost rules are deleted. What is published stays.',
  try: 'Try it with simulated accounts',
  tryHint:
    'Reelay has its own copy of each platform. Connect one account on all twelve, and post: nothing leaves this service.',
  tryButton: 'Connect twelve simulated accounts',
  post: 'Post something',
  connect: 'Connect an account',
  connectTitle: 'Connect {platform}',
  connectButton: 'Connect',
  field: { service: 'Server', identifier: 'Handle or channel', secret: 'App password or bot token' },
};
