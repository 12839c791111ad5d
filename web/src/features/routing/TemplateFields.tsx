import {
  Button,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { Section, t } from '#ui';
import { nextRoute } from './draft.ts';
import type { DraftForm } from './draft.ts';
import { RouteCard } from './RouteCard.tsx';
import css from './RouteEditor.module.css';
import type { TemplateValues } from './template-values.ts';

interface FieldsProps {
  form: UseFormReturnType<TemplateValues>;
  mayEdit: boolean;
}

/** Props of a switch in the form. */
const toggleOf =
  ({ form, mayEdit }: FieldsProps) =>
  (field: keyof TemplateValues) => ({
    disabled: !mayEdit,
    ...form.getInputProps(field, { type: 'checkbox' }),
  });

export function TemplateNameFields({ form, mayEdit }: FieldsProps) {
  const { values } = form;
  const text = { readOnly: !mayEdit };
  return (
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
        placeholder={mayEdit && values.tags.length === 0 ? t('Type and press Enter') : ''}
        maxTags={50}
        {...text}
        {...form.getInputProps('tags')}
      />
    </SimpleGrid>
  );
}

export function TemplateRecordingFields(props: FieldsProps) {
  const { form, mayEdit } = props;
  const { values } = form;
  const text = { readOnly: !mayEdit };
  const toggle = toggleOf(props);
  const isRecorded = values.record || values.ai_eav_enabled;
  return (
    <Section title={t('Recording and texts')}>
      <Stack gap="sm">
        <Switch
          label={t('Let AI fill in fields')}
          description={t('Needs recording and transcription, so both are turned on.')}
          {...toggle('ai_eav_enabled')}
        />
        <Switch
          label={t('Record calls')}
          {...toggle('record')}
          disabled={!mayEdit || values.ai_eav_enabled}
          checked={isRecorded}
        />
        <Switch
          label={t('Transcribe calls')}
          {...toggle('call_transcription_enabled')}
          disabled={!mayEdit || values.ai_eav_enabled}
          checked={values.call_transcription_enabled || values.ai_eav_enabled}
        />
        {isRecorded && (
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
        {isRecorded && values.recording_announcement === 'custom' && (
          <Textarea
            label={t('Your text')}
            autosize
            minRows={2}
            maxLength={1000}
            {...text}
            {...form.getInputProps('recording_announcement_text')}
          />
        )}
        <Switch label={t('Texts')} {...toggle('sms_enabled')} />
      </Stack>
    </Section>
  );
}

export function TemplateVoicemailFields(props: FieldsProps) {
  const { form, mayEdit } = props;
  const { values } = form;
  const text = { readOnly: !mayEdit };
  const toggle = toggleOf(props);
  return (
    <Section title={t('Voicemail')}>
      <Stack gap="sm">
        <Switch label={t('Voicemail')} {...toggle('voicemail_enabled')} />
        {values.voicemail_enabled && (
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
            <Switch label={t('Transcribe voicemails')} {...toggle('voicemail_transcribe')} />
            <TagsInput
              label={t('Send to')}
              placeholder={values.voicemail_email.length ? '' : 'desk@example.com'}
              maxTags={20}
              {...text}
              {...form.getInputProps('voicemail_email')}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}

export function TemplateRouteFields({ form, mayEdit }: FieldsProps) {
  const { routes } = form.values;
  return (
    <Section
      title={t('Routes')}
      about={t('Who rings. A template without routes leaves a number’s routes unchanged.')}
    >
      {routes.length > 0 && (
        <ol className={css.routes} aria-label={t('Routes')}>
          {routes.map((route, i) => (
            <RouteCard
              key={route.key}
              // The editor of routes needs only the paths that a template has in common with a number.
              form={form as unknown as DraftForm}
              index={i}
              several={routes.length > 1}
              mayEdit={mayEdit}
            />
          ))}
        </ol>
      )}
      {mayEdit && (
        <Button
          variant="default"
          mt="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => form.setFieldValue('routes', [...routes, nextRoute(routes)])}
        >
          {routes.length ? t('Add extension') : t('Add a route')}
        </Button>
      )}
      {mayEdit && routes.length === 1 && (
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
  );
}
