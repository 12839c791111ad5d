import { useEffect, useRef } from 'react';
import { formatRelativeDay, formatTime, t } from '#ui';
import { HandsetCompose } from './HandsetCompose.tsx';
import type { HandsetPhone } from './phones.ts';
import type { CarriedText, CompanyNumber } from './sandbox.ts';
import type { useTexts } from './use-texts.ts';
import css from './HandsetTexts.module.css';

/** The newest texts of a thread that are rendered. */
const maxShown = 60;

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
  const scroller = useRef<HTMLDivElement>(null);
  const shown = texts.texts
    .filter((m) => m.from === phone.with || m.to === phone.with)
    .slice(-maxShown);
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
      <HandsetCompose phone={phone} refetch={texts.refetch} known={known} />
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
