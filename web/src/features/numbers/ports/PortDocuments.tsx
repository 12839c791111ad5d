import { useState } from 'react';
import { ActionIcon, Button, FileInput, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconPaperclip, IconTrash } from '@tabler/icons-react';
import { porting } from '#contract';
import { toast, formFields, formatBytes, t, Time, useApiMutation } from '#ui';
import { documentName } from './labels.ts';
import css from './ports.module.css';

const problemsAt = ['file', 'kind', 'bill_date'];

/**
 * Documents of a port request, with a form that adds one of the given kinds. `error` is shown at
 * the file field.
 */
export function PortDocuments({
  port,
  kinds,
  mayEdit,
  error,
}: {
  port: porting.PortRequest;
  kinds: readonly porting.PortDocumentKind[];
  mayEdit: boolean;
  error?: React.ReactNode;
}) {
  const [kind, setKind] = useState<porting.PortDocumentKind>(kinds[0] ?? 'bill');
  const [file, setFile] = useState<File | null>(null);
  const [date, setDate] = useState('');
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const invalidates = [porting.getPort, porting.listPorts];
  const { mutate, isPending } = useApiMutation(porting.addPortDocument, {
    invalidates,
    success: t('Document added'),
    onFieldErrors: (error) => {
      const at = Object.fromEntries(
        Object.entries(error.fields).filter(([field]) => problemsAt.includes(field)),
      );
      setWrong(at);
      return Object.keys(at);
    },
  });
  const remove = useApiMutation(porting.removePortDocument, {
    invalidates,
    success: t('Document removed'),
  });
  const add = async (): Promise<void> => {
    setWrong({});
    if (!file) return setWrong({ file: t('Choose a file.') });
    if (file.size > porting.documentBytes)
      return setWrong({ file: t('A document can be up to 3 MB.') });
    if (
      !(await mutate({
        params: { id: port.id },
        body: formFields({ kind, ...(kind === 'bill' && date ? { bill_date: date } : {}), file }),
      }))
    )
      return;
    setFile(null);
    setDate('');
  };
  return (
    <Stack gap="sm">
      {port.documents.length > 0 && (
        <ul className={css.found} aria-label={t('Documents')}>
          {port.documents.map((d) => (
            <li key={d.id}>
              <IconPaperclip size={16} aria-hidden />
              {d.url ? (
                <a className={css.grow} href={d.url} target="_blank" rel="noreferrer">
                  {d.name}
                </a>
              ) : (
                <span className={css.grow}>{d.name}</span>
              )}
              <span>
                {documentName(d.kind)}
                {d.bill_date ? `, ${d.bill_date}` : ''}
              </span>
              <span className={css.quiet}>
                {formatBytes(d.size)}, <Time at={d.uploaded_at} as="day" />
              </span>
              {mayEdit && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('Remove {name}', { name: d.name })}
                  disabled={remove.isPending}
                  onClick={() =>
                    void remove
                      .mutate({ params: { id: port.id, documentId: d.id } })
                      .then((done) => done ?? toast.neutral(t('Document not removed')))
                  }
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayEdit && (
        <>
          <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
            <Select
              label={t('Document type')}
              allowDeselect={false}
              data={kinds.map((k) => ({ value: k, label: documentName(k) }))}
              value={kind}
              onChange={(v) => v && setKind(v as porting.PortDocumentKind)}
              error={wrong['kind']}
            />
            {kind === 'bill' && (
              <TextInput
                type="date"
                label={t('Bill date')}
                value={date}
                onChange={(e) => setDate(e.currentTarget.value)}
                error={wrong['bill_date']}
              />
            )}
            <FileInput
              label={t('File')}
              placeholder={t('PDF, JPEG or PNG, up to 3 MB')}
              accept="application/pdf,image/jpeg,image/png"
              value={file}
              onChange={setFile}
              error={wrong['file'] ?? error}
              clearable
              clearButtonProps={{ 'aria-label': t('Choose another file') }}
            />
          </Group>
          <Group>
            <Button variant="default" loading={isPending} onClick={() => void add()}>
              {t('Add document')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
