import { useId, useState } from 'react';
import { teamwork } from '#contract';
import { Hidden, PersonAvatar, t, useApiQuery, useSession, useUser } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { fillTemplate, matchReplies, triggerAt } from '../canned-replies/canned-replies.ts';
import { useTeammates } from './use-teammates.ts';
import css from './Suggestions.module.css';

interface Suggestion {
  key: string;
  icon: React.ReactNode;
  label: string;
  detail: string;
  text: string;
}
interface EditorState {
  text: string;
  isNote: boolean;
  caret: number;
  field: React.RefObject<HTMLTextAreaElement | null>;
  setText: (text: string) => void;
}

/**
 * Suggestions while typing: "/" offers canned replies in a message, "@" teammates in a note. Arrow
 * keys, Enter or Tab choose; Escape closes.
 */
export function useSuggestions(conversation: Conversation, typing: EditorState) {
  const id = useId();
  const me = useUser();
  const company = useSession(
    (s) => s.user?.companies.find((c) => c.id === s.selectedCompanyId)?.name ?? '',
  );
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState<string | null>(null);
  const trigger = triggerAt(typing.text, typing.caret, typing.isNote ? '@' : '/');
  const triggerKey = trigger ? `${trigger.mark}${trigger.from}` : null;
  const isOpen = trigger !== null && closed !== triggerKey;
  const { response } = useApiQuery(
    teamwork.listCannedReplies,
    {},
    { staleTime: 60_000, silent: true, enabled: isOpen && !typing.isNote },
  );
  const teammates = useTeammates(conversation.number.id, isOpen && typing.isNote);
  const choices: Suggestion[] = !isOpen
    ? []
    : typing.isNote
      ? teammates
          .filter((m) => m.id !== me?.id && m.name.toLowerCase().includes(trigger.typed))
          .slice(0, 8)
          .map((m) => ({
            key: String(m.id),
            icon: <PersonAvatar name={m.name} size={20} />,
            label: m.name,
            detail: '',
            text: `@${m.name} `,
          }))
      : matchReplies(response?.data ?? [], trigger.typed).map((r) => {
          const text = fillTemplate(r.body, {
            name: conversation.contact?.name ?? '',
            phone: conversation.recipient,
            myName: me?.name ?? '',
            company,
          });
          return {
            key: String(r.id),
            icon: <code className={css.word}>/{r.shortcut}</code>,
            label: r.title,
            detail: text,
            text,
          };
        });
  const chosen = choices[Math.min(at, choices.length - 1)];
  const optionId = (c: Suggestion): string => `${id}-${c.key}`;

  const pick = (choice: Suggestion): void => {
    if (!trigger) return;
    typing.setText(
      typing.text.slice(0, trigger.from) + choice.text + typing.text.slice(typing.caret),
    );
    const end = trigger.from + choice.text.length;
    setAt(0);
    requestAnimationFrame(() => {
      typing.field.current?.focus();
      typing.field.current?.setSelectionRange(end, end);
    });
  };
  /** True when the key was handled here. */
  const handleKey = (e: React.KeyboardEvent): boolean => {
    if (!isOpen || e.nativeEvent.isComposing) return false;
    if (e.key === 'Escape') {
      setClosed(triggerKey);
      e.stopPropagation();
      e.preventDefault();
      return true;
    }
    if (choices.length === 0 || !chosen) return false;
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp')
      setAt(
        (now) =>
          (Math.min(now, choices.length - 1) + (e.key === 'ArrowDown' ? 1 : choices.length - 1)) %
          choices.length,
      );
    else if ((e.key === 'Enter' && !e.shiftKey) || e.key === 'Tab') pick(chosen);
    else return false;
    e.preventDefault();
    return true;
  };
  const aria = chosen
    ? {
        'aria-controls': id,
        'aria-activedescendant': optionId(chosen),
        'aria-autocomplete': 'list' as const,
      }
    : {};
  const popup =
    isOpen && (choices.length > 0 || (!typing.isNote && response)) ? (
      <div className={css.box}>
        <Hidden>
          <span role="status">
            {t('{n, plural, one {# suggestion} other {# suggestions}}', { n: choices.length })}
          </span>
        </Hidden>
        <div
          id={id}
          role="listbox"
          aria-label={typing.isNote ? t('Teammates') : t('Canned replies')}
          className={css.list}
        >
          {choices.map((c) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
            <div
              key={c.key}
              id={optionId(c)}
              role="option"
              tabIndex={-1}
              aria-selected={c === chosen}
              className={css.choice}
              onMouseDown={(e) => e.preventDefault()}
              onClick={() => pick(c)}
              onMouseEnter={() => setAt(choices.indexOf(c))}
            >
              {c.icon}
              <span className={css.label}>{c.label}</span>
              {c.detail && <span className={css.detail}>{c.detail}</span>}
            </div>
          ))}
        </div>
        {!typing.isNote && (
          <p className={css.foot}>
            {choices.length === 0 ? t('No matching replies.') : t('Press Enter to insert')}
            <a href="/settings/canned-replies">{t('Canned replies')}</a>
          </p>
        )}
      </div>
    ) : null;
  return { popup, handleKey, aria };
}
