import { useEffect, useRef, useState } from 'react';
import { ActionIcon, Textarea } from '@mantine/core';
import { IconPhoto, IconSend } from '@tabler/icons-react';
import { formatRelativeDay, formatTime, t } from '#ui';
import { MediaTray } from '../conversations/index.ts';
import type { HandsetPhone } from './phones.ts';
import { sendText, type CarriedText, type CompanyNumber } from './sandbox.ts';
import type { useTexts } from './use-texts.ts';
import css from './HandsetTexts.module.css';

const quickReplies = ['STOP', 'START', 'HELP'];
/** The newest texts of a thread that are rendered. */
const maxPictures = 60;

/** Texts between this phone and the chosen number. */
export function HandsetTexts({
  phone,
  texts,
  known,
}: {
  phone: HandsetPhone;
  texts: ReturnType<typeof useTexts>;
  known: readonly CompanyNumber[];
}) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<File[]>([]);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const shown = texts.texts
    .filter((m) => m.from === phone.with || m.to === phone.with)
    .slice(-maxPictures);
  const others = new Set(
    texts.texts
      .filter((m) => m.direction === 'received' && m.from !== phone.with)
      .slice(-20)
      .map((m) => m.from),
  ).size;
  const last = shown.at(-1)?.id;
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [last, phone.with]);
  const target = known.find((k) => k.number === phone.with);

  const send = async (what = text): Promise<void> => {
    if (!phone.with || (what.trim() === '' && files.length === 0)) return;
    setSending(true);
    setProblem(null);
    try {
      await sendText(phone.number, phone.with, what.trim(), what === text ? files : []);
      if (what === text) {
        setText('');
        setFiles([]);
      }
      await texts.refetch();
    } catch (error) {
      setProblem((error as Error).message);
    }
    setSending(false);
  };
  return (
    <>
      <div
        ref={scroller}
        className={css.thread}
        tabIndex={0}
        role="log"
        aria-label={t('Texts of {name}', { name: phone.name })}
      >
        {texts.lost && (
          <p className={css.note} role="alert">
            {t('The server isn’t responding. Trying again…')}
          </p>
        )}
        {shown.length === 0 && (
          <p className={css.note}>
            {phone.with
              ? t('Nothing yet. Send a text and it appears in the company’s inbox.')
              : t('Choose a company number above.')}
          </p>
        )}
        {shown.map((m, i) => (
          <TextLine key={m.id} text={m} before={shown[i - 1]} />
        ))}
        {others > 0 && shown.length === 0 && (
          <p className={css.note}>
            {t(
              'This phone has texts from {n, plural, one {another number} other {# other numbers}}.',
              { n: others },
            )}
          </p>
        )}
      </div>
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
    </>
  );
}

/** A text with its attachments; the first of a day shows the day above it. */
function TextLine({ text, before }: { text: CarriedText; before: CarriedText | undefined }) {
  const mine = text.direction === 'sent';
  const newDay =
    !before || formatRelativeDay(before.receivedAt) !== formatRelativeDay(text.receivedAt);
  return (
    <div className={css.line} data-mine={mine || undefined}>
      {newDay && <p className={css.day}>{formatRelativeDay(text.receivedAt)}</p>}
      {text.media.map((p) =>
        p.contentType.startsWith('image/') ? (
          <a key={p.url} href={p.url} target="_blank" rel="noreferrer" className={css.picture}>
            <img src={p.url} alt={t('Picture')} loading="lazy" />
          </a>
        ) : (
          <a key={p.url} href={p.url} target="_blank" rel="noreferrer" className={css.file}>
            {t('Attachment')}
          </a>
        ),
      )}
      {text.text && <p className={css.bubble}>{text.text}</p>}
      <time className={css.time} dateTime={text.receivedAt}>
        {formatTime(text.receivedAt)}
      </time>
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
