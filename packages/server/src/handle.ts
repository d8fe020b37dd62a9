/** A username with exactly one `@` before it; some platforms' names begin with one already. */
export function handleOf(username: string): string {
  return `@${username.replace(/^@/, '')}`;
}
