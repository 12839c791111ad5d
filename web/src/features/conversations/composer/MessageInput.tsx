import { Textarea } from '@mantine/core';
import { t } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { isSendKey, useSendKey } from './send-key.ts';
import type { ComposerState } from './use-composer.ts';
import css from './Composer.module.css';

/** The message field. It grows with the text, up to nine lines. */
export function MessageInput({
  conversation,
  composer,
}: {
  conversation: Conversation;
  composer: ComposerState;
}) {
  const { isNote, text, suggestions } = composer;
  const sendKey = useSendKey();
  const onKeyDown = (e: React.KeyboardEvent<HTMLTextAreaElement>): void => {
    if (suggestions.handleKey(e)) return;
    const { key, shiftKey, metaKey, ctrlKey } = e;
    const { isComposing } = e.nativeEvent;
    if (isSendKey({ key, shiftKey, metaKey, ctrlKey, isComposing }, sendKey)) {
      e.preventDefault();
      void composer.send();
    }
    if (key === 'Escape') {
      e.stopPropagation();
      e.currentTarget.blur();
    }
  };
  const onPaste = (e: React.ClipboardEvent): void => {
    const pasted = [...e.clipboardData.files];
    if (pasted.length === 0 || isNote) return;
    e.preventDefault();
    void composer.attach(pasted);
  };
  const placeholder = isNote
    ? t('Note for your team. {party} won’t see it. @ to mention a teammate', {
        party: conversation.contact?.name || t('The other person'),
      })
    : t('Write a message, or type / for a canned reply');
  return (
    <Textarea
      ref={composer.field}
      {...suggestions.aria}
      variant="unstyled"
      autosize
      minRows={1}
      maxRows={9}
      className={css.text}
      aria-label={isNote ? t('Note') : t('Message')}
      aria-describedby="composer-count"
      aria-invalid={composer.problem !== null ? true : undefined}
      placeholder={placeholder}
      value={text}
      enterKeyHint={sendKey === 'enter' ? 'send' : 'enter'}
      onChange={(e) => {
        composer.setText(e.currentTarget.value);
        composer.setCaret(e.currentTarget.selectionStart);
        if (!isNote) composer.presence.wrote();
      }}
      onSelect={(e) => composer.setCaret(e.currentTarget.selectionStart)}
      onPaste={onPaste}
      onKeyDown={onKeyDown}
    />
  );
}
