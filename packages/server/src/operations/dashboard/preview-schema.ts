import { z } from 'zod';
import type { PreviewStatus } from '../../media/rendition/preview-store.ts';

/** The state of a preview, as shown. */
export const previewResponse = z.object({
  data: z.object({
    state: z.enum(['making', 'stored', 'failed']),
    progress: z.number().meta({ description: 'How much of it is made, from 0 to 1.' }),
  }),
});

export const presentPreview = ({ state, progress }: PreviewStatus) => ({ data: { state, progress } });
