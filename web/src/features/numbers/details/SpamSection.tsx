import { Anchor, Button, List, Stack, Text } from '@mantine/core';
import { numbers, routing } from '#contract';
import { Section, StatusBadge, t, Time, useApiMutation, usePermission } from '#ui';
import type { EditableNumber } from './number-form.ts';

/** Whether phones show calls from a number as spam, and what helps if they do. */
export function SpamSection({ number: n }: { number: EditableNumber }) {
  const mayCheck = usePermission('numbers.configure') && n.status === 'active';
  const { mutate, isPending } = useApiMutation(numbers.checkSpamLabel, {
    invalidates: [routing.getNumber],
    success: t('Checked'),
  });
  return (
    <Section
      title={t('Spam label')}
      about={t('What phones show when this number calls. Checked once a day.')}
      action={
        mayCheck && (
          <Button
            variant="default"
            loading={isPending}
            onClick={() => void mutate({ params: { id: n.id }, body: {} })}
          >
            {t('Check now')}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Stack gap={4} align="flex-start">
          <SpamBadge number={n} />
          {n.spam_checked_at !== null && (
            <Text size="sm" c="dimmed">
              {t('Checked')} <Time at={n.spam_checked_at} as="ago" />
            </Text>
          )}
        </Stack>
        {n.spam_status === 'flagged' && <WhatHelps />}
      </Stack>
    </Section>
  );
}

function SpamBadge({ number: n }: { number: EditableNumber }) {
  if (n.spam_status === 'flagged')
    return (
      <StatusBadge tone="danger">
        {t('Shows as spam: {networks}', { networks: n.spam_labels.join(', ') })}
      </StatusBadge>
    );
  return n.spam_status === 'clean' ? (
    <StatusBadge tone="success">{t('No spam label')}</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">{t('Not known yet')}</StatusBadge>
  );
}

const registry = 'https://www.freecallerregistry.com';

const WhatHelps = () => (
  <List size="sm" type="ordered" spacing={4}>
    <List.Item>
      {t('Tell the networks who you are: register the number at')}{' '}
      <Anchor href={registry} target="_blank" rel="noreferrer">
        freecallerregistry.com
      </Anchor>
      .
    </List.Item>
    <List.Item>
      {t('Call people who expect it. Many short or unanswered calls in a row look like spam.')}
    </List.Item>
    <List.Item>
      {t('Wait a few days, then check again. If the label stays, replace the number.')}
    </List.Item>
  </List>
);
