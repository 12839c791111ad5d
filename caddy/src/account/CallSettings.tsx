import { Button, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { caddy } from '#contract';
import { bindFieldErrors, formatPhoneNumber, t, useApiMutation, useUnsavedGuard } from '#ui';
import { AccountPage } from './AccountPage.tsx';
import type { Profile } from './use-profile.ts';

/** Where calls ring, when they don't, and what voicemail says. */
export default function CallSettings() {
  return (
    <AccountPage title={t('Calls and voicemail')}>
      {(profile) => <CallForm profile={profile} />}
    </AccountPage>
  );
}

function useCallForm(profile: Profile) {
  const quiet = profile.doNotDisturb;
  const form = useForm({
    initialValues: {
      forwardTo: profile.forwardTo ? formatPhoneNumber(profile.forwardTo) : '',
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
        ({ forwardTo, voicemailGreeting }) =>
          void mutate({
            body: {
              forwardTo: forwardTo.trim() || null,
              voicemailGreeting: voicemailGreeting.trim() || null,
              doNotDisturb: isQuiet ? { from, to } : null,
            },
          }),
      )}
    >
      <Stack gap="md">
        <TextInput
          label={t('Also ring this phone')}
          description={t('Your own phone rings together with the app. Press 1 there to answer.')}
          type="tel"
          inputMode="tel"
          {...form.getInputProps('forwardTo')}
        />
        <Switch
          label={t('Do not disturb')}
          description={t('Calls go to voicemail at once between these times.')}
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
