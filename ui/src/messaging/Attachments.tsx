import { useRef, useState } from 'react';
import { IconAddressBook, IconFile, IconPhotoOff } from '@tabler/icons-react';
import { AudioClip } from '../components/AudioClip.tsx';
import { Modal } from '../components/Lazy.tsx';
import { formatBytes } from '../format.ts';
import { t } from '../i18n.ts';
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
      {others.map((m, i) => (
        <OtherFile key={m.name + String(i)} file={m} again={refetch} />
      ))}
      <Modal
        opened={large !== null}
        onClose={() => setLarge(null)}
        size="auto"
        title={large?.name || t('Picture')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {large && <LargePicture file={large} />}
      </Modal>
    </div>
  );
}

/** Audio, a video, or a file to download. */
function OtherFile({ file, again: refetch }: { file: MediaFile; again: () => void }) {
  const { url, type, name, bytes } = file;
  if (type.startsWith('audio/'))
    return <AudioClip url={url} seconds={0} label={name || t('Audio')} onBroken={refetch} />;
  if (type.startsWith('video/'))
    return (
      <video
        className={css.film}
        src={url}
        controls
        preload="metadata"
        aria-label={name || t('Video')}
      />
    );
  const FileIcon = type.includes('vcard') ? IconAddressBook : IconFile;
  return (
    <a className={css.file} href={url} download={name}>
      <FileIcon size={18} aria-hidden />
      <span>{name || t('File')}</span>
      {bytes > 0 && <small>{formatBytes(bytes)}</small>}
    </a>
  );
}

function LargePicture({ file }: { file: MediaFile }) {
  return (
    <>
      <img className={css.large} src={file.url} alt={file.name || t('Picture')} />
      <p className={css.under}>
        <a href={file.url} download={file.name}>
          {t('Download')}
        </a>
        {file.bytes > 0 && ` · ${formatBytes(file.bytes)}`}
      </p>
    </>
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
