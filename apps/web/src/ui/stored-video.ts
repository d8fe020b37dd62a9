/** Videos that the service stores, and their URLs for players, which need the session. */

export interface StoredVideo {
  of: 'upload' | 'post';
  id: string;
}

const urlOf = ({ of, id }: StoredVideo, what: 'video' | 'preview') => `/api/v1/dashboard/${of}s/${id}/${what}`;

export const videoUrl = (stored: StoredVideo): string => urlOf(stored, 'video');

/** The small version that every browser plays, once it is made. */
export const previewUrl = (stored: StoredVideo): string => urlOf(stored, 'preview');
