export const snippets = {
  button: 'Textbausteine',
  title: 'Textbausteine',
  close: 'Schließen',
  loading: 'Textbausteine werden geladen',
  empty:
    'Keine Textbausteine. Speichere Hashtags oder Nennungen, die du oft brauchst, und füge sie mit einem Klick ein.',
  new: 'Neuer Textbaustein',
  editOf: 'Textbaustein bearbeiten: {name}',
  deleteOf: 'Textbaustein löschen: {name}',
  name: 'Name',
  hint: 'Den Namen siehst nur du.',
  text: 'Text',
  tooLong: 'Dieser Text hat {count, number} Zeichen. Höchstens {max, number} sind möglich.',
  replaces: 'Der Textbaustein „{name}“ wird ersetzt.',
  save: 'Textbaustein speichern',
  cancel: 'Abbrechen',
  delete: 'Textbaustein löschen',
  deleteTitle: 'Diesen Textbaustein löschen?',
  deleteText:
    'Der Textbaustein „{name}“ wird gelöscht. Beschreibungen und Texte, die ihn enthalten, ändern sich nicht.',
};
