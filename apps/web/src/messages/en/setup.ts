export const setup = {
  title: 'Set up {platform}',
  warningTitle: '{platform} will not work with this address',
  warning: {
    redirect_https:
      '{platform} sends users back only to an https address that is not localhost. Set PUBLIC_URL to the public https address of this service.',
    redirect_localhost:
      '{platform} does not accept localhost. Set PUBLIC_URL to http://127.0.0.1 with the port of this service, or to a public https address.',
    media_private:
      '{platform} downloads videos from this service. Set PUBLIC_URL to an https address that can be reached from the internet.',
  },
  nothing: '{platform} needs no application. Accounts can be connected.',
  several: 'There are {count} kinds of applications. One is enough.',
  source: { stored: 'Set up', environment: 'Set up by environment variables', none: 'Not set up' },
  alsoFor: 'Also used for {platforms}',
  steps: '1. At {platform}',
  portal: 'Open the developer console of {platform}',
  redirect: 'Redirect URL',
  redirectHint: 'Register it exactly like this.',
  scopes: 'Scopes',
  scopesHint: '{count, plural, one {One permission} other {# permissions}} that the application must have.',
  review: '2. Review',
  enter: '3. Enter id and secret',
  change: '3. Id and secret',
  environment: 'These environment variables take precedence. Change them where the service is started:',
  id: 'Id',
  secret: 'Secret',
  secretHint: 'It is stored encrypted and never shown again.',
  secretStored: 'A secret is stored, encrypted. It is not shown; enter a new one to replace it.',
  showSecret: 'Show or hide the secret',
  save: 'Save and test',
  saveAnyway: 'Save anyway',
  test: 'Test what is set',
  result: {
    stored: {
      verified: 'Saved, and it works',
      unverified: 'Saved, but not verified',
      rejected: 'Saved, although the platform rejects it',
    },
    notStored: {
      verified: 'Not saved',
      unverified: 'Not saved',
      rejected: 'Not saved: the id or the secret is wrong',
    },
    set: { verified: 'It works', unverified: 'Not verified', rejected: 'The id or the secret is wrong' },
    hint: {
      unverified:
        'The platform neither confirmed nor rejected it. Whether it works will show when you connect an account.',
      rejected: 'Copy both again from the developer console. Check that they belong to the same application.',
    },
  },
  remove: 'Remove application',
  removeTitle: 'Remove the application at {platform}?',
  removeHint:
    'Nobody can connect accounts of {platforms} until you set it up again. {accounts, plural, =0 {No account is} one {# connected account is} other {# connected accounts are}} affected: once the current access runs out, it cannot be renewed. {posts, plural, =0 {No scheduled post is} one {# scheduled post is} other {# scheduled posts are}} at risk.',
  removeHintAtMost:
    'Some users of {platforms} may no longer connect. Up to {accounts, plural, one {# connected account} other {# connected accounts}} may use this application: once the current access runs out, it cannot be renewed. Up to {posts, plural, one {# scheduled post is} other {# scheduled posts are}} at risk.',
};
