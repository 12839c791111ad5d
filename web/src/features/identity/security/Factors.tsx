import { useState } from 'react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { companies, mfa, type Answer } from '#contract';
import { confirm, Section, StatusBadge, t, Time, useApiMutation } from '#ui';
import { SetUpApp } from './SetUpApp.tsx';
import { SetUpSentCodes } from './SetUpSentCodes.tsx';

type Factor = Answer<typeof mfa.listMfa>['data'][number];
export type ShowCodes = (codes: readonly string[] | null) => void;

/** The person's factors, each with what can be done about it. */
export function Factors({
  factors,
  showCodes,
}: {
  factors: readonly Factor[];
  showCodes: ShowCodes;
}) {
  const [settingUp, setSettingUp] = useState<Factor['kind'] | null>(null);
  const done = (codes: readonly string[] | null): void => {
    setSettingUp(null);
    showCodes(codes);
  };
  return (
    <Section
      title={t('Two-step verification')}
      about={t('After your password, signing in asks for one of these.')}
    >
      <Stack gap="md">
        {factors.map((factor) => (
          <FactorRow
            key={factor.kind}
            factor={factor}
            hasAny={factors.some((f) => f.enabled)}
            setUp={() => setSettingUp(factor.kind)}
            showCodes={showCodes}
          />
        ))}
      </Stack>
      {settingUp === 'totp' && <SetUpApp close={() => setSettingUp(null)} done={done} />}
      {(settingUp === 'sms' || settingUp === 'email') && (
        <SetUpSentCodes kind={settingUp} close={() => setSettingUp(null)} done={done} />
      )}
    </Section>
  );
}

function FactorRow({
  factor,
  hasAny,
  setUp,
  showCodes,
}: {
  factor: Factor;
  hasAny: boolean;
  setUp: () => void;
  showCodes: ShowCodes;
}) {
  const { kind, enabled } = factor;
  const { title, about } = wordsOf(factor);
  const renew = useApiMutation(mfa.reactivateMfa, {
    invalidates: [mfa.listMfa],
    onSuccess: ({ data }) => (kind === 'totp' ? setUp() : showCodes(data.recovery_codes)),
  });
  const remove = useApiMutation(mfa.removeMfa, {
    success: t('Removed from signing in'),
    invalidates: [mfa.listMfa, companies.getUser],
  });
  const askToRemove = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Remove {method}?', { method: title }),
      body: t('Signing in no longer asks for it. Without any other, your password is enough.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (yes) await remove.mutate({ params: { kind }, body: {} });
  };
  if (kind === 'recovery' && !hasAny) return null;
  return (
    <Group justify="space-between" wrap="nowrap" role="group" aria-label={title}>
      <div>
        <Group gap="xs">
          <Text fw={500}>{title}</Text>
          {enabled && kind !== 'recovery' && <StatusBadge tone="success">{t('On')}</StatusBadge>}
        </Group>
        <Text fz="sm" c="dimmed">
          {about}
          {factor.last_used_at && (
            <>
              {' · '}
              {t('Last used')} <Time at={factor.last_used_at} as="ago" />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {!enabled && kind !== 'recovery' && (
          <Button variant="default" onClick={setUp}>
            {t('Set up')}
          </Button>
        )}
        {(kind === 'recovery' || (enabled && kind === 'totp')) && (
          <Button
            variant="default"
            loading={renew.isPending}
            onClick={() => void renew.mutate({ params: { kind } })}
          >
            {kind === 'recovery' ? t('Make new codes') : t('Set up again')}
          </Button>
        )}
        {enabled && kind !== 'recovery' && (
          <Button
            variant="subtle"
            color="red"
            loading={remove.isPending}
            onClick={() => void askToRemove()}
          >
            {t('Remove')}
          </Button>
        )}
      </Group>
    </Group>
  );
}

function wordsOf({ kind, masked, remaining }: Factor): { title: string; about: string } {
  if (kind === 'totp')
    return {
      title: t('Authenticator app'),
      about: t('Six digits from an app on your phone. Works without a network.'),
    };
  if (kind === 'sms')
    return {
      title: t('Text message'),
      about: masked ? t('Codes go to {to}.', { to: masked }) : t('A code by text to your phone.'),
    };
  if (kind === 'email')
    return { title: t('Email'), about: t('Codes go to {to}.', { to: masked ?? '' }) };
  return {
    title: t('Recovery codes'),
    about: t('{n, plural, one {# code is left} other {# codes are left}}', { n: remaining ?? 0 }),
  };
}
