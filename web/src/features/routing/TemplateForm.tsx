import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { templates } from '#contract';
import {
  bindFieldErrors,
  confirm,
  formatNumber,
  Modal,
  t,
  trackBatch,
  useApiMutation,
  usePermission,
} from '#ui';
import { numberLists } from '../numbers/index.ts';
import { draftErrors, withoutEmptyRows } from './draft.ts';
import { toTemplateRequest, toTemplateValues, type TemplateValues } from './template-values.ts';
import {
  TemplateNameFields,
  TemplateRecordingFields,
  TemplateRouteFields,
  TemplateVoicemailFields,
} from './TemplateFields.tsx';

type Template = templates.NumberTemplate;
interface TemplateFormProps {
  /** Null: a new template. */
  template: Template | null;
  close: () => void;
}

const confirmPropagating = (n: number): Promise<boolean> =>
  confirm({
    title: t('{n, plural, one {Change # number?} other {Change # numbers?}}', { n }),
    confirmLabel: t('Save and change {n}', { n: formatNumber(n) }),
    body: t(
      'The template’s settings and routes replace those of the {n, plural, one {# number} other {# numbers}} using it.',
      { n },
    ),
  });

/** The form of a template; `save(true)` also changes the numbers that use it, in the background. */
function useTemplateForm({ template, close }: TemplateFormProps) {
  const form = useForm<TemplateValues>({
    initialValues: toTemplateValues(template),
    validate: { name: (name) => (name.trim() ? null : t('Enter a name.')) },
  });
  const invalidates = [templates.listNumberTemplates, templates.getNumberTemplate, ...numberLists];
  const create = useApiMutation(templates.createNumberTemplate, {
    onFieldErrors: bindFieldErrors(form),
    invalidates,
    success: t('Template added'),
    onSuccess: close,
  });
  const update = useApiMutation(templates.updateNumberTemplate, {
    onFieldErrors: bindFieldErrors(form),
    invalidates,
    success: t('Template updated'),
  });
  const save = (propagate: boolean) =>
    form.onSubmit(async (values) => {
      const draft = withoutEmptyRows(values);
      const errors = draftErrors(draft);
      form.setErrors(errors);
      if (Object.keys(errors).length > 0) return;
      form.setFieldValue('routes', draft.routes);
      const body = toTemplateRequest(values, draft);
      if (!template) {
        await create.mutate({ body });
        return;
      }
      if (propagate && !(await confirmPropagating(template.usage_count))) return;
      const response = await update.mutate({
        params: { id: template.id },
        body: { ...body, propagate },
      });
      if (!response) return;
      const { batch, name } = response.data;
      if (batch)
        trackBatch({
          id: batch.batchId,
          label: t('Applying {name}', { name }),
          total: batch.total,
        });
      close();
    });
  return { form, save, isCreating: create.isPending, isUpdating: update.isPending };
}

/** A template's settings and routes. */
export function TemplateForm({ template, close }: TemplateFormProps) {
  const mayEdit = usePermission('routing.edit');
  const { form, save, isCreating, isUpdating } = useTemplateForm({ template, close });
  const used = template?.usage_count ?? 0;
  const fields = { form, mayEdit };
  return (
    <Modal
      opened
      onClose={close}
      size="56rem"
      title={template ? template.name : t('Add template')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save(false)(event);
        }}
        noValidate
      >
        <Stack gap="md">
          <TemplateNameFields {...fields} />
          <TemplateRecordingFields {...fields} />
          <TemplateVoicemailFields {...fields} />
          <TemplateRouteFields {...fields} />
          <Checkbox
            label={t('Selected by default when buying numbers')}
            disabled={!mayEdit}
            {...form.getInputProps('is_default', { type: 'checkbox' })}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {mayEdit ? t('Cancel') : t('Close')}
            </Button>
            {mayEdit && template && used > 0 && (
              <Button variant="default" loading={isUpdating} onClick={() => save(true)()}>
                {t(
                  '{n, plural, one {Save and change # number} other {Save and change # numbers}}',
                  { n: used },
                )}
              </Button>
            )}
            {mayEdit && (
              <Button
                type="submit"
                loading={isCreating || isUpdating}
                disabled={template !== null && !form.isDirty()}
              >
                {template ? t('Save') : t('Add')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
