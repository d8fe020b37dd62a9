/** Converts history rows to API responses. Pure. */
import type { Ends } from '../accounts/tokens/token-lifetime.ts';
import { explain } from '../messages/checks.ts';
import type { MessageRenderer } from '../messages/message.ts';
import { chooseFile, type TargetRendition } from '../publishing/choose-file.ts';
import { publicStatus } from '../publishing/target.ts';
import { renderDetail, type Wording, withPlatformCode } from '../publishing/target-detail.ts';
import type { DetailedRow, EntryRow, TargetRow, TimelineRow } from './history-store.ts';

/** How entries are written for their reader. */
export interface Presentation {
  /** URL of a picture; "" if there is no picture. */
  address: (filename: string | null) => string;
  /** Renders messages in the reader's language. */
  render: MessageRenderer;
}

export function presentEntry(row: EntryRow, { address, render }: Presentation) {
  return {
    id: row.id,
    description: row.description,
    filename: row.filename,
    result: row.targets.map((target) => ({
      platform: target.platform,
      usernameImage: address(target.avatar),
      id: target.accountId,
      username: target.username,
      displayName: target.displayName,
      status: publicStatus(target.state),
      ...outcomeOf(target),
      ...troubleOf(target, render),
    })),
    scheduled: row.scheduled,
    date: row.date.toISOString(),
    ...(row.repostOf === null ? {} : { repostOf: row.repostOf }),
  };
}

/** @param endOf expiry of a platform account's access, ISO 8601; null: unknown */
export function presentDetailed(
  row: DetailedRow,
  address: Presentation['address'],
  wording: Wording,
  endOf: (platform: string, access: Ends<string>) => string | null,
) {
  return {
    ...presentEntry(
      { ...row, targets: row.targets.map((target) => reworded(target, wording)) },
      { address, render: wording.render },
    ),
    previewTime: row.previewTimeMs / 1000,
    targets: row.targets.map((target) => ({
      platformId: target.accountId,
      status: publicStatus(target.state),
      ...outcomeOf(reworded(target, wording)),
      ...(target.caption === null ? {} : { caption: target.caption }),
      ...(Object.keys(target.options).length === 0 ? {} : { options: target.options }),
      ...renditionOf(target.rendition),
      ...warningOf(target, target.access && endOf(target.platform, target.access), wording.render),
      ...(target.dueAt === null ? {} : { nextAttemptAt: isoOf(target.dueAt) }),
      ...troubleOf(target, wording.render),
      timeline: target.timeline.map((row) => presentLine(row, wording.render)),
    })),
  };
}

/** Entries from before messages had codes have only a text. */
function presentLine({ at, event, text, code, params, platformCode }: TimelineRow, render: MessageRenderer) {
  const message = code === null ? null : { code, params: params ?? {} };
  return {
    at: isoOf(at),
    event,
    text: message ? render(message) : (text ?? ''),
    ...(message ? { message } : {}),
    ...(platformCode ? { platformCode } : {}),
  };
}

/** The target with its detail in the reader's language. */
function reworded<Target extends DetailedRow['targets'][number]>(target: Target, wording: Wording): Target {
  const messages = target.timeline.flatMap(({ code, params }) => (code === null ? [] : { code, params: params ?? {} }));
  return { ...target, detail: renderDetail(target.detail, messages, wording) };
}

/** Result of a final target. */
function outcomeOf({ state, code, detail, platformCode, url, publishedAt }: TargetRow) {
  const said = withPlatformCode(detail, platformCode);
  const withDetail = said ? { detail: said } : {};
  if (state === 'failed') return { message: code ?? ('internal_error' as const), ...withDetail };
  if (state !== 'posted') return {};
  return { ...withDetail, ...(url ? { url } : {}), ...(publishedAt ? { publishedAt: isoOf(publishedAt) } : {}) };
}

/** Why the target has to be tried again, and when it is. */
function troubleOf({ trouble, dueAt }: TargetRow, render: MessageRenderer) {
  if (trouble === null || dueAt === null) return {};
  const { code, reason, platformCode, since, attempts } = trouble;
  const text = withPlatformCode(render(reason), platformCode) ?? '';
  return {
    nextAttemptAt: isoOf(dueAt),
    trouble: {
      ...{ code, text, since: new Date(since).toISOString(), attempts },
      ...(platformCode === null ? {} : { platformCode }),
    },
  };
}

/** Progress of the target's rendition; empty once it is stored. */
function renditionOf(rendition: TargetRendition | null) {
  if (rendition?.state !== 'making') return {};
  return { rendition: { progress: Math.round(rendition.progress * 100) / 100 } };
}

/** Known problems that will prevent the post at its due time. */
function warningOf(
  target: DetailedRow['targets'][number],
  end: string | null,
  render: MessageRenderer,
): { warning?: string } {
  const { state, dueAt, capabilities, original, rendition } = target;
  if (state !== 'scheduled' || dueAt === null) return {};
  const warnings: string[] = [];
  if (end !== null && Date.parse(dueAt) >= Date.parse(end))
    warnings.push(render(explain('access_ends', { endAt: Date.parse(end) })));
  const choice = chooseFile(capabilities, original, rendition);
  if (choice.file === 'cannot') warnings.push(render(explain('video_unfit', { reason: choice.why })));
  return warnings.length > 0 ? { warning: warnings.join(' ') } : {};
}

/** Normalizes times: the database writes microseconds and an offset. */
function isoOf(text: string): string {
  return new Date(text).toISOString();
}
