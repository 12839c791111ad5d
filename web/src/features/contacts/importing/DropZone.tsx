import { Button, Loader } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useDropzone } from 'react-dropzone';
import { maxRows } from '#contract/contacts/importing/rules';
import { formatNumber, t } from '#ui';
import css from './importing.module.css';
import { useUpload } from './use-upload.ts';

/** Uploads a file to import. */
export function DropZone({ opened }: { opened: (importId: number) => void }) {
  const { upload, isPending } = useUpload(opened);
  // The zone isn't a button; the button inside it is, and gets the keyboard focus.
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    multiple: false,
    disabled: isPending,
    noClick: true,
    noKeyboard: true,
    useFsAccessApi: false,
    onDrop: ([file]) => {
      if (file) void upload(file);
    },
  });
  return (
    <div
      {...getRootProps({
        className: css.drop,
        'aria-busy': isPending,
        tabIndex: undefined,
        role: undefined,
        ...(isDragActive && { 'data-over': true }),
      })}
    >
      <input
        {...getInputProps({
          'aria-label': t('Contacts file'),
          accept: '.csv,.tsv,.txt,.xlsx,.vcf',
        })}
      />
      {isPending ? (
        <Loader size={28} aria-label={t('Reading file')} />
      ) : (
        <IconFileSpreadsheet size={28} stroke={1.5} aria-hidden />
      )}
      <strong>
        {isPending
          ? t('Reading file')
          : isDragActive
            ? t('Drop to upload')
            : t('Drop a CSV or XLSX file here')}
      </strong>
      <Button variant="default" onClick={open} disabled={isPending}>
        {t('Choose a file')}
      </Button>
      <p>
        {t(
          'One contact per row, with name and number columns. Up to {n} rows and 20 MB. Only the first sheet of a workbook is read. Nothing is imported until you’ve seen a preview. Address book cards (.vcf) are imported right away.',
          { n: formatNumber(maxRows) },
        )}
      </p>
    </div>
  );
}
