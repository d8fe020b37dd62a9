/** Who can see a post. */

/** The protocol has public records only; self-labels hide no post from a reader who wants to see it. */
export const isPublic = () => true;
