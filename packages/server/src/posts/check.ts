/**
 * `POST /post/check`: reports what would happen to a post on each account, using the same code that posts it. Stores
 * nothing.
 */
import type { Connector } from '../connectors/contract.ts';
import { type CountCaption, createCaptionCounter } from '../connectors/kit/captions.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import type { RenditionSpec } from '../media/rendition/plan.ts';
import { predictFacts } from '../media/rendition/spec.ts';
import type { VideoFacts } from '../media/types.ts';
import { explain } from '../messages/checks.ts';
import { assertPostsLeft, assertScheduledLeft } from '../plans/service.ts';
import { emptyBudgets } from '../publishing/budgets.ts';
import { chooseFile, type FileChoice } from '../publishing/choose-file.ts';
import { captionExcess } from '../publishing/suitability.ts';
import { type Access, foreseeProblems, readAccess } from './access.ts';
import { rejectUnconnected, targetOptions, type Wanted } from './accounts.ts';
import { type CaptionCount, countCaption, textFor } from './caption-count.ts';
import type { PostAccount } from './post-store.ts';
import { EFFECTS, type Effect, type PostDeps, type Reason } from './types.ts';
import { fileNotes, trackNotes } from './video-notes.ts';

export interface Verdict {
  platformId: string;
  platform: string;
  username: string;
  /** The worst effect of all reasons; `fits` if there are only warnings or none. */
  outcome: Exclude<Effect, 'warning'> | 'fits';
  reasons: Reason[];
  /** Its length as the platform counts it. */
  caption: Pick<CaptionCount, 'length' | 'limit' | 'unit'>;
  /** The rendition, if the video is converted first. */
  rendition?: RenditionSpec;
}

/** A post to check: like a request that creates one, with its video's facts. */
export interface PostToCheck extends CheckedContent {
  userId: string;
  accounts: readonly PostAccount[];
  scheduled: boolean;
}

/** Checks a post without creating it. @returns reasons that affect the whole post, and one verdict for each account */
export async function checkPost(
  deps: PostDeps,
  { userId, accounts, scheduled, ...content }: PostToCheck,
): Promise<{ reasons: Reason[]; result: Verdict[] }> {
  return {
    reasons: [...(await reasonsOfPlan(deps, userId, scheduled)), ...trackNotes(content.facts)],
    result: await judgeAll(deps, accounts, content),
  };
}

async function reasonsOfPlan({ db, config }: PostDeps, userId: string, scheduled: boolean): Promise<Reason[]> {
  return refusalOf(async () => {
    await assertPostsLeft(db, config.plans, userId);
    if (scheduled) await db.transaction((tx) => assertScheduledLeft(tx, config.plans, userId));
  });
}

interface CheckedContent {
  wanted: Wanted;
  facts: VideoFacts;
  /** ms since the epoch */
  at: number;
}

async function judgeAll(deps: PostDeps, accounts: readonly PostAccount[], content: CheckedContent): Promise<Verdict[]> {
  const access = await readAccess(
    deps.db,
    accounts.map(({ id }) => id),
  );
  const verdicts: Verdict[] = [];
  const count = createCaptionCounter();
  for (const account of accounts)
    verdicts.push(await judgeAccount(deps, account, { ...content, count }, access.get(account.id)));
  return verdicts;
}

/** Evaluates one account. Queries the database only for the budgets of real accounts. */
export async function judgeAccount(
  deps: Pick<PostDeps, 'db' | 'config' | 'connectors'>,
  account: PostAccount,
  { wanted, facts, at, count }: CheckedContent & { count: CountCaption },
  access: Access | undefined,
): Promise<Verdict> {
  const { id, identityId, platform, service, username, capabilities, sandbox } = account;
  const connector = deps.connectors[platform];
  const reasons = await refusalOf(() => {
    rejectUnconnected(account, deps.config);
    targetOptions(account, wanted, connector, count);
  });
  for (const reason of reasons)
    if (reason.code === 'caption_too_long') reason.excess = excessOf(account, wanted, connector, count);
  const choice = chooseFile(capabilities, facts, null);
  if (choice.file === 'cannot') reasons.push({ effect: 'fails', code: 'video_rejected', message: choice.why });
  if (choice.file === 'order') reasons.push({ effect: 'converted', code: 'converted', message: choice.why });
  if (connector && access) reasons.push(...foreseeProblems(connector, access, at));
  // The sandbox has no limits, so its calls are not counted.
  if (connector && !sandbox)
    for (const { kind, until } of await emptyBudgets(deps.db, connector, { accountId: id, identityId, service }, at))
      reasons.push({
        effect: 'waits',
        code: 'platform_limit_reached',
        message: explain(kind === 'daily' ? 'daily_limit' : 'rate_limit'),
        until: until.toISOString(),
      });
  if (choice.file !== 'cannot') reasons.push(...fileNotes(connector, sentFacts(choice, facts)));
  return {
    platformId: id,
    platform,
    username,
    outcome: worstOf(reasons),
    reasons,
    caption: captionOf(account, wanted, connector, count),
    ...(choice.file === 'order' ? { rendition: choice.wanted.spec } : {}),
  };
}

/** The facts of the file that the platform gets. */
function sentFacts(choice: FileChoice, original: VideoFacts): VideoFacts {
  return choice.file === 'order' ? predictFacts(choice.wanted.spec, original)[1] : original;
}

type CaptionArguments = [account: PostAccount, wanted: Wanted, connector: Connector | undefined, count: CountCaption];

function captionOf(...given: CaptionArguments): Verdict['caption'] {
  const { length, limit, unit } = countCaption(...given);
  return { length, limit, unit };
}

function excessOf(...[account, wanted, connector, count]: CaptionArguments): number {
  return captionExcess(connector, account.capabilities, textFor(account, wanted), count);
}

/** Returns the error that the assertion throws as a reason; empty if it passes. */
async function refusalOf(assertion: () => unknown): Promise<Reason[]> {
  try {
    await assertion();
    return [];
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    return [{ effect: 'refused', code: error.code, message: error.said }];
  }
}

function worstOf(reasons: readonly Reason[]): Verdict['outcome'] {
  const effects = new Set(reasons.map(({ effect }) => effect));
  const worst = EFFECTS.find((effect) => effects.has(effect));
  return worst === undefined || worst === 'warning' ? 'fits' : worst;
}
