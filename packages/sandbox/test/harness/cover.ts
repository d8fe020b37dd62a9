/** The first and last bytes of a JPEG; nothing decodes what is between. */
export const COVER = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
