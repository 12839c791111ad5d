import { useState } from 'react';
import { ActionIcon, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconBackspace, IconPhone } from '@tabler/icons-react';
import { Page, PageSkeleton, t } from '#ui';
import { Keypad } from '#ui/phone/Keypad.tsx';
import { FirstNumber } from '../numbers/FirstNumber.tsx';
import { useFromNumber } from '../numbers/FromNumber.tsx';
import { useNumbers } from '../use-numbers.ts';
import { callFrom } from './phone.ts';
import css from './Calls.module.css';

/** The keypad: from which number, to whom. */
export default function Calls() {
  const { active } = useNumbers();
  const { from, field } = useFromNumber(active ?? []);
  const [to, setTo] = useState('');
  if (!active) return <PageSkeleton />;
  if (!from)
    return (
      <Page title={t('Calls')}>
        <FirstNumber />
      </Page>
    );
  return (
    <Page title={t('Calls')} description={t('Past calls are in Messages, beside the texts.')}>
      <form
        className={css.dialler}
        onSubmit={(e) => {
          e.preventDefault();
          if (to.trim()) void callFrom(from.id, to.trim());
        }}
      >
        <Stack gap="md">
          {field}
          <TextInput
            label={t('Number')}
            size="lg"
            type="tel"
            inputMode="tel"
            placeholder="(212) 555-0142"
            value={to}
            onChange={(e) => setTo(e.currentTarget.value)}
            rightSection={
              to && (
                <ActionIcon
                  size={36}
                  aria-label={t('Delete the last digit')}
                  onClick={() => setTo(to.slice(0, -1))}
                >
                  <IconBackspace size={20} />
                </ActionIcon>
              )
            }
          />
          <Keypad onKey={(key) => setTo(to + key)} />
          <Button
            type="submit"
            size="lg"
            color="green"
            disabled={!to.trim()}
            leftSection={<IconPhone size={20} />}
          >
            {t('Call')}
          </Button>
          <Text size="sm" c="dimmed" ta="center">
            {t('Caddy numbers can’t call 911 or other emergency services.')}
          </Text>
        </Stack>
      </form>
    </Page>
  );
}
