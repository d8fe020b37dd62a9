/**
 * The upload of the draft's video as states and events. Pure: `next` returns the new state, and effects for the runner
 * (upload-manager.ts), which reports their results as events.
 *
 *                    choose                         finished
 *            none ────────────▶ chosen ──start──▶ sending ──────────▶ done
 *             ▲                                   │ ▲  │ │              │ restart: as start
 *             │ remove, end,            lost,     ▼ │  │ └─▶ failed     ▼
 *             │ taken over   disconnected, wait  waiting │     │ start, or resume when signed in again
 *             │                                   │    pause  └──▶ sending
 *             └── every state                     ▼      ▼
 *                                       fileChanged    paused ──start──▶ sending
 *
 * The draft names the one upload (`pending`) and the tab that sends it (`owner`). A tab sends only while the draft names
 * it: if another tab takes the upload over or replaces the video, it stops.
 */

import { ReelayApiError } from '@reelay/sdk';
import { isRefused } from '../queries/refused.ts';
import { isSignedOut } from '../queries/signed-out.ts';
import { type Draft, type FileIdentity, identityOf, isSameFile, NO_VIDEO } from './draft.ts';
import { type Sample, withSample } from './transfer-rate.ts';

export type UploadStatus =
  /** Chosen, not started. */
  | 'chosen'
  | 'sending'
  /** The connection was lost; it continues by itself. */
  | 'waiting'
  | 'paused'
  | 'failed'
  /** The file was changed or removed since it was chosen. */
  | 'fileChanged'
  | 'done';

export interface UploadJob {
  file: File;
  status: UploadStatus;
  /** Bytes that the service has. */
  sent: number;
  /** Recent progress, for the speed. */
  samples: readonly Sample[];
  error: Error | null;
  /** The name of an unfinished upload of another file, which this file replaced. */
  replaced: string | null;
}

/** A run of the transfer. Only one is active; reports of earlier ones are ignored. */
interface Attempt {
  number: number;
  /** The upload on the service that it continues; null: it starts one. */
  id: string | null;
  /** How often it had to start over. */
  restarts: number;
}

export interface UploadState {
  job: UploadJob | null;
  attempt: Attempt | null;
  /** The unfinished upload that the draft names, and that this tab sends. */
  id: string | null;
  attempts: number;
}

export const NO_UPLOAD: UploadState = { job: null, attempt: null, id: null, attempts: 0 };

/** Events of the page without further data. */
export type UserEventKind = 'start' | 'pause' | 'wait' | 'resume' | 'remove' | 'restart' | 'end';

export type UploadEvent =
  | { kind: 'choose'; file: File }
  | { kind: UserEventKind }
  /** Another tab, or the posting of the draft, may have changed what the draft names. */
  | { kind: 'draftChanged' }
  | ({ attempt: number } & (
      | { kind: 'begun'; id: string }
      /** @param at monotonic, in ms */
      | { kind: 'progress'; sent: number; at: number }
      /** The connection was lost; the transfer continues by itself. */
      | { kind: 'lost' }
      | { kind: 'fileUnreadable' }
      | { kind: 'finished'; id: string }
      | { kind: 'refused'; error: unknown }
      /** The connection may be back. */
      | { kind: 'online' }
    ));

export type UploadEffect =
  /** Reports `begun`, `progress`, `lost`, then `finished` or `refused`. */
  | { kind: 'send'; attempt: number; file: File; id: string | null }
  /** Reports `online`. */
  | { kind: 'waitOnline'; attempt: number }
  /** Reports `fileUnreadable` if the file cannot be read. */
  | { kind: 'checkFile'; attempt: number; file: File }
  /** Ends the effects of the current attempt. */
  | { kind: 'abort' }
  /** Marks an upload as sent by this tab, for other tabs. */
  | { kind: 'hold'; id: string }
  | { kind: 'release' }
  | { kind: 'changeDraft'; fields: Partial<Pick<Draft, keyof typeof NO_VIDEO>> }
  /** Not while its post is being sent. */
  | { kind: 'removeFromService'; id: string };

/** What a transition may depend on, apart from state and event. */
export interface UploadContext {
  draft: Pick<Draft, 'pending' | 'upload'>;
  /** Identifies this tab. */
  tab: string;
}

export interface Step {
  state: UploadState;
  effects: readonly UploadEffect[];
}

/** How often an upload is restarted if the service does not know it. */
const MAX_RESTARTS = 3;

