/** The catalogs of the API reference, which does not load those of the dashboard. */
import { reference as german } from './de/reference.ts';
import { shell as germanShell } from './de/shell.ts';
import { states as germanStates } from './de/states.ts';
import { reference } from './en/reference.ts';
import { shell } from './en/shell.ts';
import { states } from './en/states.ts';
import type { Language } from './languages.ts';
import type { Translation } from './translation.ts';

const english = { reference, shell, states };

export type ReferenceMessages = typeof english;

export const REFERENCE_CATALOGS: Record<Language, Translation<ReferenceMessages>> = {
  en: english,
  de: { reference: german, shell: germanShell, states: germanStates },
};

export async function loadReferenceCatalog(language: Language): Promise<Translation<ReferenceMessages>> {
  return REFERENCE_CATALOGS[language];
}
