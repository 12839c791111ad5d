import { useState } from 'react';
import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { groups } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation, type ApiError } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { RuleBuilder } from './RuleBuilder.tsx';
import type { Rule } from './labels.ts';

type ContactGroup = groups.Group;
type GroupKind = 'list' | 'rule';

interface GroupDialogProps {
  /** Null adds a group. */
  group: ContactGroup | null;
  close: () => void;
}

/** Adds or edits a contact group. */
export function GroupDialog({ group, close }: GroupDialogProps) {
  const { kind, setKind, form, errors, submit, isPending } = useGroupForm({ group, close });
  return (
    <Modal
      opened
      onClose={close}
      size={kind === 'rule' ? 'xl' : 'sm'}
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={group ? t('Edit group') : t('Add group')}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            maxLength={80}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {!group && <KindChoice kind={kind} onChange={setKind} />}
          {kind === 'rule' && (
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
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isPending}>
              {group ? t('Save') : t('Add group')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** Form and requests of a group. `errors`: the server's errors by field, those of the rule too. */
function useGroupForm({ group, close }: GroupDialogProps) {
  const [kind, setKind] = useState<GroupKind>(group?.virtual ? 'rule' : 'list');
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
    invalidates: [groups.listGroups],
    onSuccess: close,
    onFieldErrors: (error: ApiError) => {
      setErrors(error.fields);
      const own = bound(error);
      return [...own, ...Object.keys(error.fields).filter((f) => f.startsWith('rule'))];
    },
  };
  const add = useApiMutation(groups.createGroup, { ...shared, success: t('Group created') });
  const change = useApiMutation(groups.updateGroup, { ...shared, success: t('Group updated') });
  const submit = form.onSubmit(({ name, rule }) => {
    setErrors({});
    const body = { name, ...(kind === 'rule' ? { rule } : {}) };
    void (group
      ? change.mutate({ params: { id: group.id }, body })
      : add.mutate({ body: { ...body, virtual: kind === 'rule' } }));
  });
  return { kind, setKind, form, errors, submit, isPending: add.isPending || change.isPending };
}

/** Whether a new group is a list of contacts or follows a rule. */
function KindChoice({ kind, onChange }: { kind: GroupKind; onChange: (kind: GroupKind) => void }) {
  return (
    <>
      <SegmentedControl
        aria-label={t('Group type')}
        value={kind}
        onChange={(v) => onChange(v as GroupKind)}
        data={[
          { value: 'list', label: t('Manual list') },
          { value: 'rule', label: t('Rule-based') },
        ]}
      />
      {kind === 'list' && (
        <Text size="sm" c="dimmed">
          {t('Add contacts from the contact list, an import or a keyword.')}
        </Text>
      )}
    </>
  );
}
