import { useEffect, useState } from 'react';
import { Button, Select, TextInput } from '@mantine/core';
import { IconBackspace, IconPhone } from '@tabler/icons-react';
import { keypadDigits, normalizePhone, numbers } from '#contract';
import { formatPhoneNumber, Modal, t, useApiQuery, useCompanyId, useStore } from '#ui';
import { Keypad } from '#ui/phone/Keypad.tsx';
import { closeDialler, dial, phone } from './phone.ts';
import css from './Dialler.module.css';

const lastNumberKey = 'trunkline.dial.from';

/** The number to call and the number to call from, and the call itself. */
function useDialler() {
  const { open, to, party, numberId } = useStore(phone, (s) => s.dialler);
  const companyId = useCompanyId();
  const [typed, setTyped] = useState('');
  const [from, setFrom] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { response } = useApiQuery(
    numbers.listNumbersOfCompany,
    { params: { id: companyId ?? 0 } },
    { enabled: open && companyId !== null, staleTime: 60_000 },
  );
  const ours = (response?.data ?? []).filter((n) => n.category !== 3);
  useEffect(() => {
    if (open) {
      setTyped(to);
      setError(null);
      if (numberId) setFrom(String(numberId));
    }
  }, [open, to, numberId]);
  const kept = localStorage.getItem(`${lastNumberKey}.${companyId}`);
  const chosen = ours.find((n) => String(n.id) === (from ?? kept)) ?? ours[0];

  const call = async (): Promise<void> => {
    const isHidden = typed === to && party !== to;
    const plain = typed.replace(/\D/g, '');
    if (!isHidden && plain.length > 3 && !normalizePhone(keypadDigits(typed)))
      return setError(t('Enter a valid phone number.'));
    if (!typed.trim() || !chosen) return setError(t('Enter a phone number.'));
    localStorage.setItem(`${lastNumberKey}.${companyId}`, String(chosen.id));
    const destination = isHidden ? party : typed.trim();
    if (await dial(chosen.id, destination, typed.trim())) closeDialler();
  };
  const change = (next: React.SetStateAction<string>): void => {
    setTyped(next);
    setError(null);
  };
  const erase = (): void => setTyped(typed.slice(0, -1));
  return { ours, chosen, setFrom, typed, change, erase, error, call };
}

/**
 * Places a call: the number to call (letters count as keypad digits) and the number to call from.
 */
export function Dialler() {
  const { open } = useStore(phone, (s) => s.dialler);
  const dialling = useStore(phone, (s) => s.dialling);
  const { ours, chosen, setFrom, typed, change, erase, error, call } = useDialler();
  return (
    <Modal
      opened={open}
      onClose={closeDialler}
      title={t('Call a number')}
      size={320}
      centered
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        className={css.form}
        onSubmit={(e) => {
          e.preventDefault();
          void call();
        }}
      >
        <Select
          label={t('Call from')}
          data={ours.map((n) => ({
            value: String(n.id),
            label: n.label
              ? `${n.label} · ${formatPhoneNumber(n.number)}`
              : formatPhoneNumber(n.number),
          }))}
          value={chosen ? String(chosen.id) : null}
          onChange={setFrom}
          allowDeselect={false}
          searchable={ours.length > 8}
          nothingFoundMessage={t('No matching numbers')}
        />
        <NumberField typed={typed} error={error} onChange={change} onErase={erase} />
        <Keypad onKey={(key) => change((before) => before + key)} />
        <Button
          type="submit"
          fullWidth
          loading={dialling}
          leftSection={<IconPhone size={16} aria-hidden />}
        >
          {t('Call')}
        </Button>
      </form>
    </Modal>
  );
}

function NumberField({
  typed,
  error,
  onChange,
  onErase,
}: {
  typed: string;
  error: string | null;
  onChange: (typed: string) => void;
  onErase: () => void;
}) {
  return (
    <TextInput
      label={t('Number')}
      value={typed}
      onChange={(e) => onChange(e.currentTarget.value)}
      error={error}
      placeholder="(212) 555-0147"
      inputMode="tel"
      autoComplete="off"
      data-autofocus
      rightSection={
        typed && (
          <button
            type="button"
            className={css.back}
            aria-label={t('Delete the last digit')}
            onClick={onErase}
          >
            <IconBackspace size={18} />
          </button>
        )
      }
    />
  );
}