/** The transition function: (state, event) → next state and effects. Effects run in order, after the state is set. */
export function next(state: UploadState, event: UploadEvent, context: UploadContext): Step {
  if ('attempt' in event) return nextOfAttempt(state, event, context);
  switch (event.kind) {
    case 'choose':
      return choose(state, event.file, context);
    case 'start':
      return start(state, context);
    case 'pause':
      return interrupt(state, 'paused');
    case 'wait':
      return isStatus(state, 'sending', 'waiting') ? interrupt(state, 'waiting') : stay(state);
    case 'resume':
      return isStatus(state, 'waiting') || wasSignedOut(state) ? start(state, context) : stay(state);
    case 'restart':
      return restart(state, context);
    case 'remove':
      return remove(state, context);
    case 'end':
      return { state: { ...halted(state), job: null }, effects: HALT };
    case 'draftChanged':
      return followDraft(state, context);
  }
}

const HALT: readonly UploadEffect[] = [{ kind: 'abort' }, { kind: 'release' }];

const stay = (state: UploadState): Step => ({ state, effects: [] });
const halted = (state: UploadState): UploadState => ({ ...state, attempt: null, id: null });
const isStatus = ({ job }: UploadState, ...statuses: UploadStatus[]) => job !== null && statuses.includes(job.status);

const wasSignedOut = (state: UploadState) => isStatus(state, 'failed') && isSignedOut(state.job?.error);

function withJob(state: UploadState, fields: Partial<UploadJob>): UploadState {
  return state.job ? { ...state, job: { ...state.job, ...fields } } : state;
}

function choose(state: UploadState, file: File, { draft: { pending, upload } }: UploadContext): Step {
  const chosen = identityOf(file);
  const isIt = (stored: FileIdentity | null) => stored !== null && isSameFile(stored, chosen);
  const before = pending ?? upload;
  const isDone = isIt(upload);
  const job: UploadJob = {
    file,
    status: isDone ? 'done' : 'chosen',
    sent: isDone ? file.size : isIt(pending) ? (pending?.sent ?? 0) : 0,
    samples: [],
    error: null,
    replaced: pending && !isIt(pending) && !state.job ? pending.name : null,
  };
  const forgotten: UploadEffect[] =
    before && !isIt(before)
      ? [
          { kind: 'removeFromService', id: before.id },
          { kind: 'changeDraft', fields: NO_VIDEO },
        ]
      : [];
  return { state: { ...halted(state), job }, effects: [...HALT, ...forgotten] };
}

function start(state: UploadState, { draft, tab }: UploadContext): Step {
  const { job } = state;
  if (!job || job.status === 'done' || (state.attempt && job.status !== 'waiting')) return stay(state);
  const pending = draft.pending && isSameFile(draft.pending, identityOf(job.file)) ? draft.pending : null;
  const attempt: Attempt = { number: state.attempts + 1, id: pending?.id ?? null, restarts: 0 };
  const started = withJob(
    { ...state, attempts: attempt.number, attempt },
    { status: 'sending', samples: [], error: null },
  );
  const send: UploadEffect = { kind: 'send', attempt: attempt.number, file: job.file, id: attempt.id };
  if (!pending) return { state: started, effects: [{ kind: 'abort' }, send] };
  const begun = begin(started, pending.id, { sent: pending.sent, draft, tab });
  return { state: begun.state, effects: [{ kind: 'abort' }, ...begun.effects, send] };
}

/** Writes this upload into the draft, with this tab as its sender. It replaces an upload of another tab. */
function begin(state: UploadState, id: string, { sent, draft, tab }: UploadContext & { sent: number }): Step {
  const { job, attempt } = state;
  if (!job || !attempt) return stay(state);
  const pending = { id, ...identityOf(job.file), sent, owner: tab };
  const replaced = [draft.pending, draft.upload].flatMap((each) => (each && each.id !== id ? [each.id] : []));
  return {
    state: { ...state, id, attempt: { ...attempt, id } },
    effects: [
      { kind: 'release' },
      { kind: 'hold', id },
      { kind: 'changeDraft', fields: { upload: null, pending } },
      ...replaced.map((each) => ({ kind: 'removeFromService', id: each }) as const),
    ],
  };
}

/** The draft still names the upload, so that it can continue. */
function interrupt(state: UploadState, status: 'paused' | 'waiting'): Step {
  return { state: withJob({ ...state, attempt: null }, { status, samples: [] }), effects: [{ kind: 'abort' }] };
}

