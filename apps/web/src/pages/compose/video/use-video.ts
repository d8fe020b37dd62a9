/** The draft's video: the chosen file or the finished upload, its properties, and its upload. */
import { useEffect, useState } from 'react';
import type { Draft } from '../../../drafts/draft.ts';
import { useDraft, useUpload } from '../../../drafts/use-upload.tsx';
import { videoUrl } from '../../../ui/stored-video.ts';
import { isPartAllowed } from './part.ts';
import { type Playable, usePlayable } from './use-playable.ts';
import { factsProblems, fileProblem, isFinal, type VideoProblem } from './video-check.ts';

/** The source is the chosen file, or a URL of the finished upload. */
export interface VideoState extends Playable {
  problems: readonly VideoProblem[];
  /** Why the post cannot be created with this video yet. */
  blocker: 'refused' | 'fit' | 'part' | null;
}

/** Checks the chosen file, and sends it if the service can accept it. */
export function useVideo(): VideoState {
  const { job, manager } = useUpload();
  const draft = useDraft();
  const { upload } = draft;
  const file = job?.file ?? null;
  const stored = upload && ({ of: 'upload', id: upload.id } as const);
  const problem = file && fileProblem(file);
  const playable = usePlayable(problem ? null : (file ?? (stored && videoUrl(stored))), stored);
  const { facts, making } = playable;
  const isRead = facts !== undefined && making === null;
  const problems = problem ? [problem] : isRead ? factsProblems(facts, stored ? 'stored' : 'file') : [];
  const mayStart = job?.status === 'chosen' && facts !== undefined && !problems.some(isFinal);
  useEffect(() => {
    if (mayStart) manager.start();
  }, [mayStart, manager]);
  return { ...playable, problems, blocker: blockerOf(problems, facts?.seconds ?? null, draft) };
}

function blockerOf(problems: readonly VideoProblem[], seconds: number | null, draft: Draft): VideoState['blocker'] {
  if (problems.some(isFinal)) return 'refused';
  if (problems.includes('notVertical') && draft.fit === null) return 'fit';
  return seconds === null || isPartAllowed(draft, seconds) ? null : 'part';
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
