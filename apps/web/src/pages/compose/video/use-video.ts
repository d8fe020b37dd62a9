/** The draft's video: the chosen file, its properties, and its upload. */
import { useEffect, useState } from 'react';
import { useDraft, useUpload } from '../../../drafts/use-upload.tsx';
import { readFacts } from './read-facts.ts';
import { factsProblems, fileProblem, isFinal, type VideoFacts, type VideoProblem } from './video-check.ts';

export interface VideoState {
  file: File | null;
  /** undefined while the browser reads the file; null if it cannot. */
  facts: VideoFacts | null | undefined;
  problems: readonly VideoProblem[];
  /** Why the post cannot be created with this video yet. */
  blocker: 'refused' | 'fit' | null;
}

/** Checks the chosen file, and sends it if the service can accept it. */
export function useVideo(): VideoState {
  const { job, manager } = useUpload();
  const { fit } = useDraft();
  const file = job?.file ?? null;
  const [read, setRead] = useState<{ file: File; facts: VideoFacts | null } | null>(null);
  useEffect(() => {
    if (!file || fileProblem(file) !== null) return;
    let isCurrent = true;
    void readFacts(file).then((facts) => isCurrent && setRead({ file, facts }));
    return () => {
      isCurrent = false;
    };
  }, [file]);
  const facts = file !== null && read?.file === file ? read.facts : undefined;
  const problem = file && fileProblem(file);
  const problems = problem ? [problem] : facts === undefined ? [] : factsProblems(facts);
  const mayStart = job?.status === 'chosen' && facts !== undefined && !problems.some(isFinal);
  useEffect(() => {
    if (mayStart) manager.start();
  }, [mayStart, manager]);
  const blocker = problems.some(isFinal) ? 'refused' : problems.includes('notVertical') && fit === null ? 'fit' : null;
  return { file, facts, problems, blocker };
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
