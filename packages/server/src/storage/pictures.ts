/** Thumbnails and profile pictures: small files named `UUID.jpg`, `.png` or `.webp`. */

const NAME = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(jpg|png|webp)$/;

const TYPES: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

/** Storage key of a picture. @param filename as stored in `media.thumbnail` and `account.avatar` */
export function pictureKey(filename: string): string {
  return `pictures/${filename}`;
}

/** Media type of a picture; null if the name does not have the expected form. */
export function pictureType(filename: string): string | null {
  return TYPES[NAME.exec(filename)?.[1] ?? ''] ?? null;
}
