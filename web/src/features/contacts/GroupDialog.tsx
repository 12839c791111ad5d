import { useState } from 'react';
import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { groups } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation } from '#ui';
import { RuleBuilder } from './RuleBuilder.tsx';
import type { Rule } from './labels.ts';

type ContactGroup = groups.Group;
const invalidates = [groups.listGroups];

/** Adds (null) or edits a contact group. */
export function GroupDialog({ group, close }: { group: ContactGroup | null; close: () => void }) {
  const [kind, setKind] = useState<'list' | 'rule'>(group?.virtual ? 'rule' : 'list');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useForm<{ name: string; rule: Rule }>({
    initialValues: {
      name: group?.name ?? '',
      rule: group?.rule ?? { all: [{ field: 'city', op: 'is', value: '' }] },
    },
    validate: { name: (v) => (v.trim() ? null : t('Enter a group name.')) },
  });
  const bound = bindFieldErrors(form);
  const shared = {
    invalidates,
    onSuccess: close,
    onFieldErrors: (error: Parameters<typeof bound>[0]) => {
      setErrors(error.fields);
      const own = bound(error);
      return [...own, ...Object.keys(error.fields).filter((f) => f.startsWith('rule'))];
    },
  };
  const add = useApiMutation(groups.createGroup, {
    ...shared,
    success: t('Group created'),
  });
  const change = useApiMutation(groups.updateGroup, {
    ...shared,
    success: t('Group updated'),
  });
  const send = ({ name, rule }: { name: string; rule: Rule }): void => {
    setErrors({});
    const body = { name, ...(kind === 'rule' ? { rule } : {}) };
    void (group
      ? change.mutate({ params: { id: group.id }, body })
      : add.mutate({ body: { ...body, virtual: kind === 'rule' } }));
  };
  return (
    <Modal
      opened
      onClose={close}
      size={kind === 'rule' ? 'xl' : 'sm'}
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={group ? t('Edit group') : t('Add group')}
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            maxLength={80}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {!group && (
            <SegmentedControl
              aria-label={t('Group type')}
              value={kind}
              onChange={(v) => setKind(v as 'list' | 'rule')}
              data={[
                { value: 'list', label: t('Manual list') },
                { value: 'rule', label: t('Rule-based') },
              ]}
            />
          )}
          {kind === 'list' ? (
            !group && (
              <Text size="sm" c="dimmed">
                {t('Add contacts from the contact list, an import or a keyword.')}
              </Text>
            )
          ) : (
            <RuleBuilder
              rule={form.values.rule}
              onChange={(rule) => form.setFieldValue('rule', rule)}
              errors={errors}
            />
          )}
          {errors['rule'] && (
            <Text size="sm" c="var(--tl-danger)">
              {errors['rule']}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={add.isPending || change.isPending}>
              {group ? t('Save') : t('Add group')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
