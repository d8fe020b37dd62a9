/** Who can see a video. */

/** Spotlight is public, and a Public Profile is too; the API has no audience parameter. */
export const isPublic = () => true;
