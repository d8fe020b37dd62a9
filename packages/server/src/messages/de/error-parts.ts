import type { LIMIT_UNITS, SOURCE_TEXTS } from '../error-parts.ts';
import { translationOf } from '../translation.ts';

export const sources = translationOf<typeof SOURCE_TEXTS>()({
  no_redirect: '',
  after_redirect: ' (nach einer Weiterleitung)',
  after_redirects: ' (nach {hops} Weiterleitungen)',
  json: 'JSON',
  xml: 'XML',
  text: 'Text',
});

export const units = translationOf<typeof LIMIT_UNITS>()({
  posts_per_month: '{value|Beitrag|Beiträge} pro Monat',
  connected_accounts: '{value|verbundenes Konto|verbundene Konten}',
  rules: '{value|Regel|Regeln}',
  scheduled_ahead: '{value|geplanten Beitrag|geplante Beiträge}',
});