function restart(state: UploadState, context: UploadContext): Step {
  const asked = withJob(state, { status: 'chosen', sent: 0 });
  const begun = start(asked, { ...context, draft: { ...context.draft, upload: null } });
  return { ...begun, effects: [{ kind: 'changeDraft', fields: { upload: null } }, ...begun.effects] };
}

function remove(state: UploadState, { draft: { pending, upload } }: UploadContext): Step {
  const id = (pending ?? upload)?.id;
  return {
    state: { ...halted(state), job: null },
    effects: [
      ...HALT,
      ...(id === undefined ? [] : [{ kind: 'removeFromService', id } as const]),
      { kind: 'changeDraft', fields: NO_VIDEO },
    ],
  };
}

/** The draft was posted, or another tab has replaced the video or has taken over. */
function followDraft(state: UploadState, { draft: { pending, upload }, tab }: UploadContext): Step {
  const { job, id } = state;
  if (!job) return stay(state);
  if (job.status === 'done')
    return upload && isSameFile(upload, identityOf(job.file)) ? stay(state) : stay({ ...state, job: null });
  if (id === null || (pending?.owner === tab && pending.id === id)) return stay(state);
  const isNamed = pending?.id === id || upload?.id === id;
  return {
    state: { ...halted(state), job: null },
    effects: [...HALT, ...(isNamed ? [] : [{ kind: 'removeFromService', id } as const])],
  };
}

type AttemptEvent = Extract<UploadEvent, { attempt: number }>;

function nextOfAttempt(state: UploadState, event: AttemptEvent, context: UploadContext): Step {
  const { job, attempt } = state;
  const {
    draft: { pending },
    tab,
  } = context;
  if (!job || attempt?.number !== event.attempt)
    // The upload started after the interruption, so no draft names it.
    return event.kind === 'begun' ? { state, effects: [{ kind: 'removeFromService', id: event.id }] } : stay(state);
  switch (event.kind) {
    case 'begun':
      return begin(state, event.id, { ...context, sent: 0 });
    case 'progress': {
      const { sent, at } = event;
      const isStored = pending?.owner !== tab || pending.sent === sent;
      return {
        state: withJob(state, { sent, status: 'sending', samples: withSample(job.samples, { at, sent }) }),
        effects: isStored ? [] : [{ kind: 'changeDraft', fields: { pending: { ...pending, sent } } }],
      };
    }
    case 'lost':
      return {
        state: withJob(state, { status: 'waiting', samples: [] }),
        effects: [{ kind: 'checkFile', attempt: attempt.number, file: job.file }],
      };
    case 'fileUnreadable':
      return { state: withJob(halted(state), { status: 'fileChanged' }), effects: HALT };
    case 'finished': {
      const upload = { id: event.id, ...identityOf(job.file) };
      return {
        state: withJob(halted(state), { status: 'done', sent: job.file.size, error: null }),
        effects: [...HALT, { kind: 'changeDraft', fields: { pending: null, upload } }],
      };
    }
    case 'refused':
      return refuse(state, job, attempt, event.error);
    case 'online':
      return { state, effects: [{ kind: 'send', attempt: attempt.number, file: job.file, id: attempt.id }] };
  }
}

function refuse(state: UploadState, job: UploadJob, attempt: Attempt, error: unknown): Step {
  const { number, restarts } = attempt;
  if (isUnknown(error) && attempt.id !== null && restarts < MAX_RESTARTS)
    return {
      state: { ...state, attempt: { ...attempt, id: null, restarts: restarts + 1 } },
      effects: [{ kind: 'send', attempt: number, file: job.file, id: null }],
    };
  if (isPassing(error))
    return {
      state: withJob(state, { status: 'waiting', samples: [] }),
      effects: [{ kind: 'waitOnline', attempt: number }],
    };
  const shown = error instanceof Error ? error : new Error(String(error));
  return { state: withJob(halted(state), { status: 'failed', error: shown }), effects: HALT };
}

/** Whether the error is temporary: the service could not be reached, or was unavailable. */
const isPassing = (error: unknown) =>
  error instanceof ReelayApiError && error.code !== 'storage_full' && [0, 502, 503, 504].includes(error.status);

const isUnknown = (error: unknown) => isRefused(error, 'unknown_upload') || isRefused(error, 'upload_used');
