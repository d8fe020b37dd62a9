/** How tables show times and captions. */

/** @param time ISO 8601, in UTC */
export const minutes = (time: string) => time.slice(0, 16).replace('T', ' ');

/** The first 40 characters. */
export const short = (caption: string) => [...caption].slice(0, 40).join('');
