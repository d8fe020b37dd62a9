/** What is made of a video, in JSON bodies. */
import { z } from 'zod';

/** A day: longer than any video. */
export const MAX_SECONDS = 86_400;

export const cropPosition = z.number().min(0).max(1);

/** A start or an end. */
export const trimSeconds = z.number().min(0).max(MAX_SECONDS);
