import { useRef } from 'react';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconNote, IconPaperclip } from '@tabler/icons-react';
import { t } from '#ui';
import { EmojiPicker } from './EmojiPicker.tsx';
import { acceptedFiles } from '#ui/messaging/media.ts';
import { SegmentCounter } from './SegmentCounter.tsx';
import { SendButtons } from './SendButtons.tsx';
import type { ComposerState } from './use-composer.ts';
import css from './Composer.module.css';

/** The bar below the field: files, emoji, note or message, the segment count, and Send. */
export function ComposerBar({
  composer,
  onSendLater,
}: {
  composer: ComposerState;
  onSendLater: () => void;
}) {
  const { isNote, canSend, canNote, write } = composer;
  return (
    <div className={css.bar}>
      {!isNote && <AttachButton attach={composer.attach} />}
      <EmojiPicker onPick={composer.insert} />
      {canSend && canNote && (
        <Tooltip label={isNote ? t('Back to the message') : t('Add note')}>
          <ActionIcon
            aria-label={t('Note')}
            aria-pressed={isNote}
            variant={isNote ? 'light' : 'subtle'}
            color={isNote ? 'yellow' : 'gray'}
            onClick={() => write(isNote ? 'message' : 'note')}
          >
            <IconNote size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
      <span id="composer-count" className={css.count}>
        <TextCount composer={composer} />
      </span>
      <SendButtons composer={composer} onSendLater={onSendLater} />
    </div>
  );
}

function AttachButton({ attach }: Pick<ComposerState, 'attach'>) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Tooltip label={t('Attach files')}>
        <ActionIcon aria-label={t('Attach files')} onClick={() => picker.current?.click()}>
          <IconPaperclip size={18} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={acceptedFiles}
        aria-label={t('Files to attach')}
        onChange={(e) => {
          void attach([...(e.currentTarget.files ?? [])]);
          e.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Segments of a message, or why the text can't be sent. */
function TextCount({ composer }: { composer: ComposerState }) {
  const { problem, text, files, isNote, setText } = composer;
  if (problem !== null)
    return (
      <span className={css.wrong} role="alert">
        {problem} ({text.length})
      </span>
    );
  return isNote ? null : <SegmentCounter text={text} media={files.length > 0} onPlain={setText} />;
}
