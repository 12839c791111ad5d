import { useState } from 'react';
import { Autocomplete, Button, Stack, Text } from '@mantine/core';
import { groups } from '#contract';
import { Modal, t, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { useSorting } from '../use-sorting.ts';
import type { MembershipChange } from './use-bulk-actions.ts';

const titleOf = (change: MembershipChange, n: number): string =>
  ({
    label: t('Label {n, plural, one {# contact} other {# contacts}}', { n }),
    unlabel: t('Remove a label from {n, plural, one {# contact} other {# contacts}}', { n }),
    group: t('Add {n, plural, one {# contact} other {# contacts}} to a group', { n }),
    ungroup: t('Remove {n, plural, one {# contact} other {# contacts}} from a group', { n }),
  })[change];

interface NamePromptProps {
  change: MembershipChange;
  count: number;
  busy: boolean;
  close: () => void;
  apply: (id: number, name: string) => Promise<void>;
}

/** The typed name, and the label or group that it means. */
function useNamed({ change, apply }: Pick<NamePromptProps, 'change' | 'apply'>) {
  const isLabel = change === 'label' || change === 'unlabel';
  const adds = change === 'label' || change === 'group';
  const sorting = useSorting();
  const [name, setName] = useState('');
  const { create, isCreating } = useCreate(isLabel);
  const options = isLabel ? sorting.labelOptions : sorting.plainOptions;
  const trimmed = name.trim();
  const existing = options.find((one) => one.label.toLowerCase() === trimmed.toLowerCase());
  const isNew = adds && trimmed !== '' && !existing;
  const submit = async (): Promise<void> => {
    if (existing) return apply(Number(existing.value), existing.label);
    const id = isNew ? await create(trimmed) : null;
    if (id !== null) await apply(id, trimmed);
  };
  return { isLabel, adds, options, name, setName, existing, isNew, isCreating, submit };
}

/** Asks for a label or group; when adding, an unknown name is created. */
export function NamePrompt({ change, count, busy, close, apply }: NamePromptProps) {
  const named = useNamed({ change, apply });
  const { isLabel, isNew, options } = named;
  return (
    <Modal
      opened
      onClose={close}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={titleOf(change, count)}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void named.submit();
        }}
      >
        <Stack gap="sm">
          <Autocomplete
            label={isLabel ? t('Label') : t('Group')}
            data-autofocus
            selectFirstOptionOnChange
            data={options.map((one) => one.label)}
            value={named.name}
            onChange={named.setName}
            maxLength={60}
            description={isNew ? t('This name is new. It will be created.') : undefined}
          />
          {!named.adds && options.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('None yet.')}
            </Text>
          )}
          <DialogFooter onCancel={close}>
            <Button
              type="submit"
              loading={busy || named.isCreating}
              disabled={!named.existing && !isNew}
            >
              {titleOf(change, count)}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** Creates a label or group. Returns its id, or null after an error, which was shown. */
function useCreate(isLabel: boolean) {
  const companyId = useCompanyId() ?? 0;
  const label = useApiMutation(groups.createContactLabel, {
    invalidates: [groups.listContactLabels],
  });
  const group = useApiMutation(groups.createGroup, { invalidates: [groups.listGroups] });
  const create = async (name: string): Promise<number | null> => {
    const created = isLabel
      ? await label.mutate({ params: { companyId }, body: { label: name } })
      : await group.mutate({ body: { name } });
    return created?.data.id ?? null;
  };
  return { create, isCreating: label.isPending || group.isPending };
}
