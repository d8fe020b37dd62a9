/** Errors that name everything in a request that does not exist. */
import { nearest } from '../lib/nearest.ts';
import { apiError, type ReelayError } from './reelay-error.ts';

/** Names in one error, and code units of each. */
export const MAX_NAMES = 10;
const MAX_NAME = 100;

/** @param names at least one @param known the fields that exist there, if that is known */
export function unknownFields(names: readonly string[], known: readonly string[] = []): ReelayError {
  const near = nearestOf(names, known);
  const [name = ''] = names;
  if (names.length === 1)
    return near[0] === undefined
      ? apiError('field_unknown', { name: name.slice(0, MAX_NAME) })
      : apiError('field_unknown_near', { name: name.slice(0, MAX_NAME), near: near[0] });
  return near.length === 0
    ? apiError('fields_unknown', { names: listed(names) })
    : apiError('fields_unknown_near', { names: listed(names), near: listed(near) });
}

/** @param ids of accounts that the user does not have, at least one */
export function unknownAccounts(ids: readonly string[]): ReelayError {
  const [id = ''] = ids;
  return ids.length === 1
    ? apiError('account_not_found', { id: id.slice(0, MAX_NAME) })
    : apiError('accounts_not_found', { ids: listed(ids) });
}

/** The names that were probably meant, each once. Names that are not shown are not compared, because that costs time. */
export function nearestOf(names: readonly string[], known: readonly string[]): string[] {
  const near = names.slice(0, MAX_NAMES).map((name) => nearest(name, known));
  return [...new Set(near.filter((name) => name !== null))];
}

/** At most ten names, in quotes and cut. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `"${name.slice(0, MAX_NAME)}"`);
  return shown.join(', ') + (names.length > MAX_NAMES ? ', …' : '');
}
