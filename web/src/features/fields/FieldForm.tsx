import { Button, Group, Select, Stack, Switch, Text, TextInput, Textarea } from '@mantine/core';
import {
  canBeUnique,
  entityOf,
  fieldTypes,
  keyOfName,
  type EntityTypeId,
  type FieldType,
} from '#contract/fields/rules';
import { t } from '#ui';
import { AiFields } from './AiFields.tsx';
import { ChoicesEditor } from './ChoicesEditor.tsx';
import { FieldInput } from './FieldInput.tsx';
import { ReplaceChoices } from './ReplaceChoices.tsx';
import type { Field } from './use-fields.tsx';
import { typeHint, typeName } from './labels.ts';
import { useFieldForm, type FieldFormModel } from './use-field-form.ts';

interface PartProps {
  entity: EntityTypeId;
  field: Field | null;
  model: FieldFormModel;
}

/** The form of a custom field; `field` null creates one. */
export function FieldForm({
  entity,
  field,
  onClose,
}: {
  entity: EntityTypeId;
  field: Field | null;
  onClose: () => void;
}) {
  const model = useFieldForm({ entity, field, onClose });
  const { form, mayOrganization, mayEdit, overriding, sample, used, restoring } = model;
  return (
    <form onSubmit={form.onSubmit(() => void model.save())}>
      <Stack gap="sm">
        {overriding && (
          <Text size="sm" c="dimmed">
            {t(
              'Your organization defines this field. You can change its description, choices and default for your company.',
            )}
          </Text>
        )}
        <NameAndKey field={field} model={model} />
        <Textarea
          label={t('Description')}
          autosize
          minRows={1}
          maxLength={500}
          disabled={!mayEdit}
          {...form.getInputProps('description')}
        />
        <TypeAndDefault model={model} />
        <FieldSwitches entity={entity} model={model} />
        {entity === entityOf.call && <AiFields model={model} />}
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
        {mayEdit && <FormActions field={field} model={model} />}
      </Stack>
      {used && (
        <ReplaceChoices
          used={used.choices}
          stay={restoring ? used.stay : sample.choices}
          onClose={model.cancelReplace}
          onChosen={model.replace}
        />
      )}
    </form>
  );
}

function NameAndKey({ field, model: { form, isLocked } }: Omit<PartProps, 'entity'>) {
  return (
    <>
      <TextInput
        label={t('Name')}
        maxLength={80}
        data-autofocus
        withAsterisk
        disabled={isLocked}
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
          placeholder={form.values.name.trim() ? keyOfName(form.values.name) : ''}
          maxLength={60}
          {...form.getInputProps('key')}
        />
      )}
    </>
  );
}

function TypeAndDefault({ model }: { model: FieldFormModel }) {
  const { form, isLocked, isFilled } = model;
  return (
    <>
      <Select
        label={t('Type')}
        description={typeHint(form.values.type)}
        allowDeselect={false}
        disabled={isLocked || isFilled}
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
      <ChoicesAndDefault model={model} />
    </>
  );
}

function ChoicesAndDefault({ model: { form, mayEdit, sample } }: { model: FieldFormModel }) {
  const { values } = form;
  const isEnum = values.type === 'enum';
  const hasDefault = !values.is_unique && (!isEnum || sample.choices.length > 0);
  return (
    <>
      {isEnum && (
        <ChoicesEditor
          choices={values.choices}
          errors={form.errors}
          disabled={!mayEdit}
          onChange={(choices) => {
            form.setFieldValue('choices', choices);
            if (values.defaultValue !== null && !choices.some((c) => c.id === values.defaultValue))
              form.setFieldValue('defaultValue', null);
          }}
        />
      )}
      {hasDefault && (
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
    </>
  );
}

function FieldSwitches({ entity, model: { form, isLocked } }: Omit<PartProps, 'field'>) {
  return (
    <>
      <Switch
        label={t('Required')}
        description={t('Can’t be left empty')}
        disabled={isLocked}
        {...form.getInputProps('is_required', { type: 'checkbox' })}
      />
      {canBeUnique.includes(form.values.type) && entity !== 4 && (
        <Switch
          label={t('Unique')}
          description={t('No two records can have the same value')}
          disabled={isLocked}
          {...form.getInputProps('is_unique', { type: 'checkbox' })}
        />
      )}
      <Switch
        label={t('Shown in lists')}
        description={t('Shown as a column by default')}
        disabled={isLocked}
        {...form.getInputProps('is_visible_in_list', { type: 'checkbox' })}
      />
      <Switch
        label={t('Filterable')}
        disabled={isLocked}
        {...form.getInputProps('is_filterable', { type: 'checkbox' })}
      />
    </>
  );
}

function FormActions({ field, model }: Omit<PartProps, 'entity'>) {
  return (
    <Group justify="space-between" mt="sm">
      <Group gap="xs">
        {field && !model.overriding && (
          <Button variant="default" color="red" onClick={() => void model.destroy()}>
            {t('Delete')}
          </Button>
        )}
        {field?.overriding && (
          <Button variant="default" onClick={model.startRestore}>
            {t('Reset to organization’s')}
          </Button>
        )}
      </Group>
      <Button type="submit" loading={model.isSaving}>
        {field ? t('Save') : t('Create')}
      </Button>
    </Group>
  );
}
