import { Stack, Switch, Text, Textarea } from '@mantine/core';
import { Section, t } from '#ui';
import type { SettingsForm } from './GeneralFields.tsx';

/** Texts that are sent from numbers without one. */
export function AutomaticTextsSection({ form }: { form: SettingsForm }) {
  return (
    <Section
      title={t('Automatic texts')}
      about={t('Sent from numbers that have no text set under Auto-replies.')}
    >
      <Stack gap="sm">
        <AutomaticText
          form={form}
          of="missed_call_text_back"
          label={t('Text back missed callers')}
          description={t(
            'At most once an hour. Never to landlines, blocked callers or people who opted out.',
          )}
          suggested={t('Sorry we missed your call. How can we help?')}
        />
        <AutomaticText
          form={form}
          of="auto_reply_after_hours"
          label={t('Reply to texts after hours')}
          description={t('To the first text in a conversation, once each time you’re closed.')}
          suggested={t(
            'Thanks for your message. We’re closed right now and will reply when we’re back.',
          )}
        />
      </Stack>
    </Section>
  );
}

function AutomaticText({
  form,
  of: name,
  label,
  description,
  suggested,
}: {
  form: SettingsForm;
  of: 'missed_call_text_back' | 'auto_reply_after_hours';
  label: string;
  description: string;
  suggested: string;
}) {
  const { enabled, text } = form.values.settings[name];
  const turn = (isOn: boolean): void =>
    form.setFieldValue(`settings.${name}`, { enabled: isOn, text: text || suggested });
  return (
    <div>
      <Switch
        label={label}
        description={description}
        checked={enabled}
        onChange={(e) => turn(e.currentTarget.checked)}
      />
      {enabled && (
        <>
          <Textarea
            aria-label={t('Text: {what}', { what: label })}
            mt="xs"
            autosize
            minRows={2}
            maxLength={480}
            {...form.getInputProps(`settings.${name}.text`)}
          />
          <Text c="dimmed" fz="xs" ta="right">
            {t('{n} of 480 characters', { n: text.length })}
          </Text>
        </>
      )}
    </div>
  );
}
