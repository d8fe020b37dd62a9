/** Options of a post for one platform or account: a different caption, and the options its connector supports. */
import type { Connector, JsonObject } from '../connectors/contract.ts';
import { apiError, type ReelayError } from '../errors/reelay-error.ts';
import { listed, MAX_NAMES, nearestOf } from '../errors/unknown-names.ts';
import { fieldsAt, nearest } from '../lib/nearest.ts';
import { coded, fieldProblem, problemIn } from '../messages/fields.ts';
import { refuseLongDescription } from './description.ts';

/** Keyed by account id, or by platform name for all accounts there. */
export type SentOptions = Readonly<Record<string, JsonObject>>;

/** Options of one target. */
export interface TargetOptions {
  /** Replaces the description; null: the description. */
  caption: string | null;
  options: JsonObject;
}

/** @throws ReelayError `invalid_request` naming a key that is neither a chosen account nor the platform of one */
export function rejectUnknownOptions(sent: SentOptions, accounts: readonly { id: string; platform: string }[]): void {
  const known = new Set(accounts.flatMap(({ id, platform }) => [id, platform]));
  const stray = Object.keys(sent).find((name) => !known.has(name));
  if (stray === undefined) return;
  const path = `options.${stray.slice(0, 100)}`;
  const near = nearest(stray, [...known]);
  throw near === null
    ? apiError('option_without_account', { path })
    : apiError('option_without_account_near', { path, near });
}

/** Options sent for one account: those of its platform, overridden field by field by its own. */
export function sentFor({ id, platform }: { id: string; platform: string }, sent: SentOptions): JsonObject {
  return { ...ownOf(sent, platform), ...ownOf(sent, id) };
}

function ownOf(sent: SentOptions, name: string): JsonObject | undefined {
  return Object.hasOwn(sent, name) ? sent[name] : undefined;
}

/**
 * Validates the options for one account: those of its platform, overridden field by field by its own.
 * @throws ReelayError `invalid_request` naming the path, such as `options.youtube.title`
 */
export function optionsFor(
  { id, platform }: { id: string; platform: string },
  sent: SentOptions,
  connector: Pick<Connector, 'options' | 'name'> | undefined,
): TargetOptions {
  const { caption = null, ...asked } = sentFor({ id, platform }, sent);
  const pathOf = (...path: PropertyKey[]) => {
    const owner = Object.hasOwn(ownOf(sent, id) ?? {}, path[0] ?? '') ? id : platform;
    return `options.${owner}.${path.map(String).join('.').slice(0, 100)}`;
  };
  if (caption !== null && typeof caption !== 'string') throw apiError('option_not_text', { path: pathOf('caption') });
  if (caption !== null) refuseLongDescription(caption);
  const [first] = Object.keys(asked);
  if (first === undefined) return { caption, options: {} };
  if (!connector?.options)
    throw apiError('option_unsupported', { path: pathOf(first), platform: connector?.name ?? platform });
  const read = connector.options.safeParse(asked, coded);
  if (read.success) return { caption, options: read.data };
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const fields = fieldsAt(connector.options, issue.path);
    const known = issue.path.length === 0 ? ['caption', ...fields] : fields;
    // One more than is shown tells that there are more.
    const names = issue.keys.slice(0, MAX_NAMES + 1);
    throw unknownOptions(
      names.map((name) => pathOf(...issue.path, name)),
      { near: nearestOf(names, known), platform: connector.name },
    );
  }
  const problem = issue ? problemIn(issue) : fieldProblem('malformed');
  throw apiError('option_invalid', { path: pathOf(...(issue?.path ?? [first])), problem });
}

function unknownOptions(
  paths: readonly string[],
  { near, platform }: { near: readonly string[]; platform: string },
): ReelayError {
  const [path = ''] = paths;
  if (paths.length === 1)
    return near[0] === undefined
      ? apiError('option_unknown', { path, platform })
      : apiError('option_unknown_near', { path, platform, near: near[0] });
  return near.length === 0
    ? apiError('options_unknown', { paths: listed(paths), platform })
    : apiError('options_unknown_near', { paths: listed(paths), platform, near: listed(near) });
}
