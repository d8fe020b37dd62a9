export const accounts = {
  title: 'Accounts',
  empty: 'Connect the accounts that you post to.',
  count: '{count, plural, one {# connected account} other {# connected accounts}}',
  status: { CONNECTED: 'Connected', EXPIRED: 'Access expired', REVOKED: 'Access removed' },
  simulated: 'Simulated',
  endsAt: 'Access ends on {at}',
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect {name}?',
  disconnectHint:
    'Posts that have not begun will fail on this account, and its repost rules are deleted. What is published stays.',
  disconnectLost:
    '{posts, plural, =0 {No scheduled post} one {# scheduled post} other {# scheduled posts}} will fail on this account. {rules, plural, =0 {No rule is} one {# rule is} other {# rules are}} deleted, and {changedRules, plural, =0 {no rule loses} one {# rule loses} other {# rules lose}} this destination. What is published stays.',
  reconnect: 'Reconnect',
  reconnectTitle: 'Reconnect {name}',
  reconnectHint: 'Sign in as this account again. Its scheduled posts and rules are kept.',
  notSetUp: 'Not set up',
  notSetUpHint: 'Some platforms are not set up. Ask the operator of this service.',
  try: 'Try it with simulated accounts',
  tryHint:
    'Reelay has its own copy of each platform. Connect one account on all twelve, and post: nothing leaves this service.',
  tryButton: 'Connect twelve simulated accounts',
  post: 'Post something',
  connect: 'Connect an account',
  connectTitle: 'Connect {platform}',
  connectButton: 'Connect',
  field: { login: 'Sign-in', service: 'Server', identifier: 'Handle or channel', secret: 'App password or bot token' },
};
