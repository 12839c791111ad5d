import { Button, Group, TagsInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { campaigns } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation } from '#ui';

/** Sends a test of the text to the user's own phones. */
export function TestDialog({ id, close }: { id: number; close: () => void }) {
  const form = useForm<{ to: string[] }>({
    initialValues: { to: [] },
    validate: {
      to: (v) =>
        v.length === 0
          ? t('Enter a phone number.')
          : v.length > 5
            ? t('Enter up to five phones.')
            : null,
    },
  });
  const { mutate, isPending } = useApiMutation(campaigns.testCampaign, {
    onFieldErrors: bindFieldErrors(form),
    success: (response) =>
      t('{n, plural, one {Sent to # phone} other {Sent to # phones}}', {
        n: response.data.sent.length,
      }),
    onSuccess: close,
  });
  return (
    <Modal
      opened
      onClose={close}
      title={t('Send test')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={form.onSubmit(({ to }) => void mutate({ params: { id }, body: { to } }))}
        noValidate
      >
        <Text size="sm" c="dimmed" mb="sm">
          {t(
            'Sent as the first person in the group would see it. It’s charged like any other text.',
          )}
        </Text>
        <TagsInput
          label={t('Phones')}
          description={t('Up to five. Press Enter after each one.')}
          placeholder={form.values.to.length ? '' : '(212) 555-0147'}
          maxTags={5}
          acceptValueOnBlur
          data-autofocus
          {...form.getInputProps('to')}
        />
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={close}>
            {t('Not now')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('Send test')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
