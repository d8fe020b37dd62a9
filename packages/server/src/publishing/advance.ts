/**
 * Runs one step of a target: performs the work its state requires and turns the result into a transition. All writes go
 * through `commit`. The irreversible request is sent only after its `committing` row is durable.
 */
import type { Connector, JsonObject, Media, Work } from '../connectors/contract.ts';
import type { RenditionSpec } from '../media/rendition/plan.ts';
import { type ManagedHttp, NetworkError } from '../outbound/http-client.ts';
import { BudgetEmpty, type Failure, PlatformError } from '../outbound/platform-error.ts';
import { ShareUsed } from './budgets.ts';
import * as decide from './decide.ts';
import { chooseFile } from './file.ts';
import { MINUTE } from './pauses.ts';
import {
  afterFailedCall,
  afterInternalError,
  afterRefresh,
  afterUnreadableCheckpoint,
  afterUnrecordedSend,
} from './recovery.ts';
import { type SendOutcome, send } from './send.ts';
import type { OpenAccount, SessionSource } from './sessions.ts';
import { captionProblemWith, missingChoice, videoProblem } from './suitability.ts';
import { earliestPost, type Target, type Transition } from './target.ts';
import type { Task } from './task.ts';
import { takeOriginal, waitForFile, waitForTwin } from './waits.ts';
import { isAway } from './writer.ts';

/** Minimum remaining lifetime of the access token for an irreversible call. */
const MIN_TOKEN_LIFE_MS = 5 * MINUTE;
/**
 * A target first claimed more than this many minutes after its due time is late. Only minutes without any worker count.
 */
const LATE_AFTER_MINUTES = 60;
const STAGGER_MS = 2 * MINUTE;
const SANDBOX_SETTLE_MS = 5_000;
/** Added to the request's deadline, so that no other worker can start before the request has ended. */
export const LEASE_MARGIN_MS = 10_000;

/** What a step needs from its worker. */
export interface Mover {
  sessions: SessionSource;
  http: (sandbox: boolean) => ManagedHttp;
  /** Current time by the database's clock, for this task. Unit: ms since the epoch. */
  now(): number;
  random(): number;
  /** The target as this step has written it so far. */
  current(): Target;
  /** Aborted when another worker has taken the lane. */
  lost: AbortSignal;
  /**
   * Writes a transition under the fencing token.
   * @returns false when the lane was lost: stop at once
   * @param leaseMs extends the lease
   */
  commit(transition: Transition, leaseMs?: number): Promise<boolean>;
  /** Remaining lease of the lane by this machine's clocks, in ms. 0: no irreversible call may start. */
  leaseLeftMs(): number;
  /** Records the outcome of a send, even if the lane was lost. */
  settleSend(outcome: SendOutcome, transition: Transition): Promise<boolean>;
  minutesWithoutWorker(since: number): Promise<number>;
  /** Texts of other posts to this identity whose outcome is unknown. */
  textsInDoubt(): Promise<string[]>;
  /** Queues a rendition of the video unless one exists. @returns its id */
  order(wanted: { key: string; spec: RenditionSpec }): Promise<string>;
  media(task: Task): Media;
  spend(connector: Connector, budget: string): Promise<void>;
  limitReached(connector: Connector, failure: Failure & { kind: 'rateLimited' }): Promise<void>;
  onBug(error: unknown): void;
}

/** Runs one step. @returns false when the lane was lost @throws ReelayError `database_unavailable` */
export async function advance(task: Task, mover: Mover): Promise<boolean> {
  const { target } = task;
  const at = () => ({ now: mover.now(), random: mover.random });
  if (target.state === 'committing') return mover.commit(afterUnrecordedSend(target, at()));
  // Verifying a target in `unknown` also works without its checkpoint.
  if (task.unreadable && target.state !== 'unknown') return mover.commit(afterUnreadableCheckpoint(target, at()));
  if (target.state !== 'unknown' && target.state !== 'confirming') {
    const refused = await refusedBeforehand(task, mover);
    if (refused) return mover.commit(refused);
  }
  // No call is counted before the account is open. Calls of sandbox accounts are never counted.
  const known: Known = { connector: mover.sessions.connector(task.account.platform), sandbox: true };
  try {
    return await withAccount(task, mover, known);
  } catch (error) {
    // The database is unavailable, so nothing can be written. The target is unaffected: the next holder of the lane
    // continues it.
    if (isAway(error)) throw error;
    if (mover.lost.aborted) return false;
    // The request may have been sent. Do not overwrite `committing` with an earlier state.
    if (mover.current().state === 'committing') {
      mover.onBug(error);
      return mover.commit(afterInternalError(mover.current(), known.connector.completeWithoutIdMs, at()));
    }
    return mover.commit(await afterError(task, error, known, mover));
  }
}

