import type { passkey as English } from '../en/passkey.ts';
import type { Translation } from '../translation.ts';

export const passkey: Translation<typeof English> = {
  canceled: 'Die Passkey-Abfrage wurde geschlossen oder ist abgelaufen.',
  known: 'Dieses Gerät hat schon einen Passkey für dein Konto.',
  failed: 'Dein Browser konnte den Passkey nicht verwenden.',
  refused: 'Der Passkey wurde nicht angenommen. Vielleicht wurde er entfernt.',
};
