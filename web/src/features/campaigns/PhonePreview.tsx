import { useEffect, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconFile } from '@tabler/icons-react';
import { formatPhoneNumber, t } from '#ui';
import css from './PhonePreview.module.css';

export interface Sample {
  name: string;
  number: string;
  text: string;
}
export interface ShownFile {
  key: string;
  name: string;
  url: string | null;
}

/** The message in a phone frame, as each of a few recipients would see it. */
export function PhonePreview({
  from,
  samples,
  files,
}: {
  from: string | null;
  samples: readonly Sample[];
  files: readonly ShownFile[];
}) {
  const [at, setAt] = useState(0);
  useEffect(() => {
    if (at >= samples.length) setAt(0);
  }, [at, samples.length]);
  const shown = samples[at] ?? samples[0];
  return (
    <figure className={css.phone} aria-label={t('Phone preview')}>
      <div className={css.head}>
        <span className={css.from} data-numeric>
          {from ? formatPhoneNumber(from) : t('Your number')}
        </span>
        <small>{t('Text message')}</small>
      </div>
      <div className={css.screen}>
        <Files files={files} />
        {shown && shown.text.trim() !== '' ? (
          <p className={css.bubble} data-testid="phone-text">
            {shown.text}
          </p>
        ) : (
          files.length === 0 && (
            <p className={css.nothing}>{t('Write a message to see it here.')}</p>
          )
        )}
      </div>
      {shown && shown.name !== '' && (
        <figcaption className={css.foot}>
          <RecipientStep
            label={t('Previous recipient')}
            disabled={samples.length < 2}
            onClick={() => setAt((at + samples.length - 1) % samples.length)}
          >
            <IconChevronLeft size={16} />
          </RecipientStep>
          <span>{t('as {name} sees it', { name: shown.name })}</span>
          <RecipientStep
            label={t('Next recipient')}
            disabled={samples.length < 2}
            onClick={() => setAt((at + 1) % samples.length)}
          >
            <IconChevronRight size={16} />
          </RecipientStep>
        </figcaption>
      )}
    </figure>
  );
}

function Files({ files }: { files: readonly ShownFile[] }) {
  return files.map((file) =>
    file.url ? (
      <img key={file.key} className={css.picture} src={file.url} alt={file.name} />
    ) : (
      <span key={file.key} className={css.file}>
        <IconFile size={16} aria-hidden />
        {file.name}
      </span>
    ),
  );
}

function RecipientStep({
  label,
  disabled,
  onClick,
  children,
}: {
  label: string;
  disabled: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}
