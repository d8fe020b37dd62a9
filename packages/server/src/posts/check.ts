/**
 * `POST /post/check`: reports what would happen to a post on each account, using the same code that posts it. Stores
 * nothing.
 */
import type { Connector } from '../connectors/contract.ts';
import { ReelayError } from '../errors.ts';
import type { RenditionSpec } from '../media/rendition/plan.ts';
import type { VideoFacts } from '../media/types.ts';
import { assertPostsLeft, assertScheduledLeft } from '../plans/service.ts';
import { emptyBudgets } from '../publishing/budgets.ts';
import { chooseFile } from '../publishing/file.ts';
import { captionExcess } from '../publishing/suitability.ts';
import { openDiskSpaceGuard } from '../storage/disk-space.ts';
import { type Access, readAccess, troubleAhead } from './access.ts';
import { askOf, findAccounts, type PostAccount, pickAccounts, refuseUnconnected, type Wanted } from './accounts.ts';
import type { PostRequest } from './create.ts';
import { parsePostFields } from './fields.ts';
import { sentFor } from './options.ts';
import { createScratch, prepareVideo } from './prepare.ts';
import { assertOneVideo, bringVideo } from './source.ts';
import { databaseNow } from './store.ts';
import { EFFECTS, type Effect, type PostNeeds, type Reason } from './types.ts';
import { whenToPost } from './when.ts';

export interface Verdict {
  platformId: string;
  platform: string;
  username: string;
  /** The worst effect of all reasons; `fits` if there are only warnings or none. */
  outcome: Exclude<Effect, 'warning'> | 'fits';
  reasons: Reason[];
  /** The rendition, if the video is converted first. */
  rendition?: RenditionSpec;
}

export interface Check {
  scheduled: boolean;
  /** ISO 8601 */
  date: string;
  video: VideoFacts;
  /** Reasons that affect the whole post. */
  reasons: Reason[];
  result: Verdict[];
}

/**
 * Checks a post without creating it.
 * @throws ReelayError if the request, its video or one of its ids would be rejected
 */
export async function checkPost(
  needs: PostNeeds,
  request: Pick<PostRequest, 'userId' | 'receive' | 'signal'>,
): Promise<Check> {
  const { db } = needs;
  const { userId, signal } = request;
  const space = await openDiskSpaceGuard(needs.storage, needs.config.leastFreeBytes);
  const arrived = await databaseNow(db);
  const scratch = createScratch(needs);
  try {
    const form = await request.receive({ onBytes: space.take, onVideo: async () => {} });
    if (form.video) scratch.add(form.video.path);
    const fields = parsePostFields(form.fields);
    assertOneVideo(fields, form.video);
    const when = whenToPost(fields.scheduled, arrived);
    const at = when.scheduled ? when.at : arrived;
    const found = await findAccounts(db, userId, fields.platforms);
    const wanted = { ids: fields.platforms, description: fields.description, options: fields.options };
    const accounts = pickAccounts(found, wanted);
    const source = { userId, source: fields.source, file: form.video };
    const brought = await bringVideo(needs, source, { onBytes: space.take, signal });
    scratch.add(brought.path);
    const { facts } = await prepareVideo(needs, brought, fields, { scratch, signal });
    return {
      scheduled: when.scheduled,
      date: new Date(at).toISOString(),
      video: facts,
      reasons: await reasonsOfPlan(needs, userId, when.scheduled),
      result: await judgeAll(needs, accounts, { wanted, facts, at }),
    };
  } finally {
    await scratch.clear();
  }
}

async function reasonsOfPlan({ db, config }: PostNeeds, userId: string, scheduled: boolean): Promise<Reason[]> {
  return refusalOf(async () => {
    await assertPostsLeft(db, config.plans, userId);
    if (scheduled) await db.transaction((tx) => assertScheduledLeft(tx, config.plans, userId));
  });
}

interface Asked {
  wanted: Wanted;
  facts: VideoFacts;
  /** ms since the epoch */
  at: number;
}

async function judgeAll(needs: PostNeeds, accounts: readonly PostAccount[], asked: Asked): Promise<Verdict[]> {
  const access = await readAccess(
    needs.db,
    accounts.map(({ id }) => id),
  );
  const verdicts: Verdict[] = [];
  for (const account of accounts) verdicts.push(await judgeAccount(needs, account, asked, access.get(account.id)));
  return verdicts;
}

/** Evaluates one account. Queries the database only for the budgets of real accounts. */
export async function judgeAccount(
  needs: Pick<PostNeeds, 'db' | 'config' | 'connectors'>,
  account: PostAccount,
  { wanted, facts, at }: Asked,
  access: Access | undefined,
): Promise<Verdict> {
  const { id, identityId, platform, service, username, capabilities, sandbox } = account;
  const connector = needs.connectors[platform];
  const reasons = await refusalOf(() => {
    refuseUnconnected(account, needs.config);
    askOf(account, wanted, connector);
  });
  for (const reason of reasons)
    if (reason.code === 'caption_too_long') reason.excess = excessOf(account, wanted, connector);
  const refusedText = connector?.textProblem?.(textFor(account, wanted).text);
  if (refusedText) reasons.push({ effect: 'fails', code: 'caption_rejected', message: refusedText });
  const choice = chooseFile(capabilities, facts, null);
  if (choice.file === 'cannot') reasons.push({ effect: 'fails', code: 'video_rejected', message: choice.why });
  if (choice.file === 'order') reasons.push({ effect: 'converted', code: 'converted', message: choice.why });
  if (connector && access) reasons.push(...troubleAhead(connector, access, at));
  // The sandbox has no limits, so its calls are not counted.
  if (connector && !sandbox)
    for (const { kind, until } of await emptyBudgets(needs.db, connector, { accountId: id, identityId, service }, at))
      reasons.push({
        effect: 'waits',
        code: 'platform_limit_reached',
        message: kind === 'daily' ? DAILY : RATE,
        until: until.toISOString(),
      });
  return {
    platformId: id,
    platform,
    username,
    outcome: worstOf(reasons),
    reasons,
    ...(choice.file === 'order' ? { rendition: choice.wanted.spec } : {}),
  };
}

const DAILY = 'What the platform allows in a day is used up; the post waits for the rest of it.';
const RATE = 'The platform allows no more for the moment; the post waits.';

function excessOf(account: PostAccount, wanted: Wanted, connector: Connector | undefined): number {
  return captionExcess(connector, account.capabilities, textFor(account, wanted));
}

/** The text for this account, also if its options are invalid. */
function textFor(account: PostAccount, { description = '', options: sent = {} }: Wanted) {
  const { caption, ...options } = sentFor(account, sent);
  return { text: typeof caption === 'string' ? caption : description, options };
}

/** Returns the error that the assertion throws as a reason; empty if it passes. */
async function refusalOf(assertion: () => unknown): Promise<Reason[]> {
  try {
    await assertion();
    return [];
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    return [{ effect: 'refused', code: error.code, message: error.message }];
  }
}

function worstOf(reasons: readonly Reason[]): Verdict['outcome'] {
  const effects = new Set(reasons.map(({ effect }) => effect));
  const worst = EFFECTS.find((effect) => effects.has(effect));
  return worst === undefined || worst === 'warning' ? 'fits' : worst;
}
