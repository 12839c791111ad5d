import { Hidden, t } from '#ui';
import css from './Suggestions.module.css';

export interface Suggestion {
  key: string;
  icon: React.ReactNode;
  label: string;
  detail: string;
  /** What choosing it inserts. */
  text: string;
}

/** The element id of a choice in the list with this id. */
export const optionId = (listId: string, choice: Suggestion): string => `${listId}-${choice.key}`;

/** The suggestions above the field; the keys stay with the field. `isReplies`: not teammates. */
export function SuggestionList({
  id,
  isReplies,
  choices,
  chosen,
  onPick,
  onPoint,
}: {
  id: string;
  isReplies: boolean;
  choices: readonly Suggestion[];
  chosen: Suggestion | undefined;
  onPick: (choice: Suggestion) => void;
  onPoint: (choice: Suggestion) => void;
}) {
  return (
    <div className={css.box}>
      <Hidden>
        <span role="status">
          {t('{n, plural, one {# suggestion} other {# suggestions}}', { n: choices.length })}
        </span>
      </Hidden>
      <div
        id={id}
        role="listbox"
        aria-label={isReplies ? t('Canned replies') : t('Teammates')}
        className={css.list}
      >
        {choices.map((c) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
          <div
            key={c.key}
            id={optionId(id, c)}
            role="option"
            tabIndex={-1}
            aria-selected={c === chosen}
            className={css.choice}
            onMouseDown={(e) => e.preventDefault()}
            onClick={() => onPick(c)}
            onMouseEnter={() => onPoint(c)}
          >
            {c.icon}
            <span className={css.label}>{c.label}</span>
            {c.detail && <span className={css.detail}>{c.detail}</span>}
          </div>
        ))}
      </div>
      {isReplies && (
        <p className={css.foot}>
          {choices.length === 0 ? t('No matching replies.') : t('Press Enter to insert')}
          <a href="/settings/canned-replies">{t('Canned replies')}</a>
        </p>
      )}
    </div>
  );
}
