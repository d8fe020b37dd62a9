/** Who can see a post. */

/**
 * A post is as public as its profile, and the API has no parameter for it. No field of a profile says whether it is
 * private ("Threads Profiles", fields), so it cannot be known. As for found posts, the profile counts as public.
 */
export const isPublic = () => true;
