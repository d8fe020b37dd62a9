/** A username with exactly one leading `@`; some platforms' names already have one. */
export function handleOf(username: string): string {
  return `@${username.replace(/^@/, '')}`;
}
