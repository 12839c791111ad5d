import { useRef, useState } from 'react';
import { Textarea } from '@mantine/core';
import { t } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { useSuggestions } from '../team/use-suggestions.tsx';
import css from './NoteField.module.css';

interface NoteFieldProps {
  conversation: Conversation;
  text: string;
  setText: (text: string) => void;
  label: string;
  send: () => void;
  onEscape?: () => void;
  autoFocus?: boolean;
  minRows?: number;
}

/**
 * The field of a note: "@" mentions a teammate who can see the conversation. Ctrl or Cmd with Enter
 * saves.
 */
export function NoteField({
  conversation,
  text,
  setText,
  label,
  send,
  onEscape,
  autoFocus = false,
  minRows = 1,
}: NoteFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const suggestions = useSuggestions(conversation, { text, isNote: true, caret, field, setText });
  return (
    <div className={css.place}>
      <Textarea
        ref={field}
        {...suggestions.aria}
        autoFocus={autoFocus}
        aria-label={label}
        placeholder={t('Add a note. @ to mention a teammate')}
        autosize
        minRows={minRows}
        maxRows={10}
        maxLength={5000}
        value={text}
        onChange={(e) => {
          setText(e.currentTarget.value);
          setCaret(e.currentTarget.selectionStart);
        }}
        onSelect={(e) => setCaret(e.currentTarget.selectionStart)}
        onKeyDown={(e) => {
          if (suggestions.handleKey(e)) return;
          if (e.key === 'Enter' && (e.metaKey || e.ctrlKey)) {
            e.preventDefault();
            send();
          }
          if (e.key === 'Escape' && onEscape) {
            e.stopPropagation();
            onEscape();
          }
        }}
      />
      {suggestions.popup && <div className={css.suggested}>{suggestions.popup}</div>}
    </div>
  );
}