/** Conditions that fail or delay a target before any call to its platform. */
async function refusedBeforehand(task: Task, mover: Mover): Promise<Transition | null> {
  const { target } = task;
  const now = mover.now();
  // Work started before the account was disconnected may finish. Its tokens are kept until then.
  const finishing = task.account.status === 'DISCONNECTED' && target.begunAt !== null;
  if (task.account.status !== 'CONNECTED' && !finishing)
    return decide.fail(
      target,
      'reconnect_required',
      'The account is not connected any more. Connect it again, then retry.',
    );
  if (task.media.state !== 'stored') return decide.fail(target, 'internal_error', 'The video is no longer kept.');
  if (target.deadlineAt !== null && now > target.deadlineAt)
    return decide.fail(target, 'platform_unavailable', 'Given up: the time to try had passed.');
  if (target.begunAt !== null || target.dueAt === null || now - target.dueAt < LATE_AFTER_MINUTES * MINUTE) return null;
  if ((await mover.minutesWithoutWorker(target.dueAt)) <= LATE_AFTER_MINUTES) return null;
  if (task.owner.late === 'skip')
    return decide.fail(
      target,
      'late_skipped',
      'The service was not running when this was due, and late posts are skipped.',
    );
  const turn = task.lastTurnAt === null ? now : task.lastTurnAt + STAGGER_MS;
  if (turn <= now) return null;
  return {
    target: { ...target, dueAt: turn, countsFrom: turn },
    entries: [
      {
        event: 'late',
        text: `Late, because the service was not running. Its turn comes in ${decide.inWords(turn - now)}.`,
      },
    ],
  };
}

/** What is known about the account when an error occurs. */
interface Known {
  connector: Connector;
  sandbox: boolean;
}

async function withAccount(task: Task, mover: Mover, known: Known): Promise<boolean> {
  const account = await mover.sessions.open(task.account.id, {
    minLifeMs: MIN_TOKEN_LIFE_MS,
    now: () => Math.floor(mover.now()),
    spend: async (budget) => {
      // The sandbox has no limits, so its calls are not counted.
      if (!known.sandbox) await mover.spend(known.connector, budget);
    },
  });
  known.sandbox = account.session.sandbox;
  const work: Work = {
    session: { ...account.session, http: (request) => account.session.http({ ...request, signal: mover.lost }) },
    post: {
      targetId: task.target.id,
      sendKey: task.target.sendKey,
      text: task.post.text,
      previewTimeMs: task.post.previewTimeMs,
      options: task.post.options,
    },
    media: mover.media(task),
  };
  if (task.target.state === 'unknown') return look(task, account, work, mover);
  if (task.target.state === 'confirming') return poll(task, account, work, mover);
  return step(task, account, work, mover);
}

