/** The daily limit of charged reads. Pure. */
import type { ReadCharge } from '../connectors/contract.ts';

/** Maximum number of reads per day. @param settings the operator's settings for the platform */
export function readLimitOf(charge: ReadCharge, settings: Readonly<Record<string, string>>): number {
  const given = Number(settings[charge.setting]);
  return settings[charge.setting] !== undefined && Number.isFinite(given) && given >= 0 ? given : charge.defaultLimit;
}
