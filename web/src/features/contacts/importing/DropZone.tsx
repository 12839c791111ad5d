import { Button, Loader } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useDropzone } from 'react-dropzone';
import { contacts, importing, type Answer } from '#contract';
import { maxBytes, maxRows } from '#contract/contacts/importing/rules';
import { toast, formFields, formatNumber, t, useApiMutation } from '#ui';
import css from './importing.module.css';

/** Uploads a file to import. */
export function DropZone({ opened }: { opened: (importId: number) => void }) {
  const { mutate, isPending: reading } = useApiMutation(importing.uploadContactImport, {
    invalidates: [importing.listContactImports],
  });
  const { mutate: takeCards, isPending: taking } = useApiMutation(contacts.addVcards, {
    invalidates: [contacts.listContacts, contacts.countContacts],
  });
  const isPending = reading || taking;
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > maxBytes) {
      toast.danger(
        t('The file is larger than {n} MB. Split it into smaller files.', {
          n: maxBytes / 1024 / 1024,
        }),
      );
      return;
    }
    if (/\.vcf$/i.test(file.name)) {
      const took = await takeCards({ body: formFields({ file }) });
      if (took) toastVcardResult(took.data);
      return;
    }
    const read = await mutate({ body: formFields({ file }) });
    if (read) opened(read.data.id);
  };
  // The zone isn't a button; the button inside it is, and gets the keyboard focus.
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    multiple: false,
    disabled: isPending,
    noClick: true,
    noKeyboard: true,
    useFsAccessApi: false,
    onDrop: (files) => void take(files[0]),
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

type VcardResult = Answer<typeof contacts.addVcards>['data'];
/** How many vCards were read, and what was wrong with the first invalid ones. */
function toastVcardResult({ created, updated, unchanged, errors }: VcardResult): void {
  const message = t('{created} added, {updated} updated, {unchanged} unchanged', {
    created: formatNumber(created),
    updated: formatNumber(updated),
    unchanged: formatNumber(unchanged),
  });
  const lines = errors
    .slice(0, 5)
    .map((e) => t('Card {n}: {message}', { n: e.row, message: e.message }));
  if (errors.length > lines.length)
    lines.push(t('{n} more', { n: formatNumber(errors.length - lines.length) }));
  if (errors.length) toast.warn(message, { lines, ms: 10_000 });
  else toast.success(message);
}
