import { Alert, Stack, Switch, TagsInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Section, t, usePermission } from '#ui';
import { useNumberForm, type EditableNumber } from './number-form.ts';
import { GreetingPicker } from './GreetingPicker.tsx';
import { SaveBar } from '../../../shared/SaveBar.tsx';

const valuesOf = (n: EditableNumber) => ({
  voicemail: {
    enabled: n.voicemail.enabled,
    greeting_id: n.voicemail.greeting_id,
    greeting: n.voicemail.greeting ?? '',
    transcribe: n.voicemail.transcribe,
    email: n.voicemail.email,
  },
});
type Values = ReturnType<typeof valuesOf>;

/** Voicemail of a number, used when a call isn't answered and its route has no voicemail. */
export function VoicemailForm({ number }: { number: EditableNumber }) {
  const mayEdit = usePermission('numbers.configure');
  const { form, save, saving } = useNumberForm<Values>(number, valuesOf, ({ voicemail }) => ({
    voicemail: { ...voicemail, greeting: voicemail.greeting.trim() || null },
  }));
  return (
    <form onSubmit={save} noValidate>
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t(
            'Your role can view these settings but not change them. Ask an owner or administrator.',
          )}
        </Alert>
      )}
      <Section
        title={t('Voicemail')}
        about={t('Routes can have their own voicemail. This one takes all other callers.')}
      >
        <Stack gap="sm">
          <Switch
            label={t('Callers can leave a message')}
            disabled={!mayEdit}
            {...form.getInputProps('voicemail.enabled', { type: 'checkbox' })}
          />
          {form.values.voicemail.enabled && <MessageFields form={form} mayEdit={mayEdit} />}
        </Stack>
      </Section>
      {mayEdit && <SaveBar dirty={form.isDirty()} saving={saving} onDiscard={() => form.reset()} />}
    </form>
  );
}

/** What callers hear, and where their messages go. */
function MessageFields({ form, mayEdit }: { form: UseFormReturnType<Values>; mayEdit: boolean }) {
  const { voicemail } = form.values;
  const emailError = Object.entries(form.errors).find(([field]) =>
    field.startsWith('voicemail.email'),
  )?.[1];
  return (
    <>
      <GreetingPicker
        label={t('Greeting')}
        type="voicemail"
        none={t('Custom text')}
        readOnly={!mayEdit}
        value={voicemail.greeting_id}
        onChange={(id) => form.setFieldValue('voicemail.greeting_id', id)}
        error={form.errors['voicemail.greeting_id']}
      />
      {voicemail.greeting_id === null && (
        <Textarea
          label={t('What callers hear')}
          description={t('Read aloud. Leave empty for the default greeting.')}
          placeholder={t('Hello, you have reached us. Please leave a message after the tone.')}
          autosize
          minRows={2}
          maxLength={1000}
          readOnly={!mayEdit}
          {...form.getInputProps('voicemail.greeting')}
        />
      )}
      <Switch
        label={t('Transcribe voicemails')}
        disabled={!mayEdit}
        {...form.getInputProps('voicemail.transcribe', { type: 'checkbox' })}
      />
      <TagsInput
        label={t('Send new messages to')}
        description={t('Up to 20 email addresses.')}
        placeholder={voicemail.email.length ? '' : 'desk@example.com'}
        maxTags={20}
        splitChars={[',', ' ', ';']}
        readOnly={!mayEdit}
        {...form.getInputProps('voicemail.email')}
        {...(emailError && { error: emailError })}
      />
    </>
  );
}
