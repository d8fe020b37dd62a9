/** Checks a video file before its upload. Pure. The service decides. */

export interface VideoFacts {
  /** Displayed size in pixels. */
  width: number;
  height: number;
  /** null if the file does not say. */
  seconds: number | null;
  /** Whether the size is that of a small version. */
  isPreview?: boolean;
}

/**
 * The limits of the API for every video. The service does not report them. Of a video that is longer than `maxSeconds`, a
 * part can be posted.
 */
export const VIDEO_LIMITS = { bytes: 524_288_000, minSeconds: 3, maxSeconds: 90, maxTrimmedSeconds: 600 } as const;
/** The service's tolerances: of the length in seconds, of the shape as a fraction. */
const TOLERANCE = { seconds: 0.05, shape: 0.01 } as const;

/** File extensions of the containers that the service reads. Browsers know few of their media types. */
export const EXTENSIONS = [
  'mp4',
  'm4v',
  'mov',
  '3gp',
  '3g2',
  'webm',
  'mkv',
  'avi',
  'flv',
  'ts',
  'mts',
  'm2ts',
] as const;

export type VideoProblem =
  | 'wrongKind'
  | 'empty'
  | 'tooLarge'
  | 'tooShort'
  | 'tooLong'
  | 'muchTooLong'
  | 'notVertical'
  | 'unreadable'
  | 'notShown';

/** Problems for which the service would refuse the video. It is not uploaded. */
const FINAL: readonly VideoProblem[] = ['wrongKind', 'empty', 'tooLarge', 'tooShort', 'muchTooLong'];

export const isFinal = (problem: VideoProblem): boolean => FINAL.includes(problem);

/** @param file.type media type as the browser knows it, "" if it does not */
export function fileProblem({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): VideoProblem | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const isKnown = (EXTENSIONS as readonly string[]).includes(extension);
  if (!type.startsWith('video/') && !isKnown) return 'wrongKind';
  if (size === 0) return 'empty';
  return size > VIDEO_LIMITS.bytes ? 'tooLarge' : null;
}

/** @param facts null if the browser cannot read the video, though the service may */
export function factsProblems(facts: VideoFacts | null, where: 'file' | 'stored'): VideoProblem[] {
  if (!facts) return [where === 'file' ? 'unreadable' : 'notShown'];
  const { width, height, seconds } = facts;
  const problems: VideoProblem[] = [];
  if (seconds !== null && seconds < VIDEO_LIMITS.minSeconds - TOLERANCE.seconds) problems.push('tooShort');
  if (seconds !== null && seconds > VIDEO_LIMITS.maxSeconds + TOLERANCE.seconds)
    problems.push(seconds > VIDEO_LIMITS.maxTrimmedSeconds + TOLERANCE.seconds ? 'muchTooLong' : 'tooLong');
  if (Math.abs(((width / height) * 16) / 9 - 1) > TOLERANCE.shape + 1e-9) problems.push('notVertical');
  return problems;
}
