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

/** A campaign's message. Buttons insert tags; each used tag has a fallback for contacts without a value. */
export function MessageField({
  value,
  unsubscribe,
  error,
  onChange,
}: {
  value: string;
  unsubscribe: string;
  error: React.ReactNode;
  onChange: (value: string) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const segments = useSegments(value);
  const used = tagsIn(value).used;
  const written = value.trim() !== '';
  const length = written ? countedLength(value) + countedLength(unsubscribe) : 0;
  const counts = { used: formatNumber(length), limit: formatNumber(campaignLimit) };
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
  const stepOver = (el: HTMLTextAreaElement): void => {
    if (el.selectionStart !== el.selectionEnd) return;
    const at = moveCaretOutOfTag(value, el.selectionStart, before.current);
    if (at !== el.selectionStart) el.setSelectionRange(at, at);
    before.current = at;
  };
  return (
    <Input.Wrapper label={t('Message')} labelProps={{ htmlFor: 'campaign-text' }}>
      <div className={css.field}>
        {/* Behind the text: highlights the tags. */}
        <div className={css.behind} aria-hidden>
          {splitMessage(value).map(({ shown: text, isTag }, i) =>
            isTag ? (
              <mark key={i} className={css.tag}>
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </div>
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
          onChange={(e) => become(applyEdit(value, e.currentTarget.value))}
          onSelect={(e) => stepOver(e.currentTarget)}
        />
      </div>
      <div className={css.bar}>
        <div className={css.tags} role="group" aria-label={t('Insert personal details')}>
          {(Object.keys(mergeTags) as MergeTag[]).map((tag) => (
            <Button
              key={tag}
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={12} aria-hidden />}
              onClick={() => insert(`{{${tag}}}`)}
            >
              {t(mergeTags[tag])}
            </Button>
          ))}
          <EmojiPicker onPick={insert} />
        </div>
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
      </div>
      {segments && segments.forcing.length > 0 && (
        <p className={css.forcing}>
          <span>
            {t('These characters limit each text to 70 characters instead of 160:')}{' '}
            {segments.forcing.slice(0, 8).map((c) => (
              <kbd key={c}>{c}</kbd>
            ))}
          </span>
          {segments.plain !== null && (
            <Button size="compact-xs" variant="default" onClick={() => onChange(segments.plain!)}>
              {t('Use plain characters')}
            </Button>
          )}
        </p>
      )}
      {used.length > 0 && (
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
      )}
    </Input.Wrapper>
  );
}
