/** Who can see a reel. */

/** Reels Publishing has no audience parameter: a reel of a Page is public ("Reels Publishing", parameters). */
export const isPublic = () => true;
