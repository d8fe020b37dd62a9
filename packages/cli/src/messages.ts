/** Everything that commands print, except help texts, which are in the definitions of the commands. */

const counted = (count: number, one: string, other: string) => `${count} ${count === 1 ? one : other}`;

/** Results and notes. */
export const TEXT = {
  shownTwice: (zone: string, offset: string) => `${zone}, ${offset}: clocks show this time twice on that day`,
  // Users and keys.
  userCreated: (email: string, plan: string, operator: boolean) =>
    `Created user ${email} on plan ${plan}${operator ? ' as the operator' : ''}.`,
  generatedPassword: (password: string) => `Password (shown only once): ${password}`,
  planChanged: (user: string, plan: string) => `Changed the plan of ${user} to ${plan}.`,
  latePosts: (user: string, skipped: boolean) => `Late posts of ${user} are ${skipped ? 'skipped' : 'posted'}.`,
  secondFactorRemoved: (user: string, existed: boolean) =>
    existed ? `Removed the second factor of ${user}.` : `${user} has no second factor.`,
  passwordChanged: (user: string) => `Changed the password of ${user} and ended all sessions.`,
  keyStaysActive: 'The API key is still active. Use --revoke-key to revoke it.',
  keyRevoked: 'Revoked the API key.',
  passkeysRemoved: (count: number) => `Removed ${counted(count, 'passkey', 'passkeys')}.`,
  passkeysStay: (count: number) => `${counted(count, 'passkey', 'passkeys')} can still sign in.`,
  userSuspended: (user: string) => `Suspended ${user}.`,
  userResumed: (user: string) => `Resumed ${user}.`,
  userDeleted: (user: string) => `Deleted ${user} and all data of this user.`,
  keyReplaced: (prefix: string) => `Revoked the previous key ${prefix}….`,

  // Accounts and applications.
  openInBrowser: 'Open this URL in a browser within ten minutes and confirm:',
  ifConnectFails: (attempt: string) => `If it fails, run: reelay accounts attempt ${attempt}`,
  accountConnected: (platform: string, username: string) => `Connected ${platform} ${username}.`,
  accountReconnected: (platform: string, username: string) =>
    `${platform} ${username} was connected before. It keeps its id.`,
  accountDisconnected: (platform: string, username: string) => `Disconnected ${platform} ${username}.`,
  accountState: (account: { platform: string; username: string; status: string; sandbox: boolean }) =>
    `${account.platform} ${account.username}, ${account.status}${account.sandbox ? ', sandbox' : ''}`,
  settingValue: (name: string, value: string | null | undefined, label: string) =>
    `${name}: ${value ?? 'not set'} (${label})`,
  settingChanged: (name: string, value: string | null) => `Set ${name} to ${value}.`,
  applicationStored: (name: string) => `Stored the application ${name}.`,
  applicationStoredButUnused: (name: string) =>
    `Stored the application ${name}. The environment variables take precedence.`,
  applicationRemoved: (name: string) => `Removed the application ${name}.`,

  // Operation.
  schemaCurrent: 'The schema is up to date.',
  schemaMigrated: 'Migrations applied.',
  reencrypted: (what: string, renewed: number, lost: number) =>
    `${what}: ${renewed} re-encrypted${lost > 0 ? `, ${lost} cannot be decrypted` : ''}`,
  allReencrypted: (fingerprint: string) =>
    `Everything is encrypted with key ${fingerprint}. You can remove SECRET_KEY_PREVIOUS.`,
  sandboxServing: (url: string) => `The sandbox is at ${url}`,
  sandboxCredentials: (url: string) => `The credentials for your own client are at ${url}`,
  noProblems: 'No problems found.',
  problemsFound: (count: number) => `${count} ${count === 1 ? 'problem' : 'problems'} found.`,

  // Posts and rules.
  queued: (count: number, id: string) => `Queued on ${accounts(count)}: ${id}`,
  scheduled: (count: number, id: string, at: string) => `Scheduled for ${at} on ${accounts(count)}: ${id}`,
  retrying: (error: string, seconds: number) => `${error} Retrying in ${seconds} s.`,
  interruptedWhileWaiting: 'Interrupted. The post continues on the server.',
  interruptedWhilePosting: 'Interrupted. The post may have been accepted. Check the history before you post again.',
  interruptedWhileUploading: 'Interrupted. Nothing was posted.',
  uploadBar: 'Uploading [{bar}] {percentage}% of {size} MB, {eta_formatted} left',
  historyPage: (page: number, pages: number, total: number) =>
    `Page ${page} of ${pages} (${counted(total, 'post', 'posts')}).`,
  converted: (result: string) => `Converted to ${result}.`,
  otherContainer: 'another container',
  videoSize: (width: number, height: number, fps: number) => `${width}×${height} at ${fps} fps`,
  until: (at: string) => `until ${at}`,
  tooMany: (count: number) => `${count} too many`,
  warning: (message: string) => `Warning: ${message}`,
  rulePaused: 'Paused.',
  rulePausedKeeping: 'Paused. New posts wait until you resume the rule.',
  ruleResumed: 'Resumed.',
  ruleDeleted: 'Deleted.',
  reads: (reads: number, limit: number, usd: number) => `${reads} of ${limit} ($${usd})`,
  dailyLimits: (own: number | null, foreign: number | null) =>
    `${own ?? 'no limit'} of own posts, ${foreign ?? 'no limit'} of others`,
  nextPage: (cursor: string) => `More: --cursor ${cursor}`,
  catalogSelected: (count: number, perDay: number, order: 'oldest' | 'newest') =>
    `Selected ${count} ${count === 1 ? 'post' : 'posts'}: ${perDay} a day, ${order} first.`,
  catalogCut: (limit: number) => `The back catalog has more posts. Only the newest ${limit} were selected.`,
  chooseCatalog: 'Select the posts to repost:',
  interruptedWhileChoosing: 'Interrupted. Nothing was changed.',
} as const;

