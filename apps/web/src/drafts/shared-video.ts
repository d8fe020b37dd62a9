/** A video that another app has shared with the installed page. */
import { hasSharedVideo, SHARED, sharedStorage as storage } from './share-target.ts';

const PLACES = { shared: '/app/shared-video', chosen: '/app/chosen-video' } as const;

/** `shared`: not confirmed yet, because any site can share a video. `chosen`: the user confirmed it; it is uploaded. */
export type SharedPlace = keyof typeof PLACES;

export interface SharedVideo {
  file: File;
  /** What was shared with it; "" for none, and once the video is chosen. */
  text: string;
}

/** @returns null without a video. The same video gives an equal file, also after a reload. */
export async function readSharedVideo(place: SharedPlace): Promise<SharedVideo | null> {
  if (!(await hasSharedVideo())) return null;
  const response = await storage()?.match(PLACES[place]);
  if (!response) return null;
  const name = decodeURIComponent(response.headers.get('x-name') ?? 'video');
  const lastModified = Number(response.headers.get('x-last-modified'));
  const blob = await response.blob();
  const text = decodeURIComponent(response.headers.get('x-text') ?? '');
  return { file: new File([blob], name, { type: blob.type, lastModified }), text };
}

/** Marks a video as chosen. A video that is shared later does not replace it. */
export async function chooseSharedVideo(video: File): Promise<void> {
  const headers = {
    'content-type': video.type || 'application/octet-stream',
    'x-name': encodeURIComponent(video.name),
    'x-last-modified': String(video.lastModified),
  };
  const cache = await storage()?.open(SHARED);
  await cache?.put(PLACES.chosen, new Response(video, { headers }));
  await cache?.delete(PLACES.shared);
}

export async function forgetSharedVideo(place: SharedPlace): Promise<void> {
  if (!(await hasSharedVideo())) return;
  const cache = await storage()?.open(SHARED);
  await cache?.delete(PLACES[place]);
  if ((await cache?.keys())?.length === 0) await storage()?.delete(SHARED);
}

export async function forgetSharedVideos(): Promise<void> {
  await storage()?.delete(SHARED);
}
