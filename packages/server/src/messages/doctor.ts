/** Findings of the doctor, with advice for the operator. */

export const FINDING = {
  clockAgrees: 'matches the clock of the database',
  clockDiffers: (seconds: number) =>
    `differs from the clock of the database by ${seconds} s. Synchronize both with a time server.`,
  database: (version: string | undefined, kind: 'server' | 'running' | 'started') =>
    `PostgreSQL ${version}, ${{ server: 'external server', running: 'embedded, started by the service', started: 'embedded' }[kind]}`,
  databaseTooOld: (database: string) => `${database}: version 15 or later is required.`,
  commitsDurable: 'commits are durable',
  commitsNotDurable: (name: string, value: string | undefined, where: string) =>
    `${name} is ${value} (${where}). A crash of the server can lose or repeat posts. Set it to on.`,
  sessionSetting: 'set per session, possibly by a connection pooler',
  schemaCurrent: (count: number) => `schema is up to date (${count} migrations)`,
  schemaNewer: 'The schema belongs to a newer version. Start that version.',
  schemaOlder: (missing: number) => `${missing} migrations are missing. Start the service, or run: reelay migrate`,
  keyOpensAll: (key: string, accounts: number) => `key ${key} decrypts the access of all ${accounts} accounts`,
  keyOpensSome: (key: string, lost: number, accounts: number) =>
    `key ${key} cannot decrypt the access of ${lost} of ${accounts} accounts. Restore the previous SECRET_KEY.`,
  filesUnreadable: (count: number, folder: string) =>
    `${count} files in ${folder} cannot be decrypted. Restore the key that they were encrypted with.`,
  storageCorrupts: (folder: string) => `${folder} returned other bytes than were written.`,
  storageWorks: (folder: string) => `read and write work in ${folder}`,
  storageWorksWithSpace: (folder: string, free: string) => `read and write work in ${folder}, ${free} free`,
  storageFull: (free: string) => `${free} free. Videos are rejected below 2 GB.`,
  ffmpegWorks: (version: string, path: string) => `${version} at ${path}`,
  ffmpegLacks: (names: string) => `Missing: ${names}.`,
  ffmpegLacksFilters: (names: string) => `Missing: ${names}. Some thumbnails look pale.`,
  ffmpegUnlimited: 'Its memory cannot be limited on this system.',
  workerMissing: 'No worker is running, so nothing is published. Start the service.',
  workerSilent: (seconds: number) => `The last heartbeat was ${seconds} s ago. Start the service.`,
  workerAlive: (seconds: number) => `last heartbeat ${seconds} s ago`,
  addressWorks: (url: string) => `${url} reaches this service`,
  addressFails: (url: string, response: string) =>
    `${url} ${response}. Check that the service is running and that PUBLIC_URL is correct.`,
  sandboxOff: 'disabled (SANDBOX)',
  sandboxOn: (url: string) => `enabled, at ${url}/sandbox`,
  sandboxFails: (url: string, response: string) => `enabled, but ${url}/sandbox ${response}`,
  mailOff: 'not configured (SMTP_URL), so users cannot replace a forgotten password',
  mailWorks: (host: string) => `${host} accepts the connection`,
  mailFails: (host: string, problem: string) => `${host}: ${problem}. Check SMTP_URL.`,
  respondedWith: (status: number) => `responded with ${status}`,
  noResponse: (code: string | null) => `does not respond${code ? ` (${code})` : ''}`,
  settingSet: (platform: string, variable: string) => `${platform}: ${variable} is set`,
  settingResponds: (platform: string, variable: string) => `${platform}: ${variable} responds`,
  settingFails: (variable: string, problem: string, isPrivate: boolean) =>
    `${variable}: ${problem}${isPrivate ? ' Add its host to ALLOWED_PRIVATE_HOSTS.' : ''}`,
  loginOnly: (platform: string) => `${platform}: connected by a login, no application needed`,
  noApplicationNeeded: (platform: string, redirectUri: string | null) =>
    `${platform}: no application needed, redirect URI ${redirectUri}`,
  applicationInvalid: (platform: string, problem: string) => `${platform}: ${problem}`,
  applicationIncomplete: (platform: string, half: 'secret' | 'id', variables: string) =>
    `${platform}: the ${half} of the application is missing (${variables})`,
  applicationConfigured: (platform: string, variables: string, redirectUri: string | null) =>
    `${platform}: application is configured (${variables}), redirect URI ${redirectUri}`,
  applicationChecked: (platform: string, variable: string, result: string) => `${platform} (${variable}): ${result}`,
  applicationScopes: (platform: string, variable: string, scopes: string) =>
    `${platform} (${variable}): the application needs the scopes ${scopes}`,
  applicationReview: (platform: string, review: string) => `${platform} review: ${review}`,
  applicationLost: (platform: string, accounts: number, variables: string) =>
    `${platform}: ${accounts} connected accounts, but no application is configured (${variables})`,
  applicationMissing: (platform: string, variables: string, redirectUri: string | null) =>
    `${platform}: no application is configured (${variables}), redirect URI ${redirectUri}`,
} as const;
