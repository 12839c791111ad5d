import { Checkbox, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { phrases as contract } from '#contract';
import { phraseLimits, phraseSides, type PhraseSide } from '#contract/calls/phrases/rules';
import {
  bindFieldErrors,
  Modal,
  NumberInput,
  t,
  useApiMutation,
  useCompanyId,
  useUnsavedGuard,
} from '#ui';
import { DryRunFooter } from './DryRunFooter.tsx';
import { sideName, type PhraseList } from './labels.ts';

interface Values {
  name: string;
  phrases: string;
  said_by: PhraseSide;
  at_least: number | string;
  alert: boolean;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const wantedOf = ({ phrases, said_by, at_least }: Values) => ({
  phrases: linesOf(phrases),
  said_by,
  at_least: Number(at_least) || 1,
});

/** Errors of single phrases stand at the field they are written in. */
const fieldNames: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: phraseLimits.phrases }, (_, i) => [`phrases.${i}`, 'phrases']),
);

/** Adds a phrase list or changes one; null: a new one. */
export function PhraseListDialog({
  list,
  onClose,
}: {
  list: PhraseList | null;
  onClose: () => void;
}) {
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={list ? t('Edit phrase list') : t('New phrase list')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Form list={list} onClose={onClose} />
    </Modal>
  );
}

/** Saving and trying a list. */
function useListForm(list: PhraseList | null, onClose: () => void) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm<Values>({
    initialValues: {
      name: list?.name ?? '',
      phrases: list?.phrases.join('\n') ?? '',
      said_by: list?.said_by ?? 'either',
      at_least: list?.at_least ?? 1,
      alert: list?.alert ?? false,
    },
  });
  useUnsavedGuard(form.isDirty());
  const onFieldErrors = bindFieldErrors(form, fieldNames);
  const options = { invalidates: [contract.listPhraseLists], onFieldErrors };
  const create = useApiMutation(contract.createPhraseList, {
    ...options,
    success: t('Phrase list added'),
  });
  const update = useApiMutation(contract.updatePhraseList, {
    ...options,
    success: t('Phrase list saved'),
  });
  const { mutate: dryRun } = useApiMutation(contract.tryPhraseList, { onFieldErrors });
  const save = form.onSubmit(async (values) => {
    const body = { name: values.name, alert: values.alert, ...wantedOf(values) };
    const saved = list
      ? await update.mutate({ params: { companyId, listId: list.id }, body })
      : await create.mutate({ params: { companyId }, body });
    if (!saved) return;
    form.resetDirty();
    onClose();
  });
  return {
    form,
    save,
    isSaving: create.isPending || update.isPending,
    tryIt: () => dryRun({ params: { companyId }, body: wantedOf(form.values) }),
  };
}

function Form({ list, onClose }: { list: PhraseList | null; onClose: () => void }) {
  const { form, save, isSaving, tryIt } = useListForm(list, onClose);
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <TextInput label={t('Name')} required data-autofocus {...form.getInputProps('name')} />
        <Textarea
          label={t('Phrases')}
          description={t('One on each line. End a word with * to match every ending: book*')}
          required
          autosize
          minRows={3}
          maxRows={10}
          {...form.getInputProps('phrases')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label={t('Said by')}
            allowDeselect={false}
            data={phraseSides.map((value) => ({ value, label: sideName(value) }))}
            {...form.getInputProps('said_by')}
          />
          <NumberInput
            label={t('At least this often')}
            min={1}
            max={phraseLimits.times}
            allowDecimal={false}
            {...form.getInputProps('at_least')}
          />
        </SimpleGrid>
        <Checkbox
          label={t('Raise an alert when a phrase is said')}
          {...form.getInputProps('alert', { type: 'checkbox' })}
        />
        <DryRunFooter tryIt={tryIt} isSaving={isSaving} onCancel={onClose} />
      </Stack>
    </form>
  );
}
