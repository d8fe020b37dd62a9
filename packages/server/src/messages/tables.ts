/** The tables of one language joined to one, by code. */
import type { MessageTable } from './message.ts';

/** The tables, each with the prefix of its codes. */
const PREFIXES = {
  timeline: '',
  media: '',
  rules: '',
  watching: '',
  limits: 'limit.',
  flaws: 'flaw.',
  errors: 'error.',
  problems: 'problem.',
  fields: 'field.',
  units: 'unit.',
  sources: 'source.',
  signUp: 'sign_up.',
  signIn: 'sign_in.',
  checks: 'check.',
  connect: 'connect.',
  pages: 'page.',
  refusals: 'refusal.',
  doctor: 'doctor.',
  channels: 'channel.',
} as const;

/** All tables of one language except those of connectors. */
export type Tables = Readonly<Record<keyof typeof PREFIXES, MessageTable>>;

/** @param platforms the tables of connectors, whose codes have prefixes already */
export function joinTables(tables: Tables, platforms: readonly MessageTable[]): MessageTable {
  const own = Object.entries(PREFIXES).flatMap(([name, prefix]) =>
    Object.entries(tables[name as keyof Tables]).map(([code, text]) => [prefix + code, text]),
  );
  return Object.assign(Object.fromEntries(own), ...platforms);
}