async function step(task: Task, account: OpenAccount, work: Work, mover: Mover): Promise<boolean> {
  const { connector, session, capabilities } = account;
  const at = () => ({ now: mover.now(), random: mover.random });
  const unready = await readyFile(task, account, mover);
  if (unready) return mover.commit(unready);
  const target = decide.begin(task.target, at());
  if (!task.target.checkpoint) {
    const choice = missingChoice(connector.choices, session.choices, task.post.options);
    if (choice)
      return mover.commit(
        decide.fail(target, 'setup_needed', `The account's owner has to choose first: ${choice.label}.`),
      );
    const caption = captionProblemWith(connector, capabilities, task.post);
    if (caption) return mover.commit(decide.fail(target, 'caption_rejected', caption));
  }
  const result = target.checkpoint ? await connector.step(work, target.checkpoint) : await connector.begin(work);
  if (result.then === 'failed')
    return mover.commit(
      await afterError(
        { ...task, target },
        new PlatformError(result.failure),
        { connector, sandbox: session.sandbox },
        mover,
      ),
    );
  if (result.then === 'continue') return mover.commit(decide.afterContinue(target, result, at()));
  if (result.then === 'look') return mover.commit(decide.afterDoubt(target, result, at()));
  // These posts can be matched only by their text. With two identical texts, verification could not tell which one was
  // posted.
  if (connector.sight === 'words' && (await mover.textsInDoubt()).some((text) => saysTheSame(text, task.post.text)))
    return mover.commit(waitForTwin(target, at()));
  return commitAndSend({ ...task, target }, account, work, result.checkpoint, result.note, mover);
}

/**
 * Ensures the file that this account's platform accepts.
 * @returns null when it is ready; otherwise the transition that waits or fails
 */
async function readyFile(task: Task, { capabilities }: OpenAccount, mover: Mover): Promise<Transition | null> {
  const { target } = task;
  const choice = chooseFile(capabilities, task.media.original, task.rendition);
  const moment = { now: mover.now(), random: mover.random };
  switch (choice.file) {
    case 'ready': {
      // A stream copy that did not come out as predicted was re-encoded. The encoder knew the video but not this
      // platform's limits.
      const problem = task.rendition && videoProblem(capabilities, task.media.facts);
      return problem ? decide.fail(target, 'video_rejected', `As it was converted: ${problem}`) : null;
    }
    case 'cannot':
      return decide.fail(target, 'video_rejected', choice.why);
    case 'original':
      return takeOriginal(target, moment);
    case 'wait':
      return waitForFile(target, task.rendition?.orderedAt ?? moment.now, moment);
    case 'order':
      return waitForFile(
        { ...target, renditionId: await mover.order(choice.wanted), checkpoint: null },
        moment.now,
        moment,
        choice.why,
      );
  }
}

/** Compares texts without case, spaces, punctuation and emoji, because platforms may change these. */
function saysTheSame(one: string, other: string): boolean {
  const bare = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return bare(one) === bare(other);
}

/** Writes the `committing` row, sends the irreversible request, then records what the response proved. */
async function commitAndSend(
  task: Task,
  account: OpenAccount,
  work: Work,
  checkpoint: JsonObject,
  note: string,
  mover: Mover,
): Promise<boolean> {
  const { connector } = account;
  const at = () => ({ now: mover.now(), random: mover.random });
  const request = await connector.commit.request(work, checkpoint);
  if (mover.leaseLeftMs() <= 0) return false;
  const ending = accessEndsTooSoon(account, request.deadlineMs, mover.now() - task.readAt);
  if (ending) return mover.commit(decide.fail(task.target, 'reconnect_required', ending));
  const committing = decide.toCommitting(task.target, checkpoint, note, request.deadlineMs, at());
  if (!(await mover.commit(committing, request.deadlineMs + LEASE_MARGIN_MS))) return false;
  // The request must end before the lease does, however long the row took to write.
  const deadlineMs = Math.min(request.deadlineMs, mover.leaseLeftMs() - LEASE_MARGIN_MS / 2);
  const outcome = await send(
    mover.http(work.session.sandbox),
    connector,
    work,
    checkpoint,
    { ...request, deadlineMs },
    () => mover.leaseLeftMs() > 0,
  );
  const sent = committing.target;
  return mover.settleSend(outcome, await afterSend(sent, outcome, account, task, mover));
}

/**
 * Renewable access has at least {@link MIN_TOKEN_LIFE_MS} left when it is opened. Access that cannot be renewed is used
 * until it expires, because waiting would only lose the post. A request that it might not outlive is not started.
 */
function accessEndsTooSoon({ accessLeftMs }: OpenAccount, deadlineMs: number, elapsedMs: number): string | null {
  if (accessLeftMs === null || accessLeftMs >= MIN_TOKEN_LIFE_MS) return null;
  const left = accessLeftMs - elapsedMs;
  if (left > deadlineMs) return null;
  return `The access to this account ends in ${decide.inWords(Math.max(0, left))}, too soon to post with it. Connect the account again, then retry.`;
}

