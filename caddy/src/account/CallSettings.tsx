import { Button, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { caddy } from '#contract';
import { bindFieldErrors, t, useApiMutation, useUnsavedGuard } from '#ui';
import { AccountPage } from './AccountPage.tsx';
import { ChangeAddress } from './ChangeAddress.tsx';
import type { Profile } from './use-profile.ts';

/** Where calls ring, when they don't, and what voicemail says. */
export default function CallSettings() {
  return (
    <AccountPage title={t('Calls and voicemail')}>
      {(profile) => (
        <Stack gap="lg">
          <div>
            <ChangeAddress
              field="forwardTo"
              current={profile.forwardTo}
              canRemove={profile.forwardTo !== null}
            />
            <Text size="sm" c="dimmed" mt={4}>
              {t('Your own phone rings together with the app. Press 1 there to answer.')}
            </Text>
          </div>
          <CallForm profile={profile} />
        </Stack>
      )}
    </AccountPage>
  );
}

function useCallForm(profile: Profile) {
  const quiet = profile.doNotDisturb;
  const form = useForm({
    initialValues: {
      isQuiet: quiet !== null,
      from: quiet?.from ?? '22:00',
      to: quiet?.to ?? '07:00',
      voicemailGreeting: profile.voicemailGreeting ?? '',
    },
  });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(caddy.updateCaddyProfile, {
    invalidates: [caddy.getCaddyProfile],
    onFieldErrors: bindFieldErrors(form),
    success: t('Saved'),
    onSuccess: () => form.resetDirty(),
  });
  return { form, mutate, isPending };
}

function CallForm({ profile }: { profile: Profile }) {
  const { form, mutate, isPending } = useCallForm(profile);
  const { isQuiet, from, to } = form.values;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        ({ voicemailGreeting }) =>
          void mutate({
            body: {
              voicemailGreeting: voicemailGreeting.trim() || null,
              doNotDisturb: isQuiet ? { from, to } : null,
            },
          }),
      )}
    >
      <Stack gap="md">
        <Switch
          label={t('Do not disturb')}
          description={t('Between these times, calls go to voicemail and nothing is shown.')}
          {...form.getInputProps('isQuiet', { type: 'checkbox' })}
        />
        {isQuiet && <QuietTimes form={form} />}
        <Textarea
          label={t('Voicemail greeting')}
          description={t('Read aloud to callers. Leave it empty for ours.')}
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('voicemailGreeting')}
        />
        <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
          {t('Save')}
        </Button>
      </Stack>
    </form>
  );
}

interface QuietTimesProps {
  form: { getInputProps: (field: 'from' | 'to') => object; values: { from: string; to: string } };
}

const QuietTimes = ({ form }: QuietTimesProps) => (
  <>
    <Group grow>
      <TextInput type="time" label={t('From')} {...form.getInputProps('from')} />
      <TextInput type="time" label={t('Until')} {...form.getInputProps('to')} />
    </Group>
    {form.values.from === form.values.to && <Text size="sm">{t('All day, every day.')}</Text>}
  </>
);
