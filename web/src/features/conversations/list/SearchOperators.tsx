import { t } from '#ui';
import css from './SearchOperators.module.css';

const operators: [string, string][] = [
  ['from: to:', 'A phone number'],
  ['has:media', 'With an image or file'],
  ['label:', 'A label of the contact or of your number'],
  ['assigned:', 'me, none, a person, or a team'],
  ['is:', 'unread, read, open, archived or snoozed'],
  ['source:', 'A source, campaign, keyword or page'],
  ['before: after:', 'A day: 2026-03-31'],
];

/** Whether the search text contains an operator. */
export const usesSearchOperator = (search: string): boolean =>
  /(?:^|\s)(?:from|to|has|label|assigned|is|source|before|after):/i.test(search);

/** The operators that the inbox search accepts besides names, numbers and words. */
export function SearchOperators() {
  return (
    <dl className={css.words}>
      {operators.map(([word, means]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{t(means)}</dd>
        </div>
      ))}
    </dl>
  );
}
