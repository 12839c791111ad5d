import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import PO from 'pofile';
import { expect, test } from 'vitest';

/** How the English on screen must not sound: translated, wordy or British. What to say instead. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\b(stands?|stood|standing)\b/i, 'is, appears'],
  [
    /\b(by|for) (itself|themselves)\b|\bof (its|their|your) own\b|\bas said\b/i,
    'automatically, own',
  ],
  [/^whose\b|\bwhom\b|\bwhoever\b|\bthe one who\b/i, 'Owner, who, anyone who'],
  [/\b(some|every|no|any)body\b/i, 'someone, everyone, no one, anyone'],
  [/what (came|became) of|\bbegins? with\b|\bin words\b/i, 'outcome, starts with, summary'],
  [/\b(go(es)?|going) (out|on)\b|\bcom(e|es|ing) in\b|\bis told\b/i, 'is sent, continues, arrives'],
  [/\bmails?\b|\be-mail/i, 'email'],
  [/\bhand(s|ed)? in\b|\bcalled off\b/i, 'submit, canceled'],
  [/\b(write|writes|written) down\b/i, 'transcribe, save'],
  [
    /\b(take|taken) (away|off|back)\b|\b(put|puts) (in|away|into)\b/i,
    'remove, insert, add, archive',
  ],
  [/\blook(s|ing)? (at .* )?again\b|\bas long as\b|\buntil then\b/i, 'check again'],
  [/\bmay (?!be\b|have\b|get\b|take\b|receive\b|still\b)/i, 'can'],
  [/(?<!\bno|\bthis|\bthe|plural,) one (can|may|has|is|wants|gets)\b/i, 'you, people'],
  [/\b(colleague|telephone|cancelled|labelled|colour|grey|dialled|whilst)/i, 'American English'],
  [/\be\.g\.|\d %|;|!|\s…/, 'plain punctuation'],
  [/\bsuccessfully\b/i, 'nothing: "Contact deleted"'],
];

/** Sentences that the specification words, and where. They stay as they are. */
const given: Readonly<Record<string, string>> = {
  'Oops! Something went wrong. Please try again later.': 'B §8, forgotten password',
  'Information updated successfully': 'B §8, success messages',
  'Your password was successfully changed': 'B §8, success messages',
  'Successfully updated user info': 'B §8, success messages',
  'Tenant settings updated successfully.': 'B §8, success messages',
  'Email sender verification process started.': 'B §8, success messages',
  'Invitation was successfully resent': 'B §8, success messages',
  'ADF XML integration created successfully.': 'B §8, success messages',
  'ADF XML integration updated successfully.': 'B §8, success messages',
  'ADF XML integration deactivated successfully.': 'B §8, success messages',
  'ADF XML integration deleted successfully.': 'B §8, success messages',
  'Alert updated successfully': 'A §8, success messages',
  'Billing contact created successfully': 'A §8, success messages',
  'Billing contact updated successfully': 'A §8, success messages',
  'Billing contact removed successfully': 'A §8, success messages',
  'Custom field created successfully': 'A §8, success messages',
  'Custom field updated successfully': 'A §8, success messages',
  'Custom field deleted successfully': 'A §8, success messages',
  'Custom field override was deleted successfully': 'A §8, success messages',
  'Column preset was successfully created': 'A §8, success messages',
  'Column preset was successfully updated': 'A §8, success messages',
  'Column preset was successfully removed': 'A §8, success messages',
};

const messages = PO.parse(readFileSync(join(import.meta.dirname, 'messages.pot'), 'utf8')).items;

test('every sentence on screen is plain American English', () => {
  const faults = messages
    .filter(({ msgid }) => !(msgid in given))
    .flatMap(({ msgid, references }) =>
      banned
        .filter(([pattern]) => pattern.test(msgid))
        .map(([, better]) => `“${msgid}” (${references[0]}): ${better}`),
    );
  expect(faults).toEqual([]);
});

test('what the specification words is in the catalogue, word for word', () => {
  const keys = new Set(messages.map(({ msgid }) => msgid));
  expect(Object.keys(given).filter((sentence) => !keys.has(sentence))).toEqual([]);
});
