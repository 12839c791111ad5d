import { useRef, useState } from 'react';
import { IconAddressBook, IconFile, IconPhotoOff } from '@tabler/icons-react';
import { formatBytes, Modal, t } from '#ui';
import { AudioClip } from './AudioClip.tsx';
import css from './Attachments.module.css';

interface MediaFile {
  url: string;
  type: string;
  bytes: number;
  name: string;
}

/**
 * Pictures, audio, video and files of a message. `again` refetches the items when their URLs have
 * expired.
 */
export function Attachments({
  media,
  again: refetch,
}: {
  media: readonly MediaFile[];
  again: () => void;
}) {
  const [large, setLarge] = useState<MediaFile | null>(null);
  const pictures = media.filter((m) => m.type.startsWith('image/'));
  const others = media.filter((m) => !m.type.startsWith('image/'));
  return (
    <div className={css.media}>
      {pictures.length > 0 && (
        <div className={css.pictures} data-many={pictures.length > 1 || undefined}>
          {pictures.map((m, i) => (
            <Picture
              key={m.name + String(i)}
              medium={m}
              again={refetch}
              onLarge={() => setLarge(m)}
            />
          ))}
        </div>
      )}
      {others.map((m, i) =>
        m.type.startsWith('audio/') ? (
          <AudioClip
            key={m.name + String(i)}
            url={m.url}
            seconds={0}
            label={m.name || t('Audio')}
            onBroken={refetch}
          />
        ) : m.type.startsWith('video/') ? (
          <video
            key={m.name + String(i)}
            className={css.film}
            src={m.url}
            controls
            preload="metadata"
            aria-label={m.name || t('Video')}
          />
        ) : (
          <a key={m.name + String(i)} className={css.file} href={m.url} download={m.name}>
            {m.type.includes('vcard') ? (
              <IconAddressBook size={18} aria-hidden />
            ) : (
              <IconFile size={18} aria-hidden />
            )}
            <span>{m.name || t('File')}</span>
            {m.bytes > 0 && <small>{formatBytes(m.bytes)}</small>}
          </a>
        ),
      )}
      <Modal
        opened={large !== null}
        onClose={() => setLarge(null)}
        size="auto"
        title={large?.name || t('Picture')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {large && (
          <>
            <img className={css.large} src={large.url} alt={large.name || t('Picture')} />
            <p className={css.under}>
              <a href={large.url} download={large.name}>
                {t('Download')}
              </a>
              {large.bytes > 0 && ` · ${formatBytes(large.bytes)}`}
            </p>
          </>
        )}
      </Modal>
    </div>
  );
}

function Picture({
  medium,
  again: refetch,
  onLarge,
}: {
  medium: MediaFile;
  again: () => void;
  onLarge: () => void;
}) {
  const [broken, setBroken] = useState('');
  const tried = useRef(false);
  return (
    <button
      type="button"
      className={css.picture}
      onClick={onLarge}
      aria-label={t('Enlarge {name}', { name: medium.name || t('Picture') })}
    >
      {broken === medium.url ? (
        <span className={css.broken}>
          <IconPhotoOff size={24} aria-hidden />
          {t('Image not available')}
        </span>
      ) : (
        <img
          src={medium.url}
          alt={medium.name || t('Picture')}
          loading="lazy"
          onError={() => {
            setBroken(medium.url);
            if (!tried.current) {
              tried.current = true;
              refetch();
            }
          }}
        />
      )}
    </button>
  );
}
