/** The platform accepts no account of this name. */
export class InvalidUsername extends Error {}

/** 1 to 64 characters, without a slash. */
const USUAL = /^[^/\p{Cc}]{1,64}$/u;

/** Returns a user name without "@" and surrounding spaces. @throws InvalidUsername */
export function usernameOf(
  given: string,
  pattern = USUAL,
  rule = 'A user name has 1 to 64 characters and no slash.',
): string {
  const username = given.trim().replace(/^@/, '');
  if (!pattern.test(username)) throw new InvalidUsername(rule);
  return username;
}
