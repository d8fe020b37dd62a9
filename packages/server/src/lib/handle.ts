/** A username with exactly one leading `@`; some platforms' names already have one. */
export function handleOf(username: string): string {
  return `@${username.replace(/^@/, '')}`;
}

/** How an account is named in a sentence: "Mastodon @ada". */
export function accountName(
  connectors: Readonly<Record<string, { name: string } | undefined>>,
  { platform, username }: { platform: string; username: string },
): string {
  return `${connectors[platform]?.name ?? platform} ${handleOf(username)}`;
}
