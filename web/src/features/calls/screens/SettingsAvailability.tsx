import { useState } from 'react';
import { Button, Group, Menu, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconMoon } from '@tabler/icons-react';
import { schedules } from '#contract';
import { ErrorState, Section, StatusBadge, t, useApiQuery, useCompanyId, useUser } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { ScheduleEditor } from '../../routing/index.ts';
import { doNotDisturbChoices, useAvailability, useDoNotDisturb } from '../phone/do-not-disturb.ts';
import { pauseText, untilText } from '../phone/pause-text.ts';

/** One's own working hours, and do not disturb. */
export default function SettingsAvailability() {
  const companyId = useCompanyId() ?? 0;
  const userId = useUser()?.id ?? 0;
  const [, setDirty] = useState(false);
  const { response, error, refetch } = useApiQuery(
    schedules.getSchedule,
    { params: { companyId }, query: { user_id: userId } },
    { enabled: companyId !== 0 && userId !== 0, silent: true },
  );
  // An administrator of the organization isn't a member: no schedule of the company is theirs.
  const isNoMember = error?.status === 404;
  const pause = useAvailability()?.pause;
  return (
    <SettingsFrame
      title={t('Working hours')}
      layout="read"
      description={t('When calls ring you. Your teammates see when you’re back.')}
      aside={
        pause ? (
          <StatusBadge tone="info" icon={<IconMoon size={13} aria-hidden />}>
            {pauseText(pause)}
          </StatusBadge>
        ) : undefined
      }
    >
      <Stack gap="md">
        <DoNotDisturb />
        {error && !response && !isNoMember && <ErrorState error={error} retry={refetch} />}
        {!response && !error && [0, 1, 2].map((i) => <Skeleton key={i} height={72} />)}
        {response && <ScheduleEditor key={companyId} saved={response.data} onDirty={setDirty} />}
      </Stack>
    </SettingsFrame>
  );
}

/** Turns do not disturb on for a while, or off. */
function DoNotDisturb() {
  const availability = useAvailability();
  const { turnOn, turnOff, isPending } = useDoNotDisturb();
  const until = availability?.do_not_disturb_until;
  return (
    <Section
      title={t('Do not disturb')}
      about={t(
        'Calls don’t ring you, and nothing is pushed to your devices. Emails wait until it ends.',
      )}
    >
      {availability?.do_not_disturb ? (
        <Group gap="sm">
          <Text fz="sm">
            {until
              ? t('On until {time}', { time: untilText(until) })
              : t('On until you turn it off')}
          </Text>
          <Button variant="default" loading={isPending} onClick={() => void turnOff()}>
            {t('Turn off')}
          </Button>
        </Group>
      ) : (
        <Menu position="bottom-start" width={220}>
          <Menu.Target>
            <Button
              variant="default"
              loading={isPending}
              disabled={!availability}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              {t('Turn on')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {doNotDisturbChoices().map(({ key, label, until: end }) => (
              <Menu.Item key={key} onClick={() => void turnOn(end())}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Section>
  );
}
