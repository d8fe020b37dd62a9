/** Thumbnails and profile pictures: small files with names of ours, `UUID.jpg`, `.png` or `.webp`. */

const NAME = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(jpg|png|webp)$/;

const TYPES: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

/** Where a picture lies in the storage. @param filename as `media.thumbnail` and `account.avatar` hold it */
export function pictureKey(filename: string): string {
  return `pictures/${filename}`;
}

/** The media type of a picture; null where a name has not the form of ours. */
export function pictureType(filename: string): string | null {
  return TYPES[NAME.exec(filename)?.[1] ?? ''] ?? null;
}
