import { useId, useMemo, useRef, useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { live } from '#contract';
import type { LiveCall } from '#contract/calls/live/schemas';
import { Modal, t, toast, useApiMutation, useApiQuery } from '#ui';
import css from './TransferControls.module.css';
import { TransferFooter, type TransferMode } from './TransferFooter.tsx';
import { TransferOption } from './TransferOption.tsx';
import {
  canAskFirst,
  preselected,
  transferBlockReason,
  transferChoices,
  type TransferChoice,
} from './transfer-choices.ts';

interface TransferDialogProps {
  call: LiveCall;
  /** Pass the call on, or bring someone into it. */
  mode: TransferMode;
  onClose: () => void;
}

/** Sends the call to a destination; with `askFirst` the caller waits while the two talk. */
function useTransfer({ call, mode, onClose }: TransferDialogProps) {
  const invalidates = [live.getLiveCall];
  const transfer = useApiMutation(live.transferCall, { invalidates });
  const add = useApiMutation(live.addToCall, { invalidates });
  const params = { id: call.id };
  const send = async (choice: TransferChoice | undefined, askFirst: boolean): Promise<void> => {
    if (!choice || transferBlockReason(choice) !== null) return;
    const { route_id: _, team_id: __, ...destination } = choice.body;
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

/** The destinations that match the search, and which of them is chosen. */
function useChoice(callId: number, mode: TransferMode) {
  const [search, setSearchText] = useState('');
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const { response } = useApiQuery(
    live.callDestinations,
    { params: { id: callId } },
    { silent: true },
  );
  const list = useRef<HTMLDivElement>(null);
  const choices = useMemo(
    () => transferChoices(response?.data, search, mode === 'transfer'),
    [response, search, mode],
  );
  const chosen = choices.find(({ key }) => key === chosenKey) ?? preselected(choices, search);

  const move = (by: number): void => {
    const from = chosen ? choices.indexOf(chosen) : -1;
    const next = Math.max(0, Math.min(choices.length - 1, from + by));
    setChosenKey(choices[next]?.key ?? null);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const setSearch = (text: string): void => {
    setSearchText(text);
    setChosenKey(null);
  };
  return {
    search,
    setSearch,
    choices,
    chosen,
    choose: setChosenKey,
    move,
    list,
    isLoaded: Boolean(response),
  };
}

/** Where a running call goes: type to search, arrow keys to choose, Enter to call. */
export function TransferDialog(props: TransferDialogProps) {
  const { call, mode, onClose } = props;
  const choice = useChoice(call.id, mode);
  const { search, chosen } = choice;
  const { send, isPending } = useTransfer(props);
  const listId = useId();

  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'ArrowDown') choice.move(1);
    else if (event.key === 'ArrowUp') choice.move(-1);
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
        onChange={(e) => choice.setSearch(e.currentTarget.value)}
        onKeyDown={onKeyDown}
        placeholder={t('Name, team, extension or phone number')}
        leftSection={<IconSearch size={16} aria-hidden />}
        data-autofocus
        autoComplete="off"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen ? `${listId}-${chosen.key}` : undefined}
      />
      <ChoiceList
        id={listId}
        choice={choice}
        onSend={(option) => void send(option, mode === 'transfer' && canAskFirst(option))}
      />
      <TransferFooter
        mode={mode}
        chosen={chosen}
        hasChoices={choice.choices.length > 0}
        isPending={isPending}
        reasonId={`${listId}-why`}
        onSend={(askFirst) => void send(chosen, askFirst)}
      />
    </Modal>
  );
}

function ChoiceList({
  id,
  choice,
  onSend,
}: {
  id: string;
  choice: ReturnType<typeof useChoice>;
  onSend: (option: TransferChoice) => void;
}) {
  const { search, chosen, choices } = choice;
  return (
    <div
      ref={choice.list}
      className={css.list}
      role="listbox"
      id={id}
      aria-label={t('Destinations')}
    >
      {choices.map((option, i) => (
        <TransferOption
          key={option.key}
          id={`${id}-${option.key}`}
          choice={option}
          isFirstOfGroup={option.group !== choices[i - 1]?.group}
          isChosen={option === chosen}
          onChoose={() => choice.choose(option.key)}
          onSend={() => onSend(option)}
        />
      ))}
      {choice.isLoaded && choices.length === 0 && (
        <div className={css.quiet} role="presentation">
          {search
            ? t('No matches. Type a full phone number to call it.')
            : t('No destinations yet. Type a phone number.')}
        </div>
      )}
    </div>
  );
}
