import { useEffect, useState } from 'react';
import { CloseButton } from '@mantine/core';
import { IconFile, IconMusic, IconVideo } from '@tabler/icons-react';
import { formatBytes, t } from '#ui';
import css from './MediaTray.module.css';

/** The chosen files before they are sent. */
export function MediaTray({
  files,
  onRemove,
}: {
  files: readonly File[];
  onRemove: (file: File) => void;
}) {
  return (
    <ul className={css.tray} aria-label={t('Attached files')}>
      {files.map((file, i) => (
        <li key={`${file.name}${file.lastModified}${i}`} className={css.file}>
          <Preview file={file} />
          <span className={css.words}>
            <span className={css.name}>{file.name}</span>
            <span className={css.size}>{formatBytes(file.size)}</span>
          </span>
          <CloseButton
            size={24}
            aria-label={t('Remove {name}', { name: file.name })}
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  );
}

function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    // No browser shows TIFF.
    if (!file.type.startsWith('image/') || file.type === 'image/tiff') return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url) return <img className={css.picture} src={url} alt="" />;
  const Icon = file.type.startsWith('audio/')
    ? IconMusic
    : file.type.startsWith('video/')
      ? IconVideo
      : IconFile;
  return (
    <span className={css.picture}>
      <Icon size={18} aria-hidden />
    </span>
  );
}
