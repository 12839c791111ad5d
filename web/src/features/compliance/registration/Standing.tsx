import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { cancelSmsCampaign, getSmsCampaign, listSmsCampaigns } from '#contract/registration';
import {
  cancelRefreshSeconds,
  registrationKinds,
  type RegistrationKind,
} from '#contract/registration-lists';
import {
  changeAnswers,
  confirm,
  flash,
  Section,
  StatusBadge,
  t,
  touch,
  useCompanyId,
  useMay,
  useTell,
  type Undo,
} from '#ui';
import { canCancel, kindName, statusName, statusTone, type Shown } from './words.ts';
import css from './Registration.module.css';

/** Where each kind of number stands, how fast it may text, and the way to end it. */
export function Standing({ shown }: { shown: Shown }) {
  const mayEdit = useMay('smsVerification.edit');
  const companyId = useCompanyId();
  const cache = useQueryClient();
  const { tell, telling } = useTell(cancelSmsCampaign, {
    success: t('Cancel request received (can take a few minutes)'),
    // Given: the chosen status becomes expired here at once; what the carrier says is fetched later.
    optimistic: (store, input) => {
      const { type } = input.body as { type: RegistrationKind };
      const undos: Undo[] = [
        changeAnswers(store, getSmsCampaign, (answer) =>
          answer.data.id === shown.id
            ? {
                ...answer,
                data: { ...answer.data, status: { ...answer.data.status, [type]: 'expired' } },
              }
            : undefined,
        ),
        changeAnswers(store, listSmsCampaigns, (answer) => ({
          ...answer,
          data: answer.data.map((v) =>
            v.id === shown.id ? { ...v, status: { ...v.status, [type]: 'expired' } } : v,
          ),
        })),
      ];
      return () => {
        for (const undo of undos) undo();
      };
    },
    done: () =>
      void setTimeout(
        () => touch(cache, getSmsCampaign.name, listSmsCampaigns.name),
        cancelRefreshSeconds * 1000,
      ),
  });
  const end = async (kind: RegistrationKind): Promise<void> => {
    const sure = await confirm({
      title: t('End this registration?'),
      body: t('{kind} of it are no longer verified, and a new registration is reviewed anew.', {
        kind: kindName(kind),
      }),
      verb: t('End registration'),
      cancel: t('Keep it'),
      danger: true,
    });
    if (sure)
      await tell({ params: { companyId: ':companyId', id: shown.id }, body: { type: kind } });
  };
  const waiting = registrationKinds.some(
    (k) => shown.status[k] === 'in_review' || shown.status[k] === 'submitted',
  );
  return (
    <Section
      title={t('Where it stands')}
      action={
        waiting && mayEdit && companyId !== null ? (
          <DecideNow companyId={companyId} campaignId={shown.id} />
        ) : undefined
      }
    >
      {registrationKinds.map((kind) => {
        const status = shown.status[kind];
        if (status === null) return null;
        const rate = shown.rates[kind];
        return (
          <div key={kind} className={css.standing}>
            <span>{kindName(kind)}</span>
            <StatusBadge tone={statusTone(status)}>{statusName(status)}</StatusBadge>
            {rate !== null && (
              <span className={css.quiet}>
                {kind === 'local'
                  ? t('{n} text segments a second', { n: rate })
                  : t('{n} text segments a second and number', { n: rate })}
              </span>
            )}
            {mayEdit && canCancel(status) && (
              <Button
                size="compact-xs"
                variant="default"
                disabled={telling}
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

/** How often it is looked whether the papers lie there, and how long in between (milliseconds): they are handed in by a job. */
const [looks, lookMs] = [20, 500];
/** The sandbox's reviewer takes a minute; this asks for the decision now, as soon as the papers are there. Absent with a real carrier, whose reviewers nobody hurries. */
function DecideNow({ companyId, campaignId }: { companyId: number; campaignId: number }) {
  const [state, setState] = useState<'ready' | 'asking' | 'absent'>('ready');
  // Gone with the page, or because it was decided meanwhile: nobody asks any more.
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
    for (let look = 0; look < looks; look++) {
      const answer = await fetch('/sandbox/registrations').catch(() => null);
      if (!answer?.ok) return setState('absent');
      const { data } = (await answer.json()) as {
        data: { ref: string; key: string; state: string }[];
      };
      const mine = data.filter(
        (r) => r.state === 'in_review' && r.key.startsWith(`r.${companyId}.${campaignId}.`),
      );
      for (const r of mine)
        await fetch(`/sandbox/registrations/${r.ref}/review`, { method: 'POST' }).catch(() => null);
      if (mine.length) return setState('ready');
      await new Promise((resolve) => {
        setTimeout(resolve, lookMs);
      });
      if (!here.current) return;
    }
    flash.warn(
      t(
        'The simulated reviewer has nothing of yours yet. It decides by itself a minute after the papers arrive.',
      ),
    );
    setState('ready');
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={state === 'asking'}
      title={t('The simulated reviewer decides by itself after a minute.')}
      onClick={() => void decide()}
    >
      {t('Sandbox: decide now')}
    </Button>
  );
}
