import { useQuery } from '@tanstack/react-query';
import { useClient } from '../queries/client.ts';
import { previewQuery } from '../queries/previews.ts';
import { previewUrl, type StoredVideo } from './stored-video.ts';

export interface Preview {
  /** null until it is made, and if it cannot be made. */
  url: string | null;
  /** How much of it is made, from 0 to 1; null if it is not being made. */
  making: number | null;
}

/** The small version of a stored video, which is ordered. @param wanted null: none is ordered */
export function usePreview(wanted: StoredVideo | null): Preview {
  const { of, id } = wanted ?? { of: 'upload', id: '' };
  const { data, isPending } = useQuery({ ...previewQuery(useClient(), of, id), enabled: wanted !== null });
  if (!wanted) return { url: null, making: null };
  if (data?.state === 'stored') return { url: previewUrl(wanted), making: null };
  return { url: null, making: isPending || data?.state === 'making' ? (data?.progress ?? 0) : null };
}
