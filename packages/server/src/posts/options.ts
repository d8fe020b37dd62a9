/** Options of a post for one platform or account: a different caption, and the options its connector supports. */
import type { Connector, JsonObject } from '../connectors/contract.ts';
import { apiError } from '../errors.ts';
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
  if (stray !== undefined) throw apiError('option_without_account', { path: `options.${stray.slice(0, 100)}` });
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
  const pathOf = (field: string) =>
    `options.${Object.hasOwn(ownOf(sent, id) ?? {}, field) ? id : platform}.${field.slice(0, 100)}`;
  if (caption !== null && typeof caption !== 'string') throw apiError('option_not_text', { path: pathOf('caption') });
  if (caption !== null) refuseLongDescription(caption);
  const [first] = Object.keys(asked);
  if (first === undefined) return { caption, options: {} };
  if (!connector?.options)
    throw apiError('option_unsupported', { path: pathOf(first), platform: connector?.name ?? platform });
  const read = connector.options.safeParse(asked);
  if (read.success) return { caption, options: read.data };
  const [issue] = read.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (unknown !== undefined) throw apiError('option_unknown', { path: pathOf(unknown), platform: connector.name });
  const path = pathOf((issue?.path ?? [first]).join('.'));
  throw apiError('option_invalid', { path, problem: issue?.message ?? 'invalid' });
}
