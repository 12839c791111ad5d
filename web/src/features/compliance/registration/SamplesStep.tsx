import { Button, Group, Stack, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { limits, mentionsBrand, mentionsStop } from '#contract/compliance/registration/rules';
import { Section, StatusBadge, t } from '#ui';
import type { RegistrationForm } from './form.ts';

/** Samples step: sample messages, and the three auto-replies that every campaign has. */
export function SamplesStep({ form }: { form: RegistrationForm }) {
  const samples = form.values.campaign.sample_messages;
  return (
    <>
      <Section
        title={t('Sample messages')}
        about={t('Add two to five real examples. Each must say who you are and how to opt out.')}
      >
        <Stack gap="sm">
          {samples.map((sample, i) => (
            <SampleField
              key={i}
              form={form}
              index={i}
              sample={sample}
              mayRemove={samples.length > limits.samples.least}
            />
          ))}
          {samples.length < limits.samples.most && (
            <Group>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => form.insertListItem('campaign.sample_messages', '')}
              >
                {t('Add sample')}
              </Button>
            </Group>
          )}
        </Stack>
      </Section>
      <AutoReplies form={form} />
    </>
  );
}

interface SampleFieldProps {
  form: RegistrationForm;
  index: number;
  sample: string;
  mayRemove: boolean;
}

function SampleField({ form, index: i, sample, mayRemove }: SampleFieldProps) {
  return (
    <div>
      <Textarea
        label={t('Sample {n}', { n: i + 1 })}
        autosize
        minRows={2}
        maxLength={limits.sample.most}
        {...form.getInputProps(`campaign.sample_messages.${i}`)}
      />
      <Group gap="xs" mt={4} justify="space-between">
        <SampleBadges sample={sample} brand={form.values.brand} />
        {mayRemove && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={14} aria-hidden />}
            aria-label={t('Remove sample {n}', { n: i + 1 })}
            onClick={() => form.removeListItem('campaign.sample_messages', i)}
          >
            {t('Remove')}
          </Button>
        )}
      </Group>
    </div>
  );
}

function SampleBadges({
  sample,
  brand,
}: {
  sample: string;
  brand: RegistrationForm['values']['brand'];
}) {
  const isFilled = sample.trim() !== '';
  const hasName = mentionsBrand(sample, brand);
  const hasStop = mentionsStop(sample);
  return (
    <Group gap="xs">
      {isFilled && (
        <StatusBadge tone={hasName ? 'success' : 'warn'}>
          {hasName ? t('Includes your name') : t('Missing your name')}
        </StatusBadge>
      )}
      {isFilled && (
        <StatusBadge tone={hasStop ? 'success' : 'warn'}>
          {hasStop ? t('Includes STOP') : t('Missing STOP')}
        </StatusBadge>
      )}
    </Group>
  );
}

function AutoReplies({ form }: { form: RegistrationForm }) {
  return (
    <Section
      title={t('Auto-replies')}
      about={t(
        'What people receive when they join, stop or ask for help. 20 to 320 characters each.',
      )}
    >
      <Stack gap="sm">
        <Textarea
          label={t('When they join')}
          autosize
          minRows={2}
          maxLength={320}
          {...form.getInputProps('campaign.opt_in_message')}
        />
        <Textarea
          label={t('When they stop')}
          autosize
          minRows={2}
          maxLength={320}
          {...form.getInputProps('campaign.opt_out_message')}
        />
        <Textarea
          label={t('When they text HELP')}
          autosize
          minRows={2}
          maxLength={320}
          {...form.getInputProps('campaign.help_message')}
        />
      </Stack>
    </Section>
  );
}
