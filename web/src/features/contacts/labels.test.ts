import { expect, test } from 'vitest';
import { ruleFields } from '#contract/contacts/rules';
import { ruleChoiceName } from './labels.ts';

test('every choice of a rule has a label', () => {
  const shown = Object.entries(ruleFields).flatMap(([field, { choices }]) =>
    (choices ?? []).map((value) => ruleChoiceName(field, value)),
  );
  expect(shown.filter((word) => !word || /_|^[a-z]/.test(word))).toEqual([]);
  expect(shown).toEqual(expect.arrayContaining(['Text to join', 'Keyword', 'Business']));
});
