import { useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import {
  IconArrowMerge,
  IconArrowsExchange,
  IconCheck,
  IconParking,
  IconPhoneOutgoing,
  IconUserPlus,
  IconX,
} from '@tabler/icons-react';
import { live } from '#contract';
import type { LiveCall } from '#contract/calls/live/schemas';
import { lazyComponent, t, useApiQuery, useApiMutation, useUser } from '#ui';
import css from './TransferControls.module.css';

const TransferDialog = lazyComponent(
  async () => (await import('./TransferDialog.tsx')).TransferDialog,
);

/** A running call as the server sees it now; null until it is known. */
export function useLiveCall(callId: number | undefined, when: boolean): LiveCall | null {
  const { response } = useApiQuery(
    live.getLiveCall,
    { params: { id: callId ?? 0 } },
    { enabled: when && callId !== undefined, silent: true },
  );
  return when && response && response.data.id === callId ? response.data : null;
}

const invalidates = [live.getLiveCall, live.listParkedCalls];

/** Transfer, third person, park; and while somebody is asked: complete, swap, all together, back. */
export function TransferControls({ call }: { call: LiveCall }) {
  const me = useUser()?.id;
  const [choosing, setChoosing] = useState<'transfer' | 'add' | null>(null);
  const params = { params: { id: call.id }, body: {} };
  const complete = useApiMutation(live.completeTransfer, { invalidates }),
    cancel = useApiMutation(live.cancelTransfer, { invalidates }),
    swap = useApiMutation(live.swapTransfer, { invalidates }),
    merge = useApiMutation(live.mergeTransfer, { invalidates });
  const park = useApiMutation(live.parkCall, {
    invalidates,
    success: t('Call parked. Anyone who answers this number can pick it up.'),
  });
  const remove = useApiMutation(live.removeFromCall, { invalidates });
  const others = call.people.filter((p) => p.role === 'company' && p.user_id !== me);
  const asked = others.find(
    (p) => p.state === 'consulted' || p.state === 'ringing' || p.state === 'held',
  );
  const consulting = call.state === 'consulting' || asked?.state === 'held';

  if (consulting && asked) {
    return (
      <div className={css.aside} role="group" aria-label={t('Transfer')}>
        <div className={css.says} role="status">
          {asked.state === 'ringing'
            ? t('Calling {name}…', { name: asked.label })
            : asked.state === 'held'
              ? t('{name} is on hold', { name: asked.label })
              : t('Talking to {name}', { name: asked.label })}
        </div>
        <div className={css.buttons}>
          <Button
            size="xs"
            leftSection={<IconCheck size={16} aria-hidden />}
            loading={complete.isPending}
            onClick={() => void complete.mutate(params)}
          >
            {t('Complete transfer')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconX size={16} aria-hidden />}
            loading={cancel.isPending}
            onClick={() => void cancel.mutate(params)}
          >
            {t('Back to caller')}
          </Button>
          {asked.state !== 'ringing' && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowsExchange size={16} aria-hidden />}
              loading={swap.isPending}
              onClick={() => void swap.mutate(params)}
            >
              {t('Swap')}
            </Button>
          )}
          {asked.state !== 'ringing' && call.rooms && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowMerge size={16} aria-hidden />}
              loading={merge.isPending}
              onClick={() => void merge.mutate(params)}
            >
              {t('Merge calls')}
            </Button>
          )}
        </div>
      </div>
    );
  }
  const several = others.length > 0;
  return (
    <>
      {several && (
        <ul className={css.people} aria-label={t('Also on this call')}>
          {others.map((p) => (
            <li key={p.leg}>
              <span>{p.label}</span>
              <span className={css.quiet}>
                {p.state === 'ringing' ? t('Ringing…') : t('Talking')}
              </span>
              <ActionIcon
                size={28}
                variant="subtle"
                aria-label={t('Remove {name}', { name: p.label })}
                onClick={() =>
                  void remove.mutate({ params: { id: call.id }, body: { leg: p.leg } })
                }
              >
                <IconX size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div className={css.buttons} role="group" aria-label={t('Transfer options')}>
        <Button
          size="xs"
          variant="default"
          disabled={several}
          leftSection={<IconPhoneOutgoing size={16} aria-hidden />}
          onClick={() => setChoosing('transfer')}
        >
          {t('Transfer')}
        </Button>
        {call.rooms && (
          <Button
            size="xs"
            variant="default"
            disabled={call.state !== 'talking'}
            leftSection={<IconUserPlus size={16} aria-hidden />}
            onClick={() => setChoosing('add')}
          >
            {t('Add')}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          disabled={several}
          loading={park.isPending}
          leftSection={<IconParking size={16} aria-hidden />}
          onClick={() => void park.mutate(params)}
        >
          {t('Park')}
        </Button>
      </div>
      {choosing && <TransferDialog call={call} what={choosing} onClose={() => setChoosing(null)} />}
    </>
  );
}
