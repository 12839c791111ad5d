import { afterEach, expect, test } from 'vitest';
import { setLocale, t } from '#ui';
import { compiledCatalogue } from './compiled-messages.ts';

const german = `
msgid ""
msgstr "Language: de\\n"

msgid "Back to inbox"
msgstr "Zurück zum Posteingang"

msgid "Assigned to {who}"
msgstr "Zugewiesen an {who}"

msgid "{n, plural, one {# row} other {# rows}}"
msgstr "{n, plural, one {# Zeile} other {# Zeilen}}"

msgid "Archive"
msgstr ""

#, fuzzy
msgid "Snooze"
msgstr "Schlummern"
`;

afterEach(() => setLocale('en', {}));

test('a translated PO catalogue is shown in its language, with values and plurals', () => {
  setLocale('de', compiledCatalogue(german));
  expect(t('Back to inbox')).toBe('Zurück zum Posteingang');
  expect(t('Assigned to {who}', { who: 'Una' })).toBe('Zugewiesen an Una');
  const rows = (n: number) => t('{n, plural, one {# row} other {# rows}}', { n });
  expect([rows(1), rows(1500)]).toEqual(['1 Zeile', '1.500 Zeilen']);
});

test('untranslated and fuzzy messages are shown in English', () => {
  setLocale('de', compiledCatalogue(german));
  expect([t('Archive'), t('Snooze'), t('Close')]).toEqual(['Archive', 'Snooze', 'Close']);
});
