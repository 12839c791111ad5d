import { useId, useMemo, useRef, useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconAddressBook, IconHash, IconPhone, IconSearch, IconUser } from '@tabler/icons-react';
import { keypadDigits, live, normalizePhone } from '#contract';
import type { LiveCall } from '#contract/calls/live/schemas';
import { toast, formatPhoneNumber, Modal, t, useApiQuery, useApiMutation } from '#ui';
import css from './TransferControls.module.css';

/** Whoever can take a call now comes first. */
const statusOrder = ['active', 'on_call', 'away', 'offline'] as const;
const statusLabels = {
  active: 'Active',
  away: 'Away',
  on_call: 'On a call',
  offline: 'Offline',
} as const;
interface Choice {
  key: string;
  group: string;
  label: string;
  detail: string;
  status?: keyof typeof statusLabels;
  icon: typeof IconUser;
  body: { user_id?: number; number?: string; forward_contact_id?: number; route_id?: number };
}

/** Why a call cannot go there now; null when it can. A colleague in a call hears it knock. */
function transferBlockReason({ status, label }: Choice): string | null {
  if (status === 'offline')
    return t('{name} is offline. Choose someone who can take the call.', { name: label });
  if (status === 'away')
    return t('{name} isn’t taking calls. Choose someone who can.', { name: label });
  return null;
}

/** Whom a running call goes to: type to search, arrows to choose, Enter to call. */
export function TransferDialog({
  call,
  what: mode,
  onClose,
}: {
  call: LiveCall;
  what: 'transfer' | 'add';
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const [at, setAt] = useState<string | null>(null);
  const { response } = useApiQuery(
    live.callDestinations,
    { params: { id: call.id } },
    { silent: true },
  );
  const invalidates = [live.getLiveCall];
  const transfer = useApiMutation(live.transferCall, { invalidates }),
    add = useApiMutation(live.addToCall, { invalidates });
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();

  const choices = useMemo((): Choice[] => {
    const wanted = search.trim().toLowerCase();
    const fits = (...words: string[]): boolean =>
      words.some((w) => w.toLowerCase().includes(wanted));
    const found = response?.data;
    const typed =
      wanted.replace(/\D/g, '').length >= 7 ? normalizePhone(keypadDigits(wanted)) : null;
    return [
      ...(typed
        ? [
            {
              key: 'typed',
              group: t('Number'),
              label: formatPhoneNumber(typed),
              detail: '',
              icon: IconPhone,
              body: { number: typed },
            },
          ]
        : []),
      ...(found?.people ?? [])
        .filter((p) => fits(p.name))
        .toSorted((a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status))
        .map((p) => ({
          key: `u${p.user_id}`,
          group: t('Teammates'),
          label: p.name,
          detail: '',
          status: p.status,
          icon: IconUser,
          body: { user_id: p.user_id },
        })),
      ...(mode === 'transfer'
        ? (found?.extensions ?? [])
            .filter((e) => fits(e.label, String(e.extension)))
            .map((e) => ({
              key: `r${e.route_id}`,
              group: t('Extensions on this number'),
              label: e.label,
              detail: t('Extension {n}', { n: e.extension }),
              icon: IconHash,
              body: { route_id: e.route_id },
            }))
        : []),
      ...(found?.contacts ?? [])
        .filter((c) => fits(c.name, c.number))
        .map((c) => ({
          key: `c${c.forward_contact_id}`,
          group: t('Forwarding numbers'),
          label: c.name,
          detail: c.number.startsWith('+') ? formatPhoneNumber(c.number) : c.number,
          icon: IconAddressBook,
          body: { forward_contact_id: c.forward_contact_id },
        })),
    ];
  }, [response, search, mode]);
  // Nobody is chosen for one who could not take the call.
  const chosen =
    choices.find((c) => c.key === at) ??
    choices.find((c) => c.status === 'active') ??
    (search ? choices.find((c) => transferBlockReason(c) === null) : undefined);
  const reason = chosen
    ? transferBlockReason(chosen)
    : choices.length > 0
      ? t('No teammate can take a call right now. Choose another destination.')
      : null;
  const isReady = chosen !== undefined && reason === null;

  const go = async (ask: boolean, to = chosen): Promise<void> => {
    if (!to || transferBlockReason(to) !== null) return;
    const done =
      mode === 'add'
        ? await add.mutate({
            params: { id: call.id },
            body: {
              user_id: to.body.user_id,
              number: to.body.number,
              forward_contact_id: to.body.forward_contact_id,
            },
          })
        : await transfer.mutate({ params: { id: call.id }, body: { ...to.body, ask } });
    if (!done) return;
    if (mode === 'transfer' && !ask) toast.success(t('Transferred to {name}', { name: to.label }));
    onClose();
  };
  const keys = (e: React.KeyboardEvent): void => {
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (step) {
      e.preventDefault();
      const next = Math.max(
        0,
        Math.min(choices.length - 1, (chosen ? choices.indexOf(chosen) : -1) + step),
      );
      setAt(choices[next]?.key ?? null);
      list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
    } else if (e.key === 'Enter') {
      e.preventDefault();
      void go(mode === 'transfer' && !e.shiftKey && chosen?.body.route_id === undefined);
    }
  };
  const isPending = transfer.isPending || add.isPending;
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
          setAt(null);
        }}
        onKeyDown={keys}
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
        {choices.map((c, i) => (
          <div key={c.key} role="presentation">
            {c.group !== choices[i - 1]?.group && (
              <div className={css.group} role="presentation">
                {c.group}
              </div>
            )}
            <div
              id={`${listId}-${c.key}`}
              role="option"
              tabIndex={-1}
              aria-selected={c === chosen}
              aria-disabled={transferBlockReason(c) !== null}
              className={css.choice}
              onClick={() => setAt(c.key)}
              onDoubleClick={() => {
                setAt(c.key);
                void go(mode === 'transfer' && c.body.route_id === undefined, c);
              }}
            >
              <c.icon size={16} stroke={1.75} aria-hidden />
              <span>
                {c.label}
                {c.detail && <span className={css.quiet}> {c.detail}</span>}
              </span>
              {c.status && (
                <span className={css.status} data-status={c.status}>
                  {t(statusLabels[c.status])}
                </span>
              )}
            </div>
          </div>
        ))}
        {response && choices.length === 0 && (
          <div className={css.quiet} role="presentation">
            {search
              ? t('No matches. Type a full phone number to call it.')
              : t('No destinations yet. Type a phone number.')}
          </div>
        )}
      </div>
      {reason && (
        <p className={css.reason} role="status" id={`${listId}-why`}>
          {reason}
        </p>
      )}
      <div className={css.foot}>
        {mode === 'transfer' ? (
          <>
            <Button
              variant="default"
              disabled={!isReady}
              aria-describedby={reason ? `${listId}-why` : undefined}
              loading={isPending}
              onClick={() => void go(false)}
            >
              {t('Transfer now')}
            </Button>
            <Button
              disabled={!isReady || chosen.body.route_id !== undefined}
              aria-describedby={reason ? `${listId}-why` : undefined}
              loading={isPending}
              onClick={() => void go(true)}
            >
              {t('Ask first')}
            </Button>
          </>
        ) : (
          <Button
            disabled={!isReady}
            aria-describedby={reason ? `${listId}-why` : undefined}
            loading={isPending}
            onClick={() => void go(false)}
          >
            {t('Call and add')}
          </Button>
        )}
      </div>
    </Modal>
  );
}
