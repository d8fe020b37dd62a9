import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('telegram')({
  // Connecting.
  token_malformed:
    'Das ist kein Bot-Token. Kopiere das Token von @BotFather: eine Zahl, ein Doppelpunkt und 35 Zeichen.',
  bot_token_rejected:
    'Telegram hat das Bot-Token abgelehnt. Verbinde das Konto mit dem aktuellen Token von @BotFather.',
  server_url_invalid: 'Die Adresse des Bot-API-Servers ist ungültig.',
  not_bot_api: 'Telegram hat mit 404 geantwortet. Prüfe die Adresse des Bot-API-Servers.',
  channel_invalid: 'Nenne den Kanal, zum Beispiel @noraclips, oder seine Nummer, die mit -100 beginnt.',
  too_many_chats: 'Nenne einen Kanal und höchstens einen Speicher-Chat.',
  not_channel: 'Der Chat „{title}“ ist kein Kanal. Nenne einen Kanal.',
  not_admin:
    'Der Bot darf in „{title}“ nicht veröffentlichen. Mach ihn zum Administrator, der Nachrichten veröffentlichen darf, und verbinde dann noch einmal.',
  storage_is_channel: 'Der Speicher-Chat ist der Kanal selbst. Nenne einen anderen Chat.',
  storage_public:
    'Der Speicher-Chat ist öffentlich, also wären Videos vor dem Veröffentlichen zu sehen. Nenne einen privaten Chat.',
  storage_not_writable:
    'Der Bot darf keine Videos in den Speicher-Chat senden. Mach ihn zu einem Mitglied, das Nachrichten senden darf.',

  // Publishing.
  stored: 'Das Video ist im Speicher-Chat.',
  stored_with_cover: 'Das Video und sein Titelbild sind im Speicher-Chat.',
  stored_as_file: 'Telegram hat die Datei nicht als Video erkannt.',
  storage_moved: 'Der Speicher-Chat hat eine neue ID.',
  storage_skipped: 'Der Speicher-Chat ist nicht nutzbar. {reason} Es wird direkt in den Kanal hochgeladen.',
  publishing_with_upload: 'Es wird in den Kanal hochgeladen. Das letzte Byte des Videos veröffentlicht den Beitrag.',
  converted_later: 'Telegram wandelt das Video um, bevor der Kanal es zeigt, und teilt die Adresse nicht mit.',
  may_be_animation: 'Das Video hat keinen Ton. Telegram zeigt es vielleicht als Animation in Endlosschleife (GIF).',
  shown_as_animation: 'Das Video hat keinen Ton, deshalb zeigt Telegram es als Animation in Endlosschleife (GIF).',
  shown_as_file: 'Telegram zeigt den Beitrag als Datei, nicht als Video.',

  // Watching.
  file_too_large:
    'Telegram gibt Bots nur Dateien bis 20 MB. Ein eigener Bot-API-Server (TELEGRAM_API_URL) gibt größere heraus.',
  file_not_served:
    'Der Bot-API-Server behält die Datei auf seiner eigenen Festplatte. Lass einen Webserver seine Dateien unter /file/bot ausliefern.',

  // Failures.
  chat_not_found:
    'Telegram hat den Chat nicht gefunden. Prüfe seinen Namen und ob der Bot Mitglied ist, und verbinde dann das Konto neu.',
  chat_moved: 'Der Chat hat eine neue ID.',
  rights_missing:
    'Der Bot darf in dem Chat nicht veröffentlichen. Mach ihn zum Administrator, der Nachrichten veröffentlichen darf.',
  not_member:
    'Der Bot wurde aus dem Chat entfernt. Füge ihn als Administrator hinzu, der Nachrichten veröffentlichen darf.',
  bot_in_use: 'Ein anderes Programm benutzt diesen Bot. Beende es und wiederhole dann.',
});
