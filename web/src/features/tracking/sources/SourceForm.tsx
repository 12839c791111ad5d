import { ActionIcon, Button, Input, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { tracking } from '#contract';
import { Modal, t } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { groupName } from '../labels.ts';
import { ruleDraft, useSourceForm, type SourceFormModel } from './use-source-form.ts';
import css from './sources.module.css';

/** Adds a source (`source` null) or changes one, with its rules. */
export function SourceForm({
  source,
  onClose,
}: {
  source: tracking.Source | null;
  onClose: () => void;
}) {
  const { form, save, isPending } = useSourceForm(source, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={source ? t('Edit source') : t('Add source')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            placeholder={t('Spring mailer')}
            maxLength={80}
            data-autofocus
            {...form.getInputProps('label')}
          />
          <Select
            label={t('Group')}
            allowDeselect={false}
            data={tracking.sourceGroups.map((value) => ({ value, label: groupName(value) }))}
            {...form.getInputProps('group')}
          />
          <RuleFields form={form} />
          <DialogFooter onCancel={onClose}>
            <Button type="submit" loading={isPending} disabled={source !== null && !form.isDirty()}>
              {source ? t('Save') : t('Add')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** The rules, any of which gives a visit to the source. */
function RuleFields({ form }: { form: SourceFormModel }) {
  const { rules } = form.values;
  return (
    <Input.Wrapper
      label={t('Rules')}
      description={t('A visit belongs to this source when one of them matches.')}
      labelElement="div"
    >
      <Stack gap="xs" mt={4}>
        {rules.map((rule, index) => (
          <RuleRow key={rule.key} form={form} index={index} />
        ))}
        {rules.length < tracking.sourceLimits.rules && (
          <div>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => form.insertListItem('rules', ruleDraft())}
            >
              {t('Add rule')}
            </Button>
          </div>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function RuleRow({ form, index }: { form: SourceFormModel; index: number }) {
  const rule = form.values.rules[index];
  if (!rule) return null;
  const isParameter = rule.condition === 'param';
  const n = index + 1;
  return (
    <div className={css.rule} data-param={isParameter || undefined}>
      <Select
        aria-label={t('Rule {n} looks at', { n })}
        allowDeselect={false}
        data={[
          { value: 'url.contains', label: t('Address contains') },
          { value: 'url.equals', label: t('Address is') },
          { value: 'url.regex', label: t('Address matches pattern') },
          { value: 'param', label: t('Parameter is') },
          { value: 'referrer', label: t('Visitor comes from') },
        ]}
        {...form.getInputProps(`rules.${index}.condition`)}
      />
      {isParameter && (
        <TextInput
          aria-label={t('Parameter of rule {n}', { n })}
          placeholder="src"
          maxLength={100}
          {...form.getInputProps(`rules.${index}.name`)}
        />
      )}
      <TextInput
        aria-label={t('Value of rule {n}', { n })}
        placeholder={rule.condition === 'referrer' ? 'example.com' : '/spring'}
        maxLength={500}
        {...form.getInputProps(`rules.${index}.value`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={t('Remove rule {n}', { n })}
        onClick={() => form.removeListItem('rules', index)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
