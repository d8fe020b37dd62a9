/**
 * Rows of previews: small renditions that every browser plays. They are made on request, after the conversions of posts,
 * and are kept for a week, as long as their video is stored.
 */
import type { Database, Queryable } from '../../db/database.ts';
import type { RenditionState } from './rendition-store.ts';

/** Of what a preview is made. */
export type PreviewSource = { uploadId: string } | { mediaId: string };

export interface PreviewStatus {
  state: RenditionState;
  /** From 0 to 1. */
  progress: number;
}

/** The file of a preview. */
export interface PreviewFile {
  /** Storage key. */
  key: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Previews of a user that are kept. The oldest gives way. */
export const MAX_PREVIEWS = 20;

const KEY = 'preview';

/** SQL of both kinds of sources. */
const COLUMNS = {
  upload: { column: 'upload_id', source: 'upload where id = $1 and used_at is null' },
  media: { column: 'media_id', source: `media where id = $1 and state = 'stored'` },
} as const;

const place = (source: PreviewSource) =>
  'uploadId' in source ? { ...COLUMNS.upload, id: source.uploadId } : { ...COLUMNS.media, id: source.mediaId };

/**
 * Returns the state of a preview, and orders it unless it exists. Indexes: rendition_upload_id_spec_key_key,
 * rendition_media_id_spec_key_key, rendition_preview, primary keys.
 * @returns null if the video is not stored any more
 */
export async function orderPreview(db: Database, userId: string, from: PreviewSource): Promise<PreviewStatus | null> {
  const { column, source, id } = place(from);
  const [known] = await db.query<PreviewStatus>(
    `select state, progress from rendition where ${column} = $1 and spec_key = '${KEY}'`,
    [id],
  );
  if (known) return known;
  return db.transaction(async (tx) => {
    const [video] = await tx.query<{ id: string }>(`select id from ${source} for key share`, [id]);
    if (!video) return null;
    await tx.execute(
      `insert into rendition (${column}, user_id, spec_key, storage_key)
       values ($1, $2, '${KEY}', 'renditions/' || uuid_v7()) on conflict do nothing`,
      [id, userId],
    );
    await tx.execute(
      `delete from rendition where id = any(array(
         select id from rendition where user_id = $1 order by created_at desc, id desc offset ${MAX_PREVIEWS}))`,
      [userId],
    );
    return { state: 'making', progress: 0 };
  });
}

/**
 * Gives the preview of an upload to the post's video, if it has the upload's bytes. Others are deleted with the upload.
 * Indexes: rendition_upload_id_spec_key_key, primary keys.
 */
export async function handOverPreview(
  tx: Queryable,
  { uploadId, mediaId }: { uploadId: string; mediaId: string },
): Promise<void> {
  await tx.execute(
    `update rendition set upload_id = null, media_id = $2
     where upload_id = $1 and spec_key = '${KEY}' and state = 'stored'
       and exists (select from upload u join media m on m.sha256 = u.sha256 where u.id = $1 and m.id = $2)`,
    [uploadId, mediaId],
  );
}

/** The file of a preview; null if it is not made. Indexes: as for {@link orderPreview}. */
export async function findPreview(db: Queryable, from: PreviewSource): Promise<PreviewFile | null> {
  const { column, id } = place(from);
  const [row] = await db.query<PreviewFile>(
    `select storage_key as key, bytes, encode(sha256, 'hex') as sha256 from rendition
     where ${column} = $1 and spec_key = '${KEY}' and state = 'stored'`,
    [id],
  );
  return row ?? null;
}
