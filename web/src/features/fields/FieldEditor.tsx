import { useState } from 'react';
import {
  Button,
  Group,
  Select,
  Stack,
  Switch,
  Tabs,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { fields, type Body } from '#contract';
import {
  canBeUnique,
  entityTypes,
  fieldTypes,
  keyOfName,
  type EntityTypeId,
  type FieldValueType,
  type FieldType,
} from '#contract/fields/rules';
import {
  bindFieldErrors,
  confirmTyped,
  Drawer,
  type ApiError,
  t,
  useApiQuery,
  usePermission,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { newChoice, ChoicesEditor } from './ChoicesEditor.tsx';
import { FieldCounts, FieldHistory, FieldOverrides } from './FieldFacts.tsx';
import { FieldInput } from './FieldInput.tsx';
import { ReplaceChoices, type Replacement, type UsedChoice } from './ReplaceChoices.tsx';
import type { Field } from './use-fields.tsx';
import { entityName, typeHint, typeName } from './labels.ts';

const invalidates = [
  fields.listFields,
  fields.listFieldEntities,
  fields.fieldCountStats,
  fields.fieldHistory,
  fields.listFieldOverrides,
];

/**
 * Creates or edits a custom field. Users who manage only the company edit an override of an
 * organization's field.
 */
export function FieldEditor({
  entity,
  field,
  onClose,
}: {
  entity: EntityTypeId;
  field: Field | null;
  onClose: () => void;
}) {
  const [tab, setTab] = useState('definition');
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={field?.name ?? t('New custom field: {entity}', { entity: entityName(entity) })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {field ? (
        <Tabs value={tab} onChange={(next) => setTab(next ?? 'definition')} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="definition">{t('Definition')}</Tabs.Tab>
            <Tabs.Tab value="counts">{t('Usage')}</Tabs.Tab>
            <Tabs.Tab value="history">{t('History')}</Tabs.Tab>
            {'organization_id' in field.scope && (
              <Tabs.Tab value="overrides">{t('Overrides')}</Tabs.Tab>
            )}
          </Tabs.List>
          <Tabs.Panel value="definition">
            <FieldForm key={field.updated_at} entity={entity} field={field} onClose={onClose} />
          </Tabs.Panel>
          <Tabs.Panel value="counts">
            <FieldCounts field={field} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <FieldHistory id={field.id} />
          </Tabs.Panel>
          <Tabs.Panel value="overrides">
            <FieldOverrides field={field} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <FieldForm entity={entity} field={null} onClose={onClose} />
      )}
    </Drawer>
  );
}

function FieldForm({
  entity,
  field,
  onClose,
}: {
  entity: EntityTypeId;
  field: Field | null;
  onClose: () => void;
}) {
  const mayEdit = usePermission('fields.edit');
  const mayOrganization = usePermission('organization.edit');
  const shared = field !== null && 'organization_id' in field.scope;
  const overriding = shared && (!mayOrganization || field.overriding !== null);
  const params = { type: entityTypes[entity - 1]!.key };
  const form = useForm({
    initialValues: {
      name: field?.name ?? '',
      key: '',
      description: field?.description ?? '',
      type: (field?.type ?? 'stringKeyword') as FieldType,
      choices: field?.choices.map((c) => newChoice(c.value, c.id, c.description)) ?? [
        newChoice(),
        newChoice(),
      ],
      defaultValue: (field?.defaultValue ?? null) as FieldValueType | null,
      is_required: field?.is_required ?? false,
      is_unique: field?.is_unique ?? false,
      is_visible_in_list: field?.is_visible_in_list ?? false,
      is_filterable: field?.is_filterable ?? true,
      scope: entity === 4 ? 'organization' : 'company',
    },
    validate: {
      name: (v) => (v.trim() ? null : t('Enter a name.')),
      choices: (v, all) =>
        all.type === 'enum' && !v.some((c) => c.value.trim())
          ? t('Add at least one choice.')
          : null,
    },
  });
  const [used, setUsed] = useState<{
    choices: UsedChoice[];
    stay: { id: number; value: string }[];
  } | null>(null);
  const open = {
    onFieldErrors: bindFieldErrors(form),
    invalidates,
    silent: (error: ApiError) => {
      if (error.code !== 'field.choice_used') return false;
      setUsed(
        (
          error.body as {
            errors: { choices: UsedChoice[]; stay: { id: number; value: string }[] }[];
          }
        ).errors[0]!,
      );
      return true;
    },
  };
  const create = useApiMutation(fields.createField, {
    ...open,
    success: t('Custom field created successfully'),
  });
  const update = useApiMutation(fields.updateField, {
    ...open,
    success: t('Custom field updated successfully'),
  });
  const override = useApiMutation(fields.overrideField, {
    ...open,
    success: t('Custom field updated successfully'),
  });
  const remove = useApiMutation(fields.deleteField, {
    invalidates,
    success: t('Custom field deleted successfully'),
  });
  const restore = useApiMutation(fields.deleteFieldOverride, {
    ...open,
    success: t('Custom field override was deleted successfully'),
  });
  const stats = useApiQuery(
    fields.fieldCountStats,
    { params: { id: field?.id ?? 0 } },
    { enabled: field !== null, staleTime: 30_000, silent: true },
  );
  useUnsavedGuard(form.isDirty());
  const { values } = form;
  const isEnum = values.type === 'enum';

  const finish = (response: unknown): void => {
    if (response) {
      form.resetDirty();
      setUsed(null);
      onClose();
    }
  };
  const save = async (replacements?: Replacement[]): Promise<void> => {
    const choices = isEnum
      ? values.choices
          .filter((c) => c.value.trim())
          .map((c, i) => ({
            ...(c.id !== null ? { id: c.id } : {}),
            value: c.value.trim(),
            description: c.description,
            sort_order: i + 1,
          }))
      : undefined;
    const more = {
      ...(choices ? { choices } : {}),
      ...(replacements ? { replacements } : {}),
      defaultValue: values.defaultValue,
    };
    const flags = {
      is_required: values.is_required,
      is_unique: values.is_unique,
      is_visible_in_list: values.is_visible_in_list,
      is_filterable: values.is_filterable,
    };
    // Only changed parts become the company's override; the others keep following the organization.
    if (overriding)
      finish(
        await override.mutate({
          params: { id: field.id },
          body: {
            ...(form.isDirty('description') ? { description: values.description } : {}),
            ...(choices && form.isDirty('choices') ? { choices } : {}),
            ...(form.isDirty('defaultValue') ? { defaultValue: values.defaultValue } : {}),
            ...(replacements ? { replacements } : {}),
          },
        }),
      );
    else if (field)
      finish(
        await update.mutate({
          params: { ...params, id: field.id },
          body: {
            name: values.name,
            description: values.description,
            type: values.type,
            ...flags,
            ...more,
          },
        }),
      );
    else
      finish(
        await create.mutate({
          params,
          body: {
            name: values.name,
            description: values.description,
            type: values.type,
            ...(values.key.trim() ? { key: values.key } : {}),
            scope: values.scope as 'company',
            ...flags,
            ...more,
          } as Body<typeof fields.createField>,
        }),
      );
  };
  const destroy = async (): Promise<void> => {
    const filled = stats.response?.data.filled ?? 0;
    if (
      field &&
      (await confirmTyped({
        title: t('Delete this custom field?'),
        body: filled
          ? t(
              '{n, plural, one {# value is} other {# values are}} deleted, and it’s removed from columns and filters. This can’t be undone.',
              { n: filled },
            )
          : t('It’s removed from columns and filters. This can’t be undone.'),
        confirmLabel: t('Delete'),
        requiredText: field.name,
      }))
    )
      finish(await remove.mutate({ params: { id: field.id } }));
  };
  const back = async (replacements?: Replacement[]): Promise<void> => {
    if (field?.overriding)
      finish(
        await restore.mutate({
          params: { id: field.id, overrideId: field.overriding.override_id },
          body: replacements ? { replacements } : {},
        }),
      );
  };
  const [restoring, setRestoring] = useState(false);

  const locked = !mayEdit || overriding;
  const sample: Field | null = {
    ...(field ?? ({} as Field)),
    id: field?.id ?? 0,
    name: t('Default'),
    description: t('Used when no value is set'),
    type: values.type,
    is_required: false,
    defaultValue: null,
    choices: values.choices
      .filter((c) => c.id !== null)
      .map((c, i) => ({ id: c.id!, value: c.value, sort_order: i, description: '' })),
  };
  return (
    <form onSubmit={form.onSubmit(() => void save())}>
      <Stack gap="sm">
        {overriding && (
          <Text size="sm" c="dimmed">
            {t(
              'Your organization defines this field. You can change its description, choices and default for your company.',
            )}
          </Text>
        )}
        <TextInput
          label={t('Name')}
          maxLength={80}
          data-autofocus
          withAsterisk
          disabled={locked}
          {...form.getInputProps('name')}
        />
        {field ? (
          <Text size="xs" c="dimmed">
            {t('Key: {key}', { key: field.key })}
          </Text>
        ) : (
          <TextInput
            label={t('Key')}
            description={t('Used in files and merge tags. Can’t be changed.')}
            placeholder={values.name.trim() ? keyOfName(values.name) : ''}
            maxLength={60}
            {...form.getInputProps('key')}
          />
        )}
        <Textarea
          label={t('Description')}
          autosize
          minRows={1}
          maxLength={500}
          disabled={!mayEdit}
          {...form.getInputProps('description')}
        />
        <Select
          label={t('Type')}
          description={typeHint(values.type)}
          allowDeselect={false}
          disabled={locked || Boolean(stats.response?.data.filled)}
          data={fieldTypes.map((value) => ({ value, label: typeName(value) }))}
          {...form.getInputProps('type')}
          onChange={(type) =>
            form.setValues({
              type: (type ?? 'stringKeyword') as FieldType,
              defaultValue: null,
              ...(canBeUnique.includes(type as FieldType) ? {} : { is_unique: false }),
            })
          }
        />
        {isEnum && (
          <ChoicesEditor
            choices={values.choices}
            errors={form.errors}
            disabled={!mayEdit}
            onChange={(choices) => {
              form.setFieldValue('choices', choices);
              if (
                values.defaultValue !== null &&
                !choices.some((c) => c.id === values.defaultValue)
              )
                form.setFieldValue('defaultValue', null);
            }}
          />
        )}
        {!values.is_unique && (!isEnum || sample.choices.length > 0) && (
          <FieldInput
            field={sample}
            value={values.defaultValue}
            disabled={!mayEdit}
            error={form.errors['defaultValue'] as string | undefined}
            onChange={(v) => form.setFieldValue('defaultValue', v)}
          />
        )}
        {isEnum && sample.choices.length === 0 && (
          <Text size="xs" c="dimmed">
            {t('You can choose a default once the choices are saved.')}
          </Text>
        )}
        <Switch
          label={t('Required')}
          description={t('Can’t be left empty')}
          disabled={locked}
          {...form.getInputProps('is_required', { type: 'checkbox' })}
        />
        {canBeUnique.includes(values.type) && entity !== 4 && (
          <Switch
            label={t('Unique')}
            description={t('No two records can have the same value')}
            disabled={locked}
            {...form.getInputProps('is_unique', { type: 'checkbox' })}
          />
        )}
        <Switch
          label={t('Shown in lists')}
          description={t('Shown as a column by default')}
          disabled={locked}
          {...form.getInputProps('is_visible_in_list', { type: 'checkbox' })}
        />
        <Switch
          label={t('Filterable')}
          disabled={locked}
          {...form.getInputProps('is_filterable', { type: 'checkbox' })}
        />
        {!field && mayOrganization && entity !== 4 && (
          <Select
            label={t('Owner')}
            allowDeselect={false}
            data={[
              { value: 'company', label: t('This company') },
              { value: 'organization', label: t('All companies of the organization') },
            ]}
            {...form.getInputProps('scope')}
          />
        )}
        {mayEdit && (
          <Group justify="space-between" mt="sm">
            <Group gap="xs">
              {field && !overriding && (
                <Button variant="default" color="red" onClick={() => void destroy()}>
                  {t('Delete')}
                </Button>
              )}
              {field?.overriding && (
                <Button
                  variant="default"
                  onClick={() => {
                    setRestoring(true);
                    void back();
                  }}
                >
                  {t('Reset to organization’s')}
                </Button>
              )}
            </Group>
            <Button
              type="submit"
              loading={create.isPending || update.isPending || override.isPending}
            >
              {field ? t('Save') : t('Create')}
            </Button>
          </Group>
        )}
      </Stack>
      {used && (
        <ReplaceChoices
          used={used.choices}
          stay={restoring ? used.stay : sample.choices}
          onClose={() => {
            setUsed(null);
            setRestoring(false);
          }}
          onChosen={(replacements) => void (restoring ? back(replacements) : save(replacements))}
        />
      )}
    </form>
  );
}
