import type { FIELD_PROBLEMS } from '../fields.ts';
import { translationOf } from '../translation.ts';

export const fields = translationOf<typeof FIELD_PROBLEMS>()({
  empty: 'darf nicht leer sein',
  too_short: 'muss mindestens {limit} Zeichen haben',
  too_long: 'darf höchstens {limit} Zeichen haben',
  not_text: 'muss Text aus vollständigen Zeichen ohne U+0000 sein',
  not_email: 'muss eine E-Mail-Adresse sein',
  not_integer: 'muss eine ganze Zahl sein',
  not_moment:
    'muss eine Zeit in Unix-Millisekunden oder nach ISO 8601 mit Zeitzone sein, zum Beispiel 2026-08-01T09:30:00Z',
  below: 'muss mindestens {limit} sein',
  above: 'darf höchstens {limit} sein',
  too_few: 'muss mindestens {limit} {limit|Eintrag|Einträge} haben',
  too_many: 'darf höchstens {limit} {limit|Eintrag|Einträge} haben',
  not_time: 'muss eine Uhrzeit wie 22:00 sein',
  no_duration: '„from“ und „to“ müssen verschieden sein',
  below_minimum: 'darf nicht unter dem Minimum liegen',
  not_hashtag: 'muss ein Hashtag aus Buchstaben, Ziffern und Unterstrichen sein',
  unknown_zone: 'unbekannte Zeitzone „{zone}“',
  unknown_placeholder: 'unbekannter Platzhalter „{placeholder}“. Bekannt: {allowed}',
  unknown_placeholders: 'unbekannte Platzhalter {placeholders}. Bekannt: {allowed}',
  brace_open: 'schreibe „{{“ für eine Klammer, die keinen Platzhalter beginnt',
  not_string: 'muss Text sein',
  not_number: 'muss eine Zahl sein',
  not_boolean: 'muss true oder false sein',
  not_list: 'muss eine Liste sein',
  not_object: 'muss ein Objekt sein',
  not_one_of: 'muss eines davon sein: {allowed}',
  not_url: 'muss eine Adresse (URL) sein',
  not_id: 'muss eine ID (UUID) sein',
  malformed: 'hat ein falsches Format',
});
