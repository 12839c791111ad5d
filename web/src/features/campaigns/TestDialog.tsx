import { Button, Group, TagsInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { campaigns } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation } from '#ui';

/** The text on one's own telephones, before anybody else gets it. */
export function TestDialog({ id, close }: { id: number; close: () => void }) {
  const form = useForm<{ to: string[] }>({
    initialValues: { to: [] },
    validate: {
      to: (v) =>
        v.length === 0 ? t('Say which phone.') : v.length > 5 ? t('At most five phones.') : null,
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
      title={t('Send a test')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={form.onSubmit(({ to }) => void mutate({ params: { id }, body: { to } }))}
        noValidate
      >
        <Text size="sm" c="dimmed" mb="sm">
          {t('As the first person of the group would read it. It counts as an ordinary text.')}
        </Text>
        <TagsInput
          label={t('Phones')}
          description={t('Up to five; press Enter after each')}
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
            {t('Send the test')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
