/** The profile record of an account until a client writes one. It holds the picture, as if the user had set it. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../json.ts';
import { drawProfilePicture } from '../../profile-pictures/drawing.ts';
import { PICTURE_TYPE } from '../../profile-pictures/route.ts';
import type { Account } from './accounts.ts';
import { cidOfDigest } from './ids.ts';

/** Collection of profile records, whose key is `self`. */
export const PROFILE = 'app.bsky.actor.profile';

/** A blob that is not stored. */
export interface DrawnPicture {
  bytes: Buffer;
  cid: string;
  mimeType: string;
  sha256: string;
}

/** Returns the picture of an account and its CID. */
export function pictureOf({ did: id, handle: name }: Account): DrawnPicture {
  const bytes = drawProfilePicture({ place: 0, name, id });
  const digest = createHash('sha256').update(bytes).digest();
  return { bytes, cid: cidOfDigest('raw', digest), mimeType: PICTURE_TYPE, sha256: digest.toString('hex') };
}

/** Returns the profile record of an account without a stored one. */
export function defaultProfile(account: Account): JsonObject {
  const { cid, mimeType, bytes } = pictureOf(account);
  return { $type: PROFILE, avatar: { $type: 'blob', ref: { $link: cid }, mimeType, size: bytes.length } };
}
