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

/** A running call as the server sees it; null until it is loaded. */
export function useLiveCall(callId: number | undefined, isEnabled: boolean): LiveCall | null {
  const { response } = useApiQuery(
    live.getLiveCall,
    { params: { id: callId ?? 0 } },
    { enabled: isEnabled && callId !== undefined, silent: true },
  );
  if (!isEnabled || !response) return null;
  // The answer of the previous call stays until the new one is loaded.
  return response.data.id === callId ? response.data : null;
}

const invalidates = [live.getLiveCall, live.listParkedCalls];

/** Transfer, add someone, park; while someone is asked first: complete, swap, merge, or go back to the caller. */
export function TransferControls({ call }: { call: LiveCall }) {
  const me = useUser()?.id;
  const others = call.people.filter((p) => p.role === 'company' && p.user_id !== me);
  const asked = others.find(({ state }) => ['consulted', 'ringing', 'held'].includes(state));
  const isConsulting = call.state === 'consulting' || asked?.state === 'held';
  if (isConsulting && asked) return <ConsultControls call={call} asked={asked} />;
  return (
    <>
      {others.length > 0 && <OtherPeople call={call} others={others} />}
      <CallButtons call={call} isConference={others.length > 0} />
    </>
  );
}

type Person = LiveCall['people'][number];

function consultText({ state, label: name }: Person): string {
  if (state === 'ringing') return t('Calling {name}…', { name });
  if (state === 'held') return t('{name} is on hold', { name });
  return t('Talking to {name}', { name });
}

/** While a teammate is asked and the caller waits. */
function ConsultControls({ call, asked }: { call: LiveCall; asked: Person }) {
  const complete = useApiMutation(live.completeTransfer, { invalidates });
  const cancel = useApiMutation(live.cancelTransfer, { invalidates });
  const swap = useApiMutation(live.swapTransfer, { invalidates });
  const merge = useApiMutation(live.mergeTransfer, { invalidates });
  const input = { params: { id: call.id }, body: {} };
  const hasAnswered = asked.state !== 'ringing';
  return (
    <div className={css.aside} role="group" aria-label={t('Transfer')}>
      <div className={css.says} role="status">
        {consultText(asked)}
      </div>
      <div className={css.buttons}>
        <Button
          size="xs"
          leftSection={<IconCheck size={16} aria-hidden />}
          loading={complete.isPending}
          onClick={() => void complete.mutate(input)}
        >
          {t('Complete transfer')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconX size={16} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => void cancel.mutate(input)}
        >
          {t('Back to caller')}
        </Button>
        {hasAnswered && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowsExchange size={16} aria-hidden />}
            loading={swap.isPending}
            onClick={() => void swap.mutate(input)}
          >
            {t('Swap')}
          </Button>
        )}
        {hasAnswered && call.rooms && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowMerge size={16} aria-hidden />}
            loading={merge.isPending}
            onClick={() => void merge.mutate(input)}
          >
            {t('Merge calls')}
          </Button>
        )}
      </div>
    </div>
  );
}

function OtherPeople({ call, others }: { call: LiveCall; others: readonly Person[] }) {
  const remove = useApiMutation(live.removeFromCall, { invalidates });
  return (
    <ul className={css.people} aria-label={t('Also on this call')}>
      {others.map((person) => (
        <li key={person.leg}>
          <span>{person.label}</span>
          <span className={css.quiet}>
            {person.state === 'ringing' ? t('Ringing…') : t('Talking')}
          </span>
          <ActionIcon
            size={28}
            variant="subtle"
            aria-label={t('Remove {name}', { name: person.label })}
            onClick={() =>
              void remove.mutate({ params: { id: call.id }, body: { leg: person.leg } })
            }
          >
            <IconX size={16} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

/** A conference can't be transferred or parked. */
function CallButtons({ call, isConference }: { call: LiveCall; isConference: boolean }) {
  const [choosing, setChoosing] = useState<'transfer' | 'add' | null>(null);
  const park = useApiMutation(live.parkCall, {
    invalidates,
    success: t('Call parked. Anyone who answers this number can pick it up.'),
  });
  return (
    <>
      <div className={css.buttons} role="group" aria-label={t('Transfer options')}>
        <Button
          size="xs"
          variant="default"
          disabled={isConference}
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
          disabled={isConference}
          loading={park.isPending}
          leftSection={<IconParking size={16} aria-hidden />}
          onClick={() => void park.mutate({ params: { id: call.id }, body: {} })}
        >
          {t('Park')}
        </Button>
      </div>
      {choosing && <TransferDialog call={call} mode={choosing} onClose={() => setChoosing(null)} />}
    </>
  );
}
