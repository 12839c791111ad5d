import { t } from '#ui';
import css from './SearchWords.module.css';

const words: [string, string][] = [
  ['from: to:', 'A phone number'],
  ['has:media', 'With a picture or a file'],
  ['label:', 'Of the contact or of our number'],
  ['assigned:', 'me, none, or a name'],
  ['is:', 'unread, read, open, archived or snoozed'],
  ['before: after:', 'A day: 2026-03-31'],
];

/** Whether somebody tried one of them. */
export const usesSearchWord = (search: string): boolean =>
  /(?:^|\s)(?:from|to|has|label|assigned|is|before|after):/i.test(search);

/** What can be written into the search of the inbox, besides names, numbers and words. */
export function SearchWords() {
  return (
    <dl className={css.words}>
      {words.map(([word, means]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{t(means)}</dd>
        </div>
      ))}
    </dl>
  );
}
