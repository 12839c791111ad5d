import { useId, useMemo, useRef, useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { live } from '#contract';
import type { LiveCall } from '#contract/calls/live/schemas';
import { Modal, t, toast, useApiMutation, useApiQuery } from '#ui';
import css from './TransferControls.module.css';
import {
  preselected,
  transferBlockReason,
  transferChoices,
  type TransferChoice,
} from './transfer-choices.ts';

const statusLabels = {
  active: 'Active',
  away: 'Away',
  on_call: 'On a call',
  offline: 'Offline',
} as const;
type Mode = 'transfer' | 'add';

interface TransferDialogProps {
  call: LiveCall;
  /** Pass the call on, or bring someone into it. */
  mode: Mode;
  onClose: () => void;
}

/** An extension has no one to ask first. */
const canAskFirst = (choice: TransferChoice): boolean => choice.body.route_id === undefined;

/** Sends the call to a destination; with `askFirst` the caller waits while the two talk. */
function useTransfer({ call, mode, onClose }: TransferDialogProps) {
  const invalidates = [live.getLiveCall];
  const transfer = useApiMutation(live.transferCall, { invalidates });
  const add = useApiMutation(live.addToCall, { invalidates });
  const params = { id: call.id };
  const send = async (choice: TransferChoice | undefined, askFirst: boolean): Promise<void> => {
    if (!choice || transferBlockReason(choice) !== null) return;
    const { route_id: _, ...destination } = choice.body;
    const response =
      mode === 'add'
        ? await add.mutate({ params, body: destination })
        : await transfer.mutate({ params, body: { ...choice.body, ask: askFirst } });
    if (!response) return;
    if (mode === 'transfer' && !askFirst)
      toast.success(t('Transferred to {name}', { name: choice.label }));
    onClose();
  };
  return { send, isPending: transfer.isPending || add.isPending };
}

/** Where a running call goes: type to search, arrow keys to choose, Enter to call. */
export function TransferDialog(props: TransferDialogProps) {
  const { call, mode, onClose } = props;
  const [search, setSearch] = useState('');
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const { response } = useApiQuery(
    live.callDestinations,
    { params: { id: call.id } },
    { silent: true },
  );
  const { send, isPending } = useTransfer(props);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const choices = useMemo(
    () => transferChoices(response?.data, search, mode === 'transfer'),
    [response, search, mode],
  );
  const chosen = choices.find(({ key }) => key === chosenKey) ?? preselected(choices, search);

  const moveChoice = (by: number): void => {
    const from = chosen ? choices.indexOf(chosen) : -1;
    const next = Math.max(0, Math.min(choices.length - 1, from + by));
    setChosenKey(choices[next]?.key ?? null);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'ArrowDown') moveChoice(1);
    else if (event.key === 'ArrowUp') moveChoice(-1);
    else if (event.key === 'Enter' && chosen)
      void send(chosen, mode === 'transfer' && !event.shiftKey && canAskFirst(chosen));
    else if (event.key !== 'Enter') return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={mode === 'add' ? t('Add someone to the call') : t('Transfer call')}
      size={440}
      centered
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <TextInput
        label={t('To')}
        value={search}
        onChange={(e) => {
          setSearch(e.currentTarget.value);
          setChosenKey(null);
        }}
        onKeyDown={onKeyDown}
        placeholder={t('Name, extension or phone number')}
        leftSection={<IconSearch size={16} aria-hidden />}
        data-autofocus
        autoComplete="off"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen ? `${listId}-${chosen.key}` : undefined}
      />
      <div
        ref={list}
        className={css.list}
        role="listbox"
        id={listId}
        aria-label={t('Destinations')}
      >
        {choices.map((choice, i) => (
          <Option
            key={choice.key}
            id={`${listId}-${choice.key}`}
            choice={choice}
            isFirstOfGroup={choice.group !== choices[i - 1]?.group}
            isChosen={choice === chosen}
            onChoose={() => setChosenKey(choice.key)}
            onSend={() => void send(choice, mode === 'transfer' && canAskFirst(choice))}
          />
        ))}
        {response && choices.length === 0 && (
          <div className={css.quiet} role="presentation">
            {search
              ? t('No matches. Type a full phone number to call it.')
              : t('No destinations yet. Type a phone number.')}
          </div>
        )}
      </div>
      <Footer
        mode={mode}
        chosen={chosen}
        hasChoices={choices.length > 0}
        isPending={isPending}
        reasonId={`${listId}-why`}
        onSend={(askFirst) => void send(chosen, askFirst)}
      />
    </Modal>
  );
}

function Option({
  id,
  choice,
  isFirstOfGroup,
  isChosen,
  onChoose,
  onSend,
}: {
  id: string;
  choice: TransferChoice;
  isFirstOfGroup: boolean;
  isChosen: boolean;
  onChoose: () => void;
  onSend: () => void;
}) {
  return (
    <div role="presentation">
      {isFirstOfGroup && (
        <div className={css.group} role="presentation">
          {choice.group}
        </div>
      )}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        aria-disabled={transferBlockReason(choice) !== null}
        className={css.choice}
        onClick={onChoose}
        onDoubleClick={() => {
          onChoose();
          onSend();
        }}
      >
        <choice.icon size={16} stroke={1.75} aria-hidden />
        <span>
          {choice.label}
          {choice.detail && <span className={css.quiet}> {choice.detail}</span>}
        </span>
        {choice.status && (
          <span className={css.status} data-status={choice.status}>
            {t(statusLabels[choice.status])}
          </span>
        )}
      </div>
    </div>
  );
}

function Footer({
  mode,
  chosen,
  hasChoices,
  isPending,
  reasonId,
  onSend,
}: {
  mode: Mode;
  chosen: TransferChoice | undefined;
  hasChoices: boolean;
  isPending: boolean;
  reasonId: string;
  onSend: (askFirst: boolean) => void;
}) {
  const noOne = hasChoices
    ? t('No teammate can take a call right now. Choose another destination.')
    : null;
  const reason = chosen ? transferBlockReason(chosen) : noOne;
  const isReady = chosen !== undefined && reason === null;
  const described = reason === null ? {} : { 'aria-describedby': reasonId };
  return (
    <>
      {reason && (
        <p className={css.reason} role="status" id={reasonId}>
          {reason}
        </p>
      )}
      <div className={css.foot}>
        {mode === 'add' && (
          <Button
            disabled={!isReady}
            {...described}
            loading={isPending}
            onClick={() => onSend(false)}
          >
            {t('Call and add')}
          </Button>
        )}
        {mode === 'transfer' && (
          <>
            <Button
              variant="default"
              disabled={!isReady}
              {...described}
              loading={isPending}
              onClick={() => onSend(false)}
            >
              {t('Transfer now')}
            </Button>
            <Button
              disabled={!isReady || !canAskFirst(chosen)}
              {...described}
              loading={isPending}
              onClick={() => onSend(true)}
            >
              {t('Ask first')}
            </Button>
          </>
        )}
      </div>
    </>
  );
}
