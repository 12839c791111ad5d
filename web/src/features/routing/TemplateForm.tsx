import {
  Button,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { templates, type Body } from '#contract';
import {
  bindFieldErrors,
  confirm,
  formatNumber,
  Modal,
  Section,
  t,
  trackBatch,
  usePermission,
  useApiMutation,
} from '#ui';
import {
  toDraft,
  nextRoute,
  toRequest,
  draftErrors,
  withoutEmptyRows,
  type Draft,
} from './draft.ts';
import { RouteCard, type DraftForm } from './RouteCard.tsx';
import css from './RouteEditor.module.css';
import { numberLists } from '../numbers/index.ts';

type Template = templates.NumberTemplate;
const valuesOf = (one: Template | null) => ({
  name: one?.name ?? '',
  description: one?.description ?? '',
  record: one?.record ?? false,
  call_transcription_enabled: one?.call_transcription_enabled ?? false,
  ai_eav_enabled: one?.ai_eav_enabled ?? false,
  sms_enabled: one?.sms_enabled ?? true,
  is_default: one?.is_default ?? false,
  recording_announcement: (one?.recording_announcement ??
    'default') as Template['recording_announcement'],
  recording_announcement_text: one?.recording_announcement_text ?? '',
  voicemail_enabled: one?.voicemail.enabled ?? true,
  voicemail_greeting: one?.voicemail.greeting ?? '',
  voicemail_transcribe: one?.voicemail.transcribe ?? true,
  voicemail_email: one?.voicemail.email ?? [],
  tags: one?.tags.map((tag) => tag.name) ?? [],
  ...toDraft({
    routes: Object.values(one?.routes ?? {}).sort((a, b) => a.extension - b.extension),
    menu: { greeting: null, greeting_id: null, fallback: null },
  }),
});
type Values = ReturnType<typeof valuesOf>;

/** A template's settings and routes. */
export function TemplateForm({
  template,
  close,
}: {
  template: Template | null;
  close: () => void;
}) {
  const mayEdit = usePermission('routing.edit');
  const form = useForm<Values>({
    initialValues: valuesOf(template),
    validate: { name: (v) => (v.trim() ? null : t('Enter a name.')) },
  });
  const invalidates = [templates.listNumberTemplates, templates.getNumberTemplate, ...numberLists];
  const made = useApiMutation(templates.createNumberTemplate, {
    onFieldErrors: bindFieldErrors(form),
    invalidates,
    success: t('Template added'),
    onSuccess: close,
  });
  const changed = useApiMutation(templates.updateNumberTemplate, {
    onFieldErrors: bindFieldErrors(form),
    invalidates,
    success: t('Template updated'),
  });
  const v = form.values;
  const used = template?.usage_count ?? 0;

  const body = (values: Values): Body<typeof templates.createNumberTemplate> => {
    const draft: Draft = withoutEmptyRows({ routes: values.routes, menu: values.menu });
    form.setFieldValue('routes', draft.routes);
    // The given rule: with AI fields on, recording and transcription are left out; the server turns both on.
    return templates.templateInput({
      name: values.name.trim(),
      description: values.description.trim(),
      record: values.record,
      call_transcription_enabled: values.call_transcription_enabled,
      ai_eav_enabled: values.ai_eav_enabled,
      sms_enabled: values.sms_enabled,
      is_default: values.is_default,
      tags: values.tags,
      recording_announcement: values.recording_announcement,
      recording_announcement_text: values.recording_announcement_text || null,
      routes: toRequest(draft).routes,
      voicemail: {
        enabled: values.voicemail_enabled,
        greeting: values.voicemail_greeting || null,
        transcribe: values.voicemail_transcribe,
        email: values.voicemail_email,
      },
    }) as Body<typeof templates.createNumberTemplate>;
  };
  const wrongRoutes = (): boolean => {
    const wrong = draftErrors(withoutEmptyRows({ routes: v.routes, menu: v.menu }));
    form.setErrors(wrong);
    return Object.keys(wrong).length > 0;
  };
  const save = (propagate: boolean) =>
    form.onSubmit(async (values) => {
      if (wrongRoutes()) return;
      if (!template) {
        await made.mutate({ params: undefined as never, body: body(values) });
        return;
      }
      if (
        propagate &&
        !(await confirm({
          title: t('{n, plural, one {Change # number?} other {Change # numbers?}}', { n: used }),
          confirmLabel: t('Save and change {n}', { n: formatNumber(used) }),
          body: t(
            'The template’s settings and routes replace those of the {n, plural, one {# number} other {# numbers}} using it.',
            { n: used },
          ),
        }))
      )
        return;
      const response = await changed.mutate({
        params: { id: template.id },
        body: { ...body(values), propagate },
      });
      if (!response) return;
      if (response.data.batch)
        trackBatch({
          id: response.data.batch.batchId,
          label: t('Applying {name}', { name: response.data.name }),
          total: response.data.batch.total,
        });
      close();
    });
  const turn = (field: keyof Values) => ({
    disabled: !mayEdit,
    ...form.getInputProps(field, { type: 'checkbox' }),
  });
  const text = { readOnly: !mayEdit };
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
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t('Name')}
              placeholder={t('Branch office')}
              maxLength={120}
              data-autofocus
              {...text}
              {...form.getInputProps('name')}
            />
            <TextInput
              label={t('What it is for')}
              maxLength={500}
              {...text}
              {...form.getInputProps('description')}
            />
            <TagsInput
              label={t('Tags')}
              description={t('Added to a number’s existing tags.')}
              placeholder={mayEdit && v.tags.length === 0 ? t('Type and press Enter') : ''}
              maxTags={50}
              {...text}
              {...form.getInputProps('tags')}
            />
          </SimpleGrid>
          <Section title={t('Recording and texts')}>
            <Stack gap="sm">
              <Switch
                label={t('Let AI fill in fields')}
                description={t('Needs recording and transcription, so both are turned on.')}
                {...turn('ai_eav_enabled')}
              />
              <Switch
                label={t('Record calls')}
                {...turn('record')}
                disabled={!mayEdit || v.ai_eav_enabled}
                checked={v.record || v.ai_eav_enabled}
              />
              <Switch
                label={t('Transcribe calls')}
                {...turn('call_transcription_enabled')}
                disabled={!mayEdit || v.ai_eav_enabled}
                checked={v.call_transcription_enabled || v.ai_eav_enabled}
              />
              {(v.record || v.ai_eav_enabled) && (
                <Select
                  label={t('What callers hear first')}
                  allowDeselect={false}
                  maw={360}
                  data={[
                    { value: 'default', label: t('“This call is recorded”') },
                    { value: 'custom', label: t('Custom text') },
                    { value: 'none', label: t('None') },
                  ]}
                  {...text}
                  {...form.getInputProps('recording_announcement')}
                />
              )}
              {(v.record || v.ai_eav_enabled) && v.recording_announcement === 'custom' && (
                <Textarea
                  label={t('Your text')}
                  autosize
                  minRows={2}
                  maxLength={1000}
                  {...text}
                  {...form.getInputProps('recording_announcement_text')}
                />
              )}
              <Switch label={t('Texts')} {...turn('sms_enabled')} />
            </Stack>
          </Section>
          <Section title={t('Voicemail')}>
            <Stack gap="sm">
              <Switch label={t('Voicemail')} {...turn('voicemail_enabled')} />
              {v.voicemail_enabled && (
                <>
                  <Textarea
                    label={t('Greeting')}
                    placeholder={t('Default text')}
                    autosize
                    minRows={2}
                    maxLength={1000}
                    {...text}
                    {...form.getInputProps('voicemail_greeting')}
                  />
                  <Switch label={t('Transcribe voicemails')} {...turn('voicemail_transcribe')} />
                  <TagsInput
                    label={t('Send to')}
                    placeholder={v.voicemail_email.length ? '' : 'desk@example.com'}
                    maxTags={20}
                    {...text}
                    {...form.getInputProps('voicemail_email')}
                  />
                </>
              )}
            </Stack>
          </Section>
          <Section
            title={t('Routes')}
            about={t('Who rings. A template without routes leaves a number’s routes unchanged.')}
          >
            {v.routes.length > 0 && (
              <ol className={css.routes} aria-label={t('Routes')}>
                {v.routes.map((route, i) => (
                  <RouteCard
                    key={route.key}
                    form={form as unknown as DraftForm}
                    index={i}
                    several={v.routes.length > 1}
                    mayEdit={mayEdit}
                    numberId={0}
                  />
                ))}
              </ol>
            )}
            {mayEdit && (
              <Button
                variant="default"
                mt="sm"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => form.setFieldValue('routes', [...v.routes, nextRoute(v.routes)])}
              >
                {v.routes.length ? t('Add extension') : t('Add a route')}
              </Button>
            )}
            {mayEdit && v.routes.length === 1 && (
              <Button
                variant="subtle"
                color="gray"
                mt="sm"
                ml="xs"
                onClick={() => form.setFieldValue('routes', [])}
              >
                {t('No routes')}
              </Button>
            )}
          </Section>
          <Checkbox label={t('Selected by default when buying numbers')} {...turn('is_default')} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {mayEdit ? t('Cancel') : t('Close')}
            </Button>
            {mayEdit && template && used > 0 && (
              <Button variant="default" loading={changed.isPending} onClick={() => save(true)()}>
                {t(
                  '{n, plural, one {Save and change # number} other {Save and change # numbers}}',
                  { n: used },
                )}
              </Button>
            )}
            {mayEdit && (
              <Button
                type="submit"
                loading={made.isPending || changed.isPending}
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
