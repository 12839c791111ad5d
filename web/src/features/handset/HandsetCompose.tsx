import { useState } from 'react';
import { ActionIcon, Textarea } from '@mantine/core';
import { IconPhoto, IconSend } from '@tabler/icons-react';
import { t } from '#ui';
import { MediaTray } from '../conversations/index.ts';
import type { HandsetPhone } from './phones.ts';
import { sendText, type CompanyNumber } from './sandbox.ts';
import css from './HandsetTexts.module.css';

const quickReplies = ['STOP', 'START', 'HELP'];

/** Writes and sends texts of an outside phone; `refetch` loads what was sent. */
export function HandsetCompose({
  phone,
  refetch,
  known,
}: {
  phone: HandsetPhone;
  refetch: () => Promise<void>;
  known: readonly CompanyNumber[];
}) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<File[]>([]);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const target = known.find((k) => k.number === phone.with);

  const send = async (words = text): Promise<void> => {
    if (!phone.with || (words.trim() === '' && files.length === 0)) return;
    setSending(true);
    setProblem(null);
    try {
      const pictures = words === text ? files : [];
      await sendText(phone.shows ?? phone.number, phone.with, words.trim(), pictures);
      if (words === text) {
        setText('');
        setFiles([]);
      }
      await refetch();
    } catch (error) {
      setProblem((error as Error).message);
    }
    setSending(false);
  };
  return (
    <div className={css.foot}>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      {target && !target.texts && (
        <p className={css.note}>{t('This number can’t receive texts.')}</p>
      )}
      <QuickReplies disabled={!phone.with || sending} onSend={(word) => void send(word)} />
      {files.length > 0 && (
        <MediaTray files={files} onRemove={(gone) => setFiles(files.filter((f) => f !== gone))} />
      )}
      <ComposeForm
        text={text}
        onText={setText}
        disabled={!phone.with}
        isEmpty={text.trim() === '' && files.length === 0}
        sending={sending}
        onAttach={(added) => setFiles([...files, ...added].slice(0, 10))}
        onSend={() => void send()}
      />
    </div>
  );
}

const QuickReplies = ({
  disabled,
  onSend,
}: {
  disabled: boolean;
  onSend: (text: string) => void;
}) => (
  <div className={css.quick} role="group" aria-label={t('Quick replies')}>
    {quickReplies.map((word) => (
      <button key={word} type="button" disabled={disabled} onClick={() => onSend(word)}>
        {word}
      </button>
    ))}
  </div>
);

function ComposeForm({
  text,
  onText,
  disabled,
  isEmpty,
  sending,
  onAttach,
  onSend,
}: {
  text: string;
  onText: (text: string) => void;
  disabled: boolean;
  isEmpty: boolean;
  sending: boolean;
  onAttach: (files: File[]) => void;
  onSend: () => void;
}) {
  return (
    <form
      className={css.write}
      onSubmit={(e) => {
        e.preventDefault();
        onSend();
      }}
    >
      <AttachImage onAttach={onAttach} />
      <Textarea
        className={css.field}
        variant="unstyled"
        autosize
        minRows={1}
        maxRows={4}
        aria-label={t('Text')}
        placeholder={t('Text message')}
        value={text}
        disabled={disabled}
        onChange={(e) => onText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && !e.shiftKey && !e.nativeEvent.isComposing) {
            e.preventDefault();
            onSend();
          }
        }}
      />
      <ActionIcon
        type="submit"
        variant="filled"
        color="accent"
        radius="xl"
        size={34}
        aria-label={t('Send text')}
        disabled={disabled || isEmpty}
        loading={sending}
      >
        <IconSend size={17} />
      </ActionIcon>
    </form>
  );
}

const AttachImage = ({ onAttach }: { onAttach: (files: File[]) => void }) => (
  <label className={css.attach}>
    <IconPhoto size={20} stroke={1.75} aria-hidden />
    <input
      type="file"
      accept="image/*"
      multiple
      aria-label={t('Attach image')}
      onChange={(e) => {
        onAttach([...(e.currentTarget.files ?? [])]);
        e.currentTarget.value = '';
      }}
    />
  </label>
);
