import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { outcomeRules as contract } from '#contract';
import { departments, outcomeTags } from '#contract/calls/rules';
import {
  bindFieldErrors,
  Modal,
  NumberInput,
  t,
  useApiMutation,
  useCompanyId,
  useUnsavedGuard,
} from '#ui';
import { departmentName } from '../record/department-name.ts';
import { outcomeTagName } from '../record/outcome-tag-name.ts';
import { DryRunFooter } from './DryRunFooter.tsx';
import type { OutcomeRule, PhraseList } from './labels.ts';

interface Values {
  name: string;
  phrase_list_id: string | null;
  min_talk_seconds: number | string;
  direction: 'inbound' | 'outbound' | null;
  outcome_tag: (typeof outcomeTags)[number] | null;
  department: (typeof departments)[number] | null;
  qualified: 'yes' | 'no' | null;
  lead: 'yes' | 'no' | null;
}

const choiceOf = (value: boolean | null | undefined) =>
  value === null || value === undefined ? null : value ? 'yes' : 'no';
const boolOf = (choice: 'yes' | 'no' | null) => (choice === null ? null : choice === 'yes');

const valuesOf = (rule: OutcomeRule | null): Values => ({
  name: rule?.name ?? '',
  phrase_list_id: rule?.phrase_list_id ? String(rule.phrase_list_id) : null,
  min_talk_seconds: rule?.min_talk_seconds ?? 0,
  direction: rule?.direction ?? null,
  outcome_tag: rule?.sets.outcome_tag ?? null,
  department: rule?.sets.department ?? null,
  qualified: choiceOf(rule?.sets.qualified),
  lead: choiceOf(rule?.sets.lead),
});

const wantedOf = (values: Values) => ({
  phrase_list_id: values.phrase_list_id ? Number(values.phrase_list_id) : null,
  min_talk_seconds: Number(values.min_talk_seconds) || 0,
  direction: values.direction,
  sets: {
    outcome_tag: values.outcome_tag,
    department: values.department,
    qualified: boolOf(values.qualified),
    lead: boolOf(values.lead),
  },
});

const fieldNames = { 'sets.outcome_tag': 'outcome_tag', 'sets.department': 'department' };

interface Props {
  /** Null: a new one. */
  rule: OutcomeRule | null;
  lists: readonly PhraseList[];
  onClose: () => void;
}

/** Adds a rule or changes one. */
export const RuleDialog = (props: Props) => (
  <Modal
    opened
    onClose={props.onClose}
    size="lg"
    title={props.rule ? t('Edit rule') : t('New rule')}
    closeButtonProps={{ 'aria-label': t('Close') }}
  >
    <Form {...props} />
  </Modal>
);

/** Saving and trying a rule. */
function useRuleForm(rule: OutcomeRule | null, onClose: () => void) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm<Values>({ initialValues: valuesOf(rule) });
  useUnsavedGuard(form.isDirty());
  const onFieldErrors = bindFieldErrors(form, fieldNames);
  const options = { invalidates: [contract.listOutcomeRules], onFieldErrors };
  const create = useApiMutation(contract.createOutcomeRule, {
    ...options,
    success: t('Rule added'),
  });
  const update = useApiMutation(contract.updateOutcomeRule, {
    ...options,
    success: t('Rule saved'),
  });
  const { mutate: dryRun } = useApiMutation(contract.tryOutcomeRule, { onFieldErrors });
  const save = form.onSubmit(async (values) => {
    const body = { name: values.name, is_on: rule?.is_on ?? true, ...wantedOf(values) };
    const saved = rule
      ? await update.mutate({ params: { companyId, ruleId: rule.id }, body })
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

function Form({ rule, lists, onClose }: Props) {
  const { form, save, isSaving, tryIt } = useRuleForm(rule, onClose);
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <TextInput label={t('Name')} required data-autofocus {...form.getInputProps('name')} />
        <Conditions form={form} lists={lists} />
        <Results form={form} />
        <Text size="sm" c="dimmed">
          {t('What a person set stays as it is.')}
        </Text>
        <DryRunFooter tryIt={tryIt} isSaving={isSaving} onCancel={onClose} />
      </Stack>
    </form>
  );
}

const Conditions = ({
  form,
  lists,
}: {
  form: UseFormReturnType<Values>;
  lists: readonly PhraseList[];
}) => (
  <SimpleGrid cols={{ base: 1, xs: 3 }}>
    <Select
      label={t('When a phrase is said of')}
      placeholder={t('Any words')}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear {what}', { what: t('Phrase list') }) }}
      data={lists.map(({ id, name }) => ({ value: String(id), label: name }))}
      {...form.getInputProps('phrase_list_id')}
    />
    <NumberInput
      label={t('Talk lasts at least')}
      suffix={t(' seconds')}
      min={0}
      max={86_400}
      allowDecimal={false}
      {...form.getInputProps('min_talk_seconds')}
    />
    <Select
      label={t('Direction')}
      placeholder={t('Both directions')}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear {what}', { what: t('Direction') }) }}
      data={[
        { value: 'inbound', label: t('Incoming') },
        { value: 'outbound', label: t('Outgoing') },
      ]}
      {...form.getInputProps('direction')}
    />
  </SimpleGrid>
);

function Results({ form }: { form: UseFormReturnType<Values> }) {
  const choice = (
    name: keyof Values,
    label: string,
    data: readonly { value: string; label: string }[],
  ) => (
    <Select
      label={label}
      placeholder={t('Leave as it is')}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear {what}', { what: label }) }}
      data={[...data]}
      {...form.getInputProps(name)}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {choice(
        'outcome_tag',
        t('Set outcome'),
        outcomeTags.map((value) => ({ value, label: outcomeTagName(value) })),
      )}
      {choice(
        'department',
        t('Set department'),
        departments.map((value) => ({ value, label: departmentName(value) })),
      )}
      {choice('qualified', t('Set qualification'), [
        { value: 'yes', label: t('Qualified') },
        { value: 'no', label: t('Not qualified') },
      ])}
      {choice('lead', t('Set lead'), [
        { value: 'yes', label: t('Yes') },
        { value: 'no', label: t('No') },
      ])}
    </SimpleGrid>
  );
}
