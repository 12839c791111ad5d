import { Button, Checkbox, FileInput, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { support } from '#contract';
import { normalizePhone } from '#contract/phone';
import { bindFieldErrors, formFields, t, useApiMutation, useCompanyId, useUnsavedGuard } from '#ui';

const { files: mostFiles, fileBytes, message: mostCharacters } = support.supportTicketLimits;

function useTicketForm() {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: {
      message: '',
      callback_requested: false,
      callback_number: '',
      attachments: [] as File[],
    },
    validate: {
      message: (v) => (v.trim() ? null : t('Describe what you need help with.')),
      callback_number: (v, all) =>
        all.callback_requested && normalizePhone(v) === null
          ? t('Enter the phone number to call.')
          : null,
      attachments: (files) => filesProblem(files),
    },
  });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(support.createSupportTicket, {
    success: ({ data }) =>
      t('We received your request. Its reference is {reference}.', {
        reference: data.reference,
      }),
    onFieldErrors: bindFieldErrors(form),
    invalidates: [support.listSupportTickets],
    onSuccess: () => form.reset(),
  });
  const send = form.onSubmit(({ callback_requested, callback_number, attachments, message }) => {
    const number = callback_requested ? callback_number.trim() : '';
    return void mutate({
      params: { companyId },
      body: formFields({
        message: message.trim(),
        callback_number: number || null,
        callback_requested,
        attachments,
      }),
    });
  });
  return { form, send, isPending };
}

function filesProblem(files: readonly File[]): string | null {
  if (files.length > mostFiles) return t('Attach at most {most} files.', { most: mostFiles });
  const large = files.find((file) => file.size > fileBytes);
  return large ? t('“{name}” is larger than 10 MB.', { name: large.name }) : null;
}

/** A request to support, with files and a call-back. */
export function TicketForm() {
  const { form, send, isPending } = useTicketForm();
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="sm">
        <Textarea
          label={t('What do you need help with?')}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={mostCharacters}
          {...form.getInputProps('message')}
        />
        <FileInput
          label={t('Files (optional)')}
          description={t('Up to 5 files of 10 MB each.')}
          placeholder={t('Choose files')}
          multiple
          clearable
          clearButtonProps={{ 'aria-label': t('Remove the files') }}
          {...form.getInputProps('attachments')}
        />
        <Checkbox
          label={t('Call me back')}
          {...form.getInputProps('callback_requested', { type: 'checkbox' })}
        />
        {form.values.callback_requested && (
          <TextInput
            label={t('Number to call')}
            type="tel"
            autoComplete="tel"
            {...form.getInputProps('callback_number')}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {t('Send request')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
