import { useRef } from 'react';
import { Button, CloseButton, Input } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { toast, formatBytes, t } from '#ui';
import { selectFiles, acceptedFiles, MediaTray } from '../conversations/index.ts';
import css from './FilesField.module.css';

export interface StoredFile {
  id: number;
  name: string;
  url: string;
  bytes: number;
  type: string;
}
/** Attached files: `kept` are already uploaded, `files` are selected here. */
export function FilesField({
  kept,
  files,
  from,
  onKept,
  onFiles,
}: {
  kept: readonly StoredFile[];
  files: readonly File[];
  from: string;
  onKept: (kept: StoredFile[]) => void;
  onFiles: (files: File[]) => void;
}) {
  const add = (more: readonly File[]): void => {
    const chosen = selectFiles(files, more, from);
    onFiles(chosen.files);
    if (chosen.problem) toast.danger(chosen.problem);
  };
  return (
    <Input.Wrapper
      label={t('Images and files')}
      description={t('With an attachment, it’s sent as a picture message (MMS).')}
    >
      {kept.length > 0 && <KeptFiles kept={kept} onKept={onKept} />}
      {files.length > 0 && (
        <MediaTray files={files} onRemove={(gone) => onFiles(files.filter((f) => f !== gone))} />
      )}
      <FilePicker onPick={add} />
    </Input.Wrapper>
  );
}

function KeptFiles({
  kept,
  onKept,
}: {
  kept: readonly StoredFile[];
  onKept: (kept: StoredFile[]) => void;
}) {
  return (
    <ul className={css.kept} aria-label={t('Campaign files')}>
      {kept.map((file) => (
        <li key={file.id}>
          {file.type.startsWith('image/') && <img src={file.url} alt="" />}
          <span className={css.name}>
            {file.name} <small>{formatBytes(file.bytes)}</small>
          </span>
          <CloseButton
            size={24}
            aria-label={t('Remove {name}', { name: file.name })}
            onClick={() => onKept(kept.filter((one) => one.id !== file.id))}
          />
        </li>
      ))}
    </ul>
  );
}

function FilePicker({ onPick }: { onPick: (files: File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className={css.pick}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPaperclip size={14} aria-hidden />}
        onClick={() => picker.current?.click()}
      >
        {t('Attach a file')}
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={acceptedFiles}
        aria-label={t('Campaign files')}
        onChange={(e) => {
          onPick([...(e.currentTarget.files ?? [])]);
          e.currentTarget.value = '';
        }}
      />
    </div>
  );
}
