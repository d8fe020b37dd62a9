/** Begins and ends as a JPEG does; nobody looks at what is between. */
export const COVER = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