/** Errors. */
export const ERROR = {
  nothingToSet: 'Set --late or --second-factor.',
  passwordTwice: 'Use either --password or --password-stdin, not both.',
  notPiped: (what: string) => `Pipe the ${what} to standard input. It is not read from a terminal.`,
  nothingPiped: (what: string) => `Standard input contains no ${what}.`,
  notNameValue: (given: string) => `"${given}" is invalid. Use the form name=value.`,
  attemptNotFound: (id: string) => `Connect attempt "${id}" not found.`,
  accountNotFound: (id: string) => `Connected account "${id}" not found.`,
  applicationNotStored: (name: string) => `Application "${name}" is not stored.`,
  undecryptable: (count: number) =>
    `${counted(count, 'value is', 'values are')} encrypted with a key that is not available. Reconnect the accounts.`,
  keyMissing:
    'REELAY_API_KEY is not set. To create a key, run on the server: reelay keys create --user you@example.org',
  notNumber: (given: string) => `"${given}" is not a number.`,
  notPart: (given: string) => `"${given}" is not a part. Use seconds: 5-35.5, 5- or -60.`,
  ruleNotFound: (id: string) => `Rule "${id}" not found.`,
  oneSelection: 'Use either item ids, --all or --interactive.',
  nothingSelected: 'No posts are selected. Use item ids, --all or --interactive.',
  catalogEmpty: 'The back catalog has no posts that can be selected.',
  noTerminal: '--interactive needs a terminal. Use item ids or --all.',
  ruleOrAccounts: 'Specify either a rule id, or --from and --to.',
  notHours: (given: string) => `"${given}" is invalid. Use the form 22:00-07:00.`,
  notJson: (given: string) => `${given} is not valid JSON.`,
  oneVideo: 'Specify one video: a file, or a URL with --url.',
  notTime: (given: string) =>
    `"${given}" is not a time. Use an ISO 8601 time, "2026-12-01 09:00", "today 18:30", "tomorrow 9:00" or "in 2 hours".`,
  timeTooFar: (given: string) => `"${given}" is too far in the future.`,
  noSuchTime: (given: string) => `"${given}" is not a valid date or time.`,
  timeSkipped: (given: string, zone: string) =>
    `"${given}" does not exist in ${zone}: daylight saving time skips it on that day.`,
} as const;

function accounts(count: number): string {
  return `${count} ${count === 1 ? 'account' : 'accounts'}`;
}