async function afterSend(
  target: Target,
  outcome: SendOutcome,
  account: OpenAccount,
  task: Task,
  mover: Mover,
): Promise<Transition> {
  const known = { connector: account.connector, sandbox: account.session.sandbox };
  const { completeWithoutIdMs } = account.connector;
  const moment = { now: mover.now(), random: mover.random };
  if (!('failure' in outcome)) return decide.afterSend(target, outcome, completeWithoutIdMs, moment);
  // An error while handling effects on other targets must not discard what the response proves for this target.
  const failure = await heed(outcome.failure, task, known, mover).catch((error) => {
    if (!isAway(error)) mover.onBug(error);
    return outcome.failure;
  });
  return decide.afterSend(target, { ...outcome, failure }, completeWithoutIdMs, moment);
}

async function look(task: Task, account: OpenAccount, work: Work, mover: Mover): Promise<boolean> {
  const { target } = task;
  const { connector, session } = account;
  const result = await connector.verify(work, target.checkpoint, {
    text: task.post.text,
    durationMs: task.media.facts.durationMs,
    committedAt: earliestPost(target),
  });
  const settle = session.sandbox
    ? {
        ...connector.settle,
        waitMs: Math.min(SANDBOX_SETTLE_MS, connector.settle.waitMs),
        apartMs: Math.min(SANDBOX_SETTLE_MS / 2, connector.settle.apartMs),
      }
    : connector.settle;
  const moment = { now: mover.now(), random: mover.random };
  return mover.commit(decide.afterLook(target, result, settle, connector.completeWithoutIdMs, moment));
}

async function poll(task: Task, account: OpenAccount, work: Work, mover: Mover): Promise<boolean> {
  const { connector } = account;
  const result = await connector.confirm(work, task.target.checkpoint ?? {});
  const moment = { now: mover.now(), random: mover.random };
  return mover.commit(decide.afterConfirm(task.target, result, connector.completeWithoutIdMs, moment));
}

/** Maps a thrown error to the transition for the target's state. */
async function afterError(task: Task, error: unknown, known: Known, mover: Mover): Promise<Transition> {
  const { target } = task;
  const moment = { now: mover.now(), random: mover.random };
  const failure = await failureOf(task, error, known, mover);
  if (!failure) return afterInternalError(target, known.connector.completeWithoutIdMs, moment);
  return afterFailedCall(target, failure, known.connector.completeWithoutIdMs, moment);
}

function limitDetail(error: BudgetEmpty): string {
  return error instanceof ShareUsed
    ? 'The platform allows the application a limited number, and other users have not had their share of it yet.'
    : 'The platform allows no more for now.';
}

async function failureOf(task: Task, error: unknown, known: Known, mover: Mover): Promise<Failure | null> {
  if (error instanceof BudgetEmpty)
    return {
      kind: 'rateLimited',
      waitMs: error.waitMs,
      scope: 'account',
      window: error.window,
      detail: limitDetail(error),
    };
  if (error instanceof NetworkError)
    return { kind: 'transient', detail: `The platform could not be reached (${error.reason}).` };
  if (!(error instanceof PlatformError)) {
    mover.onBug(error);
    return null;
  }
  return heed(error.failure, task, known, mover);
}

/**
 * Applies a failure's effects beyond this target: refreshes the token, marks the account, closes the budget.
 * @returns the failure to continue with
 */
async function heed(failure: Failure, task: Task, known: Known, mover: Mover): Promise<Failure> {
  if (failure.kind === 'tokenExpired') {
    try {
      await mover.sessions.refresh(task.account.id);
      return afterRefresh(task.target);
    } catch (error) {
      if (error instanceof PlatformError && error.failure.kind !== 'tokenExpired')
        return heed(error.failure, task, known, mover);
      return { kind: 'transient', detail: 'The access token could not be renewed.' };
    }
  }
  if (failure.kind === 'reconnect') await mover.sessions.refused(task.account.id, failure);
  if (failure.kind === 'rateLimited' && !known.sandbox) await mover.limitReached(known.connector, failure);
  return failure;
}
