/** The privacy of reposts on each destination: the setting of that name in its connector. Pure. */
import type { Choice, ChoiceValue, JsonObject } from '../../connectors/contract.ts';
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import { handleOf } from '../../lib/handle.ts';
import type { RuleOptions } from './rule-options.ts';

const NAME = 'privacy';

export interface PrivateDestination {
  id: string;
  username: string;
  /** The values that the account may choose from, by setting name, as far as known. */
  choiceValues: Readonly<Record<string, readonly (string | ChoiceValue)[]>>;
  connector: { name: string; choices: readonly Choice[] };
}

/** @throws ReelayError `invalid_request` naming the account, with the allowed values */
export function checkPrivacy(privacy: RuleOptions['privacy'], destinations: readonly PrivateDestination[]): void {
  const byId = new Map(destinations.map((destination) => [destination.id, destination]));
  for (const [id, value] of Object.entries(privacy)) {
    const destination = byId.get(id);
    if (!destination) throw apiError('privacy_without_destination', { id: id.slice(0, 100) });
    checkOne(destination, value);
  }
}

function checkOne({ id, username, choiceValues, connector }: PrivateDestination, value: string): void {
  const account = `${connector.name} ${handleOf(username)} (${id})`;
  const choice = connector.choices.find(({ name }) => name === NAME);
  const refuse = (error: ReelayError) =>
    new ReelayError(error.code, error.said, {
      extras: { field: { path: `options.${NAME}.${id}`, problem: error.said } },
    });
  if (!choice) throw refuse(apiError('privacy_unsupported', { account, platform: connector.name }));
  const values = choiceValues[NAME] ?? choice.values;
  const allowed = values.map((each) => (typeof each === 'string' ? each : each.value));
  if (!allowed.includes(value)) throw refuse(apiError('privacy_not_allowed', { account, allowed: allowed.join(', ') }));
}

/** The post options that set the privacy of a repost. */
export function privacyOptions(privacy: RuleOptions['privacy'], accountId: string): JsonObject {
  const value = Object.hasOwn(privacy, accountId) ? privacy[accountId] : undefined;
  return value === undefined ? {} : { [NAME]: value };
}
