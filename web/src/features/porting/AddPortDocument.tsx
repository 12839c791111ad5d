import { useState } from 'react';
import { Button, FileInput, Group, Select, TextInput } from '@mantine/core';
import { porting } from '#contract';
import { formFields, t, useApiMutation } from '#ui';
import { documentName } from './labels.ts';

const problemsAt = ['file', 'kind', 'bill_date'];

interface AddPortDocumentProps {
  portId: number;
  /** Kinds to choose from; the first one is chosen at the start. */
  kinds: readonly porting.PortDocumentKind[];
  /** Shown at the file field. */
  error?: React.ReactNode;
}

/** The document to add and its problems by field. `add` uploads it, then clears the form. */
function useAddDocument(portId: number, firstKind: porting.PortDocumentKind) {
  const [kind, setKind] = useState<porting.PortDocumentKind>(firstKind);
  const [file, setFile] = useState<File | null>(null);
  const [date, setDate] = useState('');
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const { mutate, isPending } = useApiMutation(porting.addPortDocument, {
    invalidates: [porting.getPort, porting.listPorts],
    success: t('Document added'),
    onFieldErrors: (error) => {
      const at = Object.fromEntries(
        Object.entries(error.fields).filter(([field]) => problemsAt.includes(field)),
      );
      setWrong(at);
      return Object.keys(at);
    },
  });
  const add = async (): Promise<void> => {
    setWrong({});
    if (!file) return setWrong({ file: t('Choose a file.') });
    if (file.size > porting.documentBytes)
      return setWrong({ file: t('A document can be up to 3 MB.') });
    const body = formFields({
      kind,
      ...(kind === 'bill' && date ? { bill_date: date } : {}),
      file,
    });
    if (!(await mutate({ params: { id: portId }, body }))) return;
    setFile(null);
    setDate('');
  };
  return { kind, setKind, file, setFile, date, setDate, wrong, add, isPending };
}

/** Adds a document of up to 3 MB to a port request. */
export function AddPortDocument({ portId, kinds, error }: AddPortDocumentProps) {
  const { kind, setKind, file, setFile, date, setDate, wrong, add, isPending } = useAddDocument(
    portId,
    kinds[0] ?? 'bill',
  );
  return (
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
  );
}
