import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  cancelSmsCampaign,
  getSmsCampaign,
  listSmsCampaigns,
} from '#contract/compliance/registration/endpoints';
import {
  cancelRefreshSeconds,
  registrationKinds,
  type RegistrationKind,
} from '#contract/compliance/registration/lists';
import {
  optimisticUpdate,
  confirm,
  toast,
  Section,
  StatusBadge,
  t,
  invalidate,
  useCompanyId,
  usePermission,
  useApiMutation,
  type Undo,
} from '#ui';
import { canCancel, kindName, statusName, statusTone, type RegistrationView } from './labels.ts';
import css from './Registration.module.css';

/** Status and sending rate of each kind of number, with the button that ends the registration. */
export function RegistrationStatusSection({ shown: registration }: { shown: RegistrationView }) {
  const mayEdit = usePermission('smsVerification.edit');
  const companyId = useCompanyId();
  const cache = useQueryClient();
  const { mutate, isPending } = useApiMutation(cancelSmsCampaign, {
    success: t('Cancel request received (can take a few minutes)'),
    // The status is shown as expired right away; the carrier's status is refetched after
    // `cancelRefreshSeconds`.
    optimistic: (store, input) => {
      const { type } = input.body as { type: RegistrationKind };
      const undos: Undo[] = [
        optimisticUpdate(store, getSmsCampaign, (response) =>
          response.data.id === registration.id
            ? {
                ...response,
                data: { ...response.data, status: { ...response.data.status, [type]: 'expired' } },
              }
            : undefined,
        ),
        optimisticUpdate(store, listSmsCampaigns, (response) => ({
          ...response,
          data: response.data.map((v) =>
            v.id === registration.id ? { ...v, status: { ...v.status, [type]: 'expired' } } : v,
          ),
        })),
      ];
      return () => {
        for (const undo of undos) undo();
      };
    },
    onSuccess: () =>
      void setTimeout(
        () => invalidate(cache, getSmsCampaign.name, listSmsCampaigns.name),
        cancelRefreshSeconds * 1000,
      ),
  });
  const end = async (kind: RegistrationKind): Promise<void> => {
    const sure = await confirm({
      title: t('End this registration?'),
      body: t('{kind} will no longer be verified. A new registration starts a new review.', {
        kind: kindName(kind),
      }),
      confirmLabel: t('End registration'),
      cancelLabel: t('Keep it'),
      danger: true,
    });
    if (sure)
      await mutate({
        params: { companyId: ':companyId', id: registration.id },
        body: { type: kind },
      });
  };
  const waiting = registrationKinds.some(
    (k) => registration.status[k] === 'in_review' || registration.status[k] === 'submitted',
  );
  return (
    <Section
      title={t('Status')}
      action={
        waiting && mayEdit && companyId !== null ? (
          <SandboxDecision companyId={companyId} campaignId={registration.id} />
        ) : undefined
      }
    >
      {registrationKinds.map((kind) => {
        const status = registration.status[kind];
        if (status === null) return null;
        const rate = registration.rates[kind];
        return (
          <div key={kind} className={css.standing}>
            <span>{kindName(kind)}</span>
            <StatusBadge tone={statusTone(status)}>{statusName(status)}</StatusBadge>
            {rate !== null && (
              <span className={css.quiet}>
                {kind === 'local'
                  ? t('{n, plural, one {# text segment} other {# text segments}} per second', {
                      n: rate,
                    })
                  : t(
                      '{n, plural, one {# text segment} other {# text segments}} per second per number',
                      { n: rate },
                    )}
              </span>
            )}
            {mayEdit && canCancel(status) && (
              <Button
                size="compact-xs"
                variant="default"
                disabled={isPending}
                aria-label={t('Cancel {kind}', { kind: kindName(kind) })}
                onClick={() => void end(kind)}
              >
                {t('Cancel')}
              </Button>
            )}
          </div>
        );
      })}
    </Section>
  );
}

/**
 * How often the sandbox is polled for the submitted registration, and the pause in between (ms). A
 * background job submits it.
 */
const [pollCount, pollMs] = [20, 500];
/**
 * Asks the sandbox's reviewer to decide right away instead of after a minute, once the registration
 * was submitted. Hidden when no sandbox responds.
 */
function SandboxDecision({ companyId, campaignId }: { companyId: number; campaignId: number }) {
  const [state, setState] = useState<'ready' | 'asking' | 'absent'>('ready');
  // False after unmount, which ends the polling.
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  if (state === 'absent') return null;
  const decide = async (): Promise<void> => {
    setState('asking');
    for (let look = 0; look < pollCount; look++) {
      const response = await fetch('/sandbox/registrations').catch(() => null);
      if (!response?.ok) return setState('absent');
      const { data } = (await response.json()) as {
        data: { ref: string; key: string; state: string }[];
      };
      const mine = data.filter(
        (r) => r.state === 'in_review' && r.key.startsWith(`r.${companyId}.${campaignId}.`),
      );
      for (const r of mine)
        await fetch(`/sandbox/registrations/${r.ref}/review`, { method: 'POST' }).catch(() => null);
      if (mine.length) return setState('ready');
      await new Promise((resolve) => {
        setTimeout(resolve, pollMs);
      });
      if (!here.current) return;
    }
    toast.warn(
      t(
        'You haven’t submitted anything yet. The simulated reviewer decides a minute after you submit.',
      ),
    );
    setState('ready');
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={state === 'asking'}
      title={t('The simulated reviewer decides after a minute.')}
      onClick={() => void decide()}
    >
      {t('Sandbox: decide now')}
    </Button>
  );
}
