import { useRef } from 'react';
import { Button, Input, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { campaignLimit, countedLength, mergeTags, tagsIn, type MergeTag } from '#contract/campaign-rules';
import { formatNumber, t } from '#ui';
import { EmojiPicker } from '../conversations/EmojiPicker.tsx';
import { useSegments } from '../conversations/segments.ts';
import { fallbackOf, withFallback } from './merge-tags.ts';
import css from './MessageField.module.css';

/** The message of a campaign: tags are put in by a press, and each used one can say what stands there when a contact lacks it. */
export function MessageField({ value, unsubscribe, error, onChange }: { value: string; unsubscribe: string; error: React.ReactNode; onChange: (value: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const segments = useSegments(value);
  const used = tagsIn(value).used;
  const length = countedLength(value) + countedLength(unsubscribe);
  const insert = (piece: string): void => {
    const el = field.current;
    const from = el?.selectionStart ?? value.length, to = el?.selectionEnd ?? value.length;
    onChange(value.slice(0, from) + piece + value.slice(to));
    requestAnimationFrame(() => { el?.focus(); el?.setSelectionRange(from + piece.length, from + piece.length); });
  };
  return (
    <Input.Wrapper label={t('Message')} labelProps={{ htmlFor: 'campaign-text' }}>
      <Textarea ref={field} className={css.text ?? ''} id="campaign-text" autosize minRows={4} maxRows={14} value={value} aria-describedby={error ? 'campaign-text-error campaign-count' : 'campaign-count'} aria-invalid={Boolean(error) || undefined} error={error} errorProps={{ id: 'campaign-text-error' }} placeholder={t('Hi, we have news for you…')} onChange={(e) => onChange(e.currentTarget.value)} />
      <div className={css.bar}>
        <div className={css.tags} role="group" aria-label={t('Put in what differs from person to person')}>
          {(Object.keys(mergeTags) as MergeTag[]).map((tag) => <Button key={tag} size="compact-xs" variant="default" leftSection={<IconPlus size={12} aria-hidden />} onClick={() => insert(`{{${tag}}}`)}>{t(mergeTags[tag])}</Button>)}
          <EmojiPicker onPick={insert} />
        </div>
        <span id="campaign-count" className={css.count} data-over={length > campaignLimit || undefined} data-numeric>{t('{used} of {limit} characters', { used: formatNumber(length), limit: formatNumber(campaignLimit) })}</span>
      </div>
      {segments && segments.forcing.length > 0 && (
        <p className={css.forcing}>
          <span>{t('These characters make each text hold 70 instead of 160:')} {segments.forcing.slice(0, 8).map((c) => <kbd key={c}>{c}</kbd>)}</span>
          {segments.plain !== null && <Button size="compact-xs" variant="default" onClick={() => onChange(segments.plain!)}>{t('Use plain ones')}</Button>}
        </p>
      )}
      {used.length > 0 && (
        <ul className={css.used} aria-label={t('Tags in this message')}>
          {used.map((tag) => (
            <li key={tag}>
              <span className={css.chip}>{t(mergeTags[tag])}</span>
              <TextInput size="xs" aria-label={t('What stands there without a {tag}', { tag: t(mergeTags[tag]).toLowerCase() })} placeholder={t('nothing')} maxLength={40} value={fallbackOf(value, tag)} onChange={(e) => onChange(withFallback(value, tag, e.currentTarget.value))} />
            </li>
          ))}
        </ul>
      )}
    </Input.Wrapper>
  );
}
