/** The draft's video: the chosen file or the finished upload, its properties, and its upload. */
import { useEffect, useState } from 'react';
import { useDraft, useUpload } from '../../../drafts/use-upload.tsx';
import { uploadedVideo } from '../../../ui/stored-video.ts';
import type { VideoSource } from './read-facts.ts';
import { useFacts } from './use-facts.ts';
import { factsProblems, fileProblem, isFinal, type VideoFacts, type VideoProblem } from './video-check.ts';

export interface VideoState {
  /** The chosen file, or the URL of the finished upload. */
  source: VideoSource | null;
  /** undefined while the browser reads the video; null if it cannot. */
  facts: VideoFacts | null | undefined;
  problems: readonly VideoProblem[];
  /** Why the post cannot be created with this video yet. */
  blocker: 'refused' | 'fit' | null;
}

/** Checks the chosen file, and sends it if the service can accept it. */
export function useVideo(): VideoState {
  const { job, manager } = useUpload();
  const { fit, upload } = useDraft();
  const file = job?.file ?? null;
  const source = file ?? (upload && uploadedVideo(upload.id));
  const problem = file && fileProblem(file);
  const facts = useFacts(problem ? null : source);
  const problems = problem ? [problem] : facts === undefined ? [] : factsProblems(facts, file ? 'file' : 'stored');
  const mayStart = job?.status === 'chosen' && facts !== undefined && !problems.some(isFinal);
  useEffect(() => {
    if (mayStart) manager.start();
  }, [mayStart, manager]);
  const blocker = problems.some(isFinal) ? 'refused' : problems.includes('notVertical') && fit === null ? 'fit' : null;
  return { source, facts, problems, blocker };
}

/**
 * Sends the video again if the service no longer has the finished upload.
 * @param lostId id of the upload that the service lost; null if none is known to be lost
 * @returns whether its file must be chosen again
 */
export function useLostUpload(lostId: string | null): boolean {
  const { job, manager } = useUpload();
  const { upload, pending } = useDraft();
  const [wasLost, setLost] = useState(false);
  const isLost = lostId !== null && lostId === upload?.id;
  useEffect(() => {
    if (!isLost) return;
    setLost(true);
    manager.restart();
  }, [isLost, manager]);
  return wasLost && !job && !upload && !pending;
}
