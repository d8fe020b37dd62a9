import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('bluesky')({
  // Connecting.
  handle_invalid: 'Gib den Handle ein, zum Beispiel nora.bsky.social, oder die DID.',
  handle_unknown: 'Ein Konto mit dem Handle {handle} gibt es nicht.',
  handle_mismatch: 'Das Konto hinter {handle} benutzt diesen Handle nicht.',
  did_unknown: 'Ein Konto mit der Kennung {did} gibt es nicht.',
  did_unsupported: 'Die Art der Kennung {did} wird nicht unterstützt.',
  directory_unavailable: 'Das Verzeichnis der Kennungen hat mit {status} geantwortet.',
  server_missing: 'Das Konto {did} nennt keinen Server.',
  server_url_invalid: 'Die Adresse des Servers ist ungültig.',
  server_mismatch: 'Das Konto gehört nicht zu dem Server, der geantwortet hat.',
  other_account: 'Der Server hat für ein anderes Konto geantwortet. Verbinde das Konto noch einmal.',
  other_account_consented: 'Ein anderes Konto hat zugestimmt. Melde dich mit dem Konto an, das du genannt hast.',
  app_password_required: 'Nimm ein App-Passwort statt des Passworts des Kontos.',
  login_rejected: 'Der Handle oder das App-Passwort ist falsch.',
  session_moved:
    'Das Konto ist zu einem anderen Server umgezogen, und seine Sitzung ist beendet. Verbinde das Konto neu.',
  oauth_unsupported: '{host} unterstützt OAuth nicht. Verbinde mit einem App-Passwort.',
  public_url_required:
    'OAuth braucht eine PUBLIC_URL mit https, oder mit http auf localhost. Verbinde mit einem App-Passwort.',
  proof_rejected: 'Der Server hat den DPoP-Nachweis abgelehnt ({status}).',

  // Publishing.
  uploading_to_server: 'Das Video wird zum Server des Kontos hochgeladen.',
  uploading_to_service: 'Das Video wird zum Videodienst hochgeladen.',
  parts_unsupported: 'Der Videodienst unterstützt keine Teile. Das Video wird in einer Anfrage hochgeladen.',
  parts_rejected: '{reason} Das Video wird in einer Anfrage hochgeladen.',
  part_repeated: '{reason} Der Teil wird noch einmal gesendet.',
  parts_missing: 'Dem Videodienst fehlt Teil {part}. Er wird noch einmal gesendet.',
  server_limit_smaller: 'Der Server des Kontos nimmt nur kleinere Dateien an. Versucht werden {limitBytes}.',
  record_expired: 'Der vorbereitete Eintrag ist zu alt zum Senden.',

  // Verification.
  other_record: 'Der Server hat mit einem anderen Eintrag geantwortet.',
  account_not_served: 'Der Server bedient das Konto derzeit nicht.',
  account_moved: 'Das Konto ist zu einem anderen Server umgezogen.',

  // Failures.
  account_not_found: 'Der Server kennt das Konto nicht. Vielleicht ist es zu einem anderen Server umgezogen.',
  account_deactivated: 'Das Konto ist deaktiviert. Aktiviere es bei Bluesky wieder.',
  email_unconfirmed: 'Bestätige bei Bluesky die E-Mail-Adresse des Kontos, bevor du Videos veröffentlichst.',
  text_too_long: 'Der Text ist zu lang. Erlaubt sind höchstens {limit} Zeichen.',
  upload_forbidden: 'Bluesky erlaubt diesem Konto nicht, Videos hochzuladen.',
  uploads_unavailable: 'Der Videodienst nimmt derzeit keine Uploads an.',
  video_too_large: 'Das Video hat {sizeBytes}. Erlaubt sind höchstens {limitBytes}.',
  not_mp4: 'Der Server hat die Datei als {mime} erkannt, nicht als MP4-Video.',
});
