import { useRef } from 'react';
import { ActionIcon, CloseButton, Textarea } from '@mantine/core';
import { IconPhoto, IconSend } from '@tabler/icons-react';
import { messageLimit } from '#contract/conversations/rules';
import { session, t, toast } from '#ui';
import { acceptedFiles } from '#ui/messaging/media.ts';
import { selectFiles } from '#ui/messaging/select-files.ts';
import type { Conversation } from '#ui/messaging/types.ts';
import { sender, useDraft } from './outbox.ts';
import css from './Thread.module.css';

interface WritingProps {
  text: string;
  files: readonly File[];
  /** Which decides how large files can be. */
  ourNumber: string;
  isSending?: boolean;
  onChange: (text: string, files: File[]) => void;
  onSend: () => void;
}

/** The field for a text and its pictures. Enter sends, Shift+Enter begins a line. */
export function Writing({ text, files, ourNumber, isSending, onChange, onSend }: WritingProps) {
  const canSend = !isSending && (text.trim() !== '' || files.length > 0);
  const attach = (chosen: readonly File[]): void => {
    const { files: next, problem } = selectFiles(files, chosen, ourNumber);
    if (problem) toast.warn(problem);
    onChange(text, next);
  };
  return (
    <form
      className={css.composer}
      onSubmit={(e) => {
        e.preventDefault();
        if (canSend) onSend();
      }}
    >
      {files.length > 0 && <ChosenFiles files={files} onChange={(next) => onChange(text, next)} />}
      <div className={css.writing}>
        <AttachButton attach={attach} />
        <Textarea
          className={css.field}
          aria-label={t('Message')}
          placeholder={t('Text message')}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={messageLimit}
          enterKeyHint="send"
          value={text}
          onChange={(e) => onChange(e.currentTarget.value, [...files])}
          onPaste={(e) => {
            const pasted = [...e.clipboardData.files];
            if (pasted.length === 0) return;
            e.preventDefault();
            attach(pasted);
          }}
          onKeyDown={(e) => {
            if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return;
            e.preventDefault();
            if (canSend) onSend();
          }}
        />
        <ActionIcon
          type="submit"
          size={44}
          radius="xl"
          variant="filled"
          color="violet"
          disabled={!canSend}
          aria-label={t('Send')}
        >
          <IconSend size={20} />
        </ActionIcon>
      </div>
    </form>
  );
}

function AttachButton({ attach }: { attach: (chosen: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept={acceptedFiles}
        aria-label={t('Pictures and files')}
        onChange={(e) => {
          attach([...(e.currentTarget.files ?? [])]);
          e.currentTarget.value = '';
        }}
      />
      <ActionIcon size={44} aria-label={t('Add a picture')} onClick={() => picker.current?.click()}>
        <IconPhoto size={22} stroke={1.75} />
      </ActionIcon>
    </>
  );
}

function ChosenFiles({
  files,
  onChange,
}: {
  files: readonly File[];
  onChange: (files: File[]) => void;
}) {
  return (
    <ul className={css.files} aria-label={t('Attached files')}>
      {files.map((file) => (
        <li key={`${file.name} ${file.size}`}>
          {file.name}
          <CloseButton
            size={24}
            aria-label={t('Remove {name}', { name: file.name })}
            onClick={() => onChange(files.filter((one) => one !== file))}
          />
        </li>
      ))}
    </ul>
  );
}

/** Answers in a conversation; the text is shown at once and sent in the background. */
export function Composer({ conversation: { id, number } }: { conversation: Conversation }) {
  const place = String(id);
  const { text, files, set } = useDraft(place);
  return (
    <Writing
      text={text}
      files={files}
      ourNumber={number.number}
      onChange={set}
      onSend={() => {
        const origin = { companyId: session.get().selectedCompanyId, place };
        void sender.send(id, text.trim(), files, origin);
        set('', []);
      }}
    />
  );
}
