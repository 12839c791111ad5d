import { useState } from 'react';
import { useForm } from '@mantine/form';
import { fields } from '#contract';
import type { EntityTypeId } from '#contract/fields/rules';
import { t, useApiQuery, usePermission, useUnsavedGuard } from '#ui';
import type { Replacement } from './ReplaceChoices.tsx';
import type { Field } from './use-fields.tsx';
import {
  confirmDelete,
  defaultField,
  initialValues,
  restoreField,
  saveField,
  saveOverride,
  useFieldMutations,
  type FieldValues,
  type UsedChoices,
} from './save-field.ts';

interface FieldFormProps {
  entity: EntityTypeId;
  field: Field | null;
  onClose: () => void;
}

/** How many objects have a value of the field; 0 while loading and for a new field. */
function useFilledCount(field: Field | null): number {
  const stats = useApiQuery(
    fields.fieldCountStats,
    { params: { id: field?.id ?? 0 } },
    { enabled: field !== null, staleTime: 30_000, silent: true },
  );
  return stats.response?.data.filled ?? 0;
}

const validate = {
  name: (v: string) => (v.trim() ? null : t('Enter a name.')),
  choices: (v: FieldValues['choices'], all: FieldValues) =>
    all.type === 'enum' && !v.some((c) => c.value.trim()) ? t('Add at least one choice.') : null,
};

/** What the user may change; users of the company only override an organization's field. */
function useFieldPermissions(field: Field | null) {
  const mayEdit = usePermission('fields.edit');
  const mayOrganization = usePermission('organization.edit');
  const isShared = field !== null && 'organization_id' in field.scope;
  const overridden = isShared && (!mayOrganization || field.overriding !== null) ? field : null;
  return { mayEdit, mayOrganization, overridden, isLocked: !mayEdit || overridden !== null };
}

/** State, permissions and requests of the form of a custom field; `field` null creates one. */
export function useFieldForm({ entity, field, onClose }: FieldFormProps) {
  const permissions = useFieldPermissions(field);
  const { overridden } = permissions;
  const form = useForm({ initialValues: initialValues(entity, field), validate });
  const [used, setUsed] = useState<UsedChoices | null>(null);
  const [restoring, setRestoring] = useState(false);
  const mutations = useFieldMutations(form, setUsed);
  const filled = useFilledCount(field);
  useUnsavedGuard(form.isDirty());
  const finish = (response: unknown): void => {
    if (!response) return;
    form.resetDirty();
    setUsed(null);
    onClose();
  };
  const save = async (replacements?: Replacement[]): Promise<void> =>
    finish(
      overridden
        ? await saveOverride(mutations.override, form, overridden.id, replacements)
        : await saveField(mutations, form.values, entity, field, replacements),
    );
  const destroy = async (): Promise<void> => {
    if (field && (await confirmDelete(field, filled)))
      finish(await mutations.remove.mutate({ params: { id: field.id } }));
  };
  const restore = async (replacements?: Replacement[]): Promise<void> =>
    finish(await restoreField(mutations.restore, field, replacements));
  return {
    form,
    ...permissions,
    overriding: overridden !== null,
    isFilled: filled > 0,
    isSaving:
      mutations.create.isPending || mutations.update.isPending || mutations.override.isPending,
    sample: defaultField(field, form.values),
    used,
    restoring,
    save,
    destroy,
    startRestore: () => {
      setRestoring(true);
      void restore();
    },
    replace: (replacements: Replacement[]) =>
      void (restoring ? restore(replacements) : save(replacements)),
    cancelReplace: () => {
      setUsed(null);
      setRestoring(false);
    },
  };
}
export type FieldFormModel = ReturnType<typeof useFieldForm>;
