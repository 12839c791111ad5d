import { Alert, Button, Select, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { adminMode } from '#contract';
import { bindFieldErrors, t, useApiMutation, useUser } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { safeNextPath } from '../../../shared/next-path.ts';

/** Platform staff enter admin mode: why, and for how long. */
export default function AdminMode() {
  const user = useUser();
  const form = useForm({ initialValues: { reason: '', minutes: '60' } });
  const { mutate, isPending, error } = useApiMutation(adminMode.enterAdminMode, {
    onFieldErrors: bindFieldErrors(form),
    silent: true,
    // Everything that was read before was read as somebody else.
    onSuccess: () => window.location.assign(safeNextPath(window.location.search)),
  });
  const durations = [
    { value: '30', label: t('30 minutes') },
    { value: '60', label: t('1 hour') },
    { value: '240', label: t('4 hours') },
    { value: '480', label: t('8 hours') },
  ];
  return (
    <AuthFrame
      title={t('Enter admin mode')}
      about={t(
        'You can read in every company. Owners of the companies you open see your name and reason.',
      )}
      below={
        <Text size="sm" c="dimmed">
          {user?.email}
        </Text>
      }
    >
      <form
        onSubmit={form.onSubmit(
          ({ reason, minutes }) => void mutate({ body: { reason, minutes: Number(minutes) } }),
        )}
      >
        <Stack gap="sm">
          {error && !error.fields['reason'] && (
            <Alert color="red" role="alert">
              {error.text}
            </Alert>
          )}
          <Textarea
            label={t('Reason')}
            placeholder={t('Ticket 4711: calls don’t ring')}
            autosize
            minRows={2}
            data-autofocus
            {...form.getInputProps('reason')}
          />
          <Select
            label={t('Ends after')}
            allowDeselect={false}
            data={durations}
            {...form.getInputProps('minutes')}
          />
          <Button type="submit" loading={isPending} disabled={!form.values.reason.trim()}>
            {t('Enter admin mode')}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
