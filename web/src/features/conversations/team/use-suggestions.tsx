import { useEffect, useId, useState } from 'react';
import { team } from '#contract';
import { foldedIncludes } from '#contract/fold';
import { PersonAvatar, useApiQuery, useSession, useUser } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { matchReplies, triggerAt, type Trigger } from '../canned-replies/canned-replies.ts';
import type { fillTemplate } from '../canned-replies/fill-template.ts';
import { optionId, SuggestionList, type Suggestion } from './SuggestionList.tsx';
import { useTeammates } from './use-teammates.ts';
import css from './Suggestions.module.css';

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
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState<string | null>(null);
  const found = triggerAt(typing.text, typing.caret, typing.isNote ? '@' : '/');
  const triggerKey = found ? `${found.mark}${found.from}` : null;
  const trigger = closed === triggerKey ? null : found;
  const replies = useReplySuggestions(conversation, typing.isNote ? null : trigger);
  const teammates = useTeammateSuggestions(conversation, typing.isNote ? trigger : null);
  const choices = typing.isNote ? teammates : replies.choices;
  const chosen = choices[Math.min(at, choices.length - 1)];

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
  const hasPopup = trigger && (choices.length > 0 || replies.loaded);
  return {
    popup: hasPopup ? (
      <SuggestionList
        id={id}
        isReplies={!typing.isNote}
        choices={choices}
        chosen={chosen}
        onPick={pick}
        onPoint={(choice) => setAt(choices.indexOf(choice))}
      />
    ) : null,
    /** True when the key was handled here. */
    handleKey: (e: React.KeyboardEvent): boolean => {
      if (!trigger || e.nativeEvent.isComposing) return false;
      if (e.key === 'Escape') {
        setClosed(triggerKey);
        e.stopPropagation();
      } else if (!chosen) return false;
      else if (e.key === 'ArrowDown') setAt((now) => step(now, 1, choices.length));
      else if (e.key === 'ArrowUp') setAt((now) => step(now, -1, choices.length));
      else if ((e.key === 'Enter' && !e.shiftKey) || e.key === 'Tab') pick(chosen);
      else return false;
      e.preventDefault();
      return true;
    },
    aria: chosen
      ? {
          'aria-controls': id,
          'aria-activedescendant': optionId(id, chosen),
          'aria-autocomplete': 'list' as const,
        }
      : {},
  };
}

/** The place `by` steps after `at` in a list that continues at its other end. */
const step = (at: number, by: number, length: number): number =>
  (Math.min(at, length - 1) + by + length) % length;

/** Canned replies that match the trigger, filled in for the conversation; none without a trigger. */
function useReplySuggestions(conversation: Conversation, trigger: Trigger | null) {
  const me = useUser();
  const company = useSession(
    (s) => s.user?.companies.find((c) => c.id === s.selectedCompanyId)?.name ?? '',
  );
  const { response } = useApiQuery(
    team.listCannedReplies,
    {},
    { staleTime: 60_000, silent: true, enabled: trigger !== null },
  );
  const fill = useFillTemplate(trigger !== null);
  if (!trigger || !fill) return { loaded: false, choices: [] };
  const values = {
    name: conversation.contact?.name ?? '',
    phone: conversation.recipient,
    myName: me?.name ?? '',
    company,
  };
  const choices = matchReplies(response?.data ?? [], trigger.typed).map((r): Suggestion => {
    const text = fill(r.body, values);
    const icon = <code className={css.word}>/{r.shortcut}</code>;
    return { key: String(r.id), icon, label: r.title, detail: text, text };
  });
  return { loaded: response !== undefined, choices };
}

/** What fills in a reply's tags, loaded with the first trigger; null: not yet. */
function useFillTemplate(isNeeded: boolean): typeof fillTemplate | null {
  const [fill, setFill] = useState<typeof fillTemplate | null>(null);
  useEffect(() => {
    if (!isNeeded || fill) return;
    void import('../canned-replies/fill-template.ts').then((loaded) =>
      setFill(() => loaded.fillTemplate),
    );
  }, [isNeeded, fill]);
  return fill;
}

/** Other teammates whose names match the trigger; none without a trigger. */
function useTeammateSuggestions(conversation: Conversation, trigger: Trigger | null): Suggestion[] {
  const me = useUser();
  const teammates = useTeammates(conversation.number.id, trigger !== null);
  if (!trigger) return [];
  return teammates
    .filter((m) => m.id !== me?.id && foldedIncludes(m.name, trigger.typed))
    .slice(0, 8)
    .map((m) => ({
      key: String(m.id),
      icon: <PersonAvatar name={m.name} size={20} />,
      label: m.name,
      detail: '',
      text: `@${m.name} `,
    }));
}
