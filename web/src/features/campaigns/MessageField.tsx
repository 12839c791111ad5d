import { useLayoutEffect, useRef } from 'react';
import { Button, Input, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import {
  campaignLimit,
  countedLength,
  mergeTags,
  tagsIn,
  type MergeTag,
} from '#contract/campaigns/rules';
import { formatNumber, t } from '#ui';
import { EmojiPicker, useSegments } from '../conversations/index.ts';
import {
  applyEdit,
  tagFallback,
  moveCaretOutOfTag,
  splitMessage,
  insertAt,
  displayText,
  setTagFallback,
} from './merge-tags.ts';
import css from './MessageField.module.css';

interface TextProps {
  value: string;
  onChange: (value: string) => void;
}

/** A campaign's message. Buttons insert tags; each used tag has a fallback for contacts without a value. */
export function MessageField({
  value,
  unsubscribe,
  error,
  onChange,
}: TextProps & { unsubscribe: string; error: React.ReactNode }) {
  const { field, shown, type, insert, keepCaretOutOfTags } = useTaggedText({ value, onChange });
  return (
    <Input.Wrapper label={t('Message')} labelProps={{ htmlFor: 'campaign-text' }}>
      <div className={css.field}>
        <TagHighlights value={value} />
        <Textarea
          ref={field}
          classNames={{ root: css.text ?? '', input: css.input ?? '' }}
          id="campaign-text"
          autosize
          minRows={4}
          value={shown}
          placeholder={t('Hi, we have news for you…')}
          aria-describedby={error ? 'campaign-text-error campaign-count' : 'campaign-count'}
          aria-invalid={Boolean(error) || undefined}
          error={error}
          errorProps={{ id: 'campaign-text-error' }}
          onChange={(e) => type(e.currentTarget.value)}
          onSelect={keepCaretOutOfTags}
        />
      </div>
      <div className={css.bar}>
        <InsertButtons onInsert={insert} />
        <CharacterCount value={value} unsubscribe={unsubscribe} />
      </div>
      <ForcingCharacters value={value} onChange={onChange} />
      <TagFallbacks value={value} onChange={onChange} />
    </Input.Wrapper>
  );
}

/**
 * Edits the text as it is shown, where each tag is one piece, and places the caret after each edit.
 */
function useTaggedText({ value, onChange }: TextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = displayText(value);
  const caret = useRef<number | null>(null);
  const before = useRef(0);
  useLayoutEffect(() => {
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [shown]);
  const become = (next: { value: string; caret: number }): void => {
    caret.current = before.current = next.caret;
    onChange(next.value);
  };
  const insert = (piece: string): void => {
    const el = field.current;
    const next = insertAt(
      value,
      el?.selectionStart ?? shown.length,
      el?.selectionEnd ?? shown.length,
      piece,
    );
    become(next);
    requestAnimationFrame(() => {
      el?.focus();
      el?.setSelectionRange(next.caret, next.caret);
    });
  };
  const keepCaretOutOfTags = ({ currentTarget: el }: { currentTarget: HTMLTextAreaElement }) => {
    if (el.selectionStart !== el.selectionEnd) return;
    const at = moveCaretOutOfTag(value, el.selectionStart, before.current);
    if (at !== el.selectionStart) el.setSelectionRange(at, at);
    before.current = at;
  };
  const type = (text: string): void => become(applyEdit(value, text));
  return { field, shown, type, insert, keepCaretOutOfTags };
}

/** Lies behind the text and highlights its tags. */
function TagHighlights({ value }: { value: string }) {
  return (
    <div className={css.behind} aria-hidden>
      {splitMessage(value).map(({ shown, isTag }, i) =>
        isTag ? (
          <mark key={i} className={css.tag}>
            {shown}
          </mark>
        ) : (
          shown
        ),
      )}
    </div>
  );
}

function InsertButtons({ onInsert }: { onInsert: (piece: string) => void }) {
  return (
    <div className={css.tags} role="group" aria-label={t('Insert personal details')}>
      {(Object.keys(mergeTags) as MergeTag[]).map((tag) => (
        <Button
          key={tag}
          size="compact-xs"
          variant="default"
          leftSection={<IconPlus size={12} aria-hidden />}
          onClick={() => onInsert(`{{${tag}}}`)}
        >
          {t(mergeTags[tag])}
        </Button>
      ))}
      <EmojiPicker onPick={onInsert} />
    </div>
  );
}

function CharacterCount({ value, unsubscribe }: { value: string; unsubscribe: string }) {
  const written = value.trim() !== '';
  const length = written ? countedLength(value) + countedLength(unsubscribe) : 0;
  const counts = { used: formatNumber(length), limit: formatNumber(campaignLimit) };
  return (
    <span
      id="campaign-count"
      className={css.count}
      data-over={length > campaignLimit || undefined}
      data-numeric
    >
      {written
        ? t('{used} of {limit} characters, opt-out line included', counts)
        : t('{used} of {limit} characters', counts)}
    </span>
  );
}

/** The characters that need Unicode and so shorten each segment, with their plain replacements. */
function ForcingCharacters({ value, onChange }: TextProps) {
  const segments = useSegments(value);
  if (!segments || segments.forcing.length === 0) return null;
  const { forcing, plain } = segments;
  return (
    <p className={css.forcing}>
      <span>
        {t('These characters limit each text to 70 characters instead of 160:')}{' '}
        {forcing.slice(0, 8).map((c) => (
          <kbd key={c}>{c}</kbd>
        ))}
      </span>
      {plain !== null && (
        <Button size="compact-xs" variant="default" onClick={() => onChange(plain)}>
          {t('Use plain characters')}
        </Button>
      )}
    </p>
  );
}

function TagFallbacks({ value, onChange }: TextProps) {
  const { used } = tagsIn(value);
  if (used.length === 0) return null;
  return (
    <ul className={css.used} aria-label={t('Tags in this message')}>
      {used.map((tag) => (
        <li key={tag}>
          <span className={css.chip}>{t(mergeTags[tag])}</span>
          <TextInput
            size="xs"
            aria-label={t('Fallback when {tag} is missing', {
              tag: t(mergeTags[tag]).toLowerCase(),
            })}
            placeholder={t('Leave blank')}
            maxLength={40}
            value={tagFallback(value, tag)}
            onChange={(e) => onChange(setTagFallback(value, tag, e.currentTarget.value))}
          />
        </li>
      ))}
    </ul>
  );
}
